//! Limits, stop rules, prices, and the decision that is written down before the run.

use std::str::FromStr;

use firstlight_core::config::{Field, Problem};
use firstlight_core::cost::Prices;
use firstlight_core::decision::{Decision, IfItFails};
use firstlight_core::slo::{SloError, Threshold};
use firstlight_core::stop_rule::StopRule;
use firstlight_core::text::Ui;
use leptos::prelude::*;

use super::text;

/// What is done if it fails, in the order of [`FAILING`].
pub const FAILS: [(&str, Ui); 4] =
    [("stop", Ui::FailStop), ("fall-back", Ui::FailFallBack), ("old-version", Ui::FailOldVersion), ("ask", Ui::FailAsk)];
const FAILING: [IfItFails; 4] = [IfItFails::Stop, IfItFails::FallBack, IfItFails::OldVersion, IfItFails::AskSomeone];

/// The fields. `Copy`.
#[derive(Clone, Copy)]
pub struct DecisionForm {
    /// Limits of each request, one a line.
    pub thresholds: RwSignal<String>,
    /// Stop rules, one a line.
    pub stop_rules: RwSignal<String>,
    /// Price of a million input tokens.
    pub price_input: RwSignal<String>,
    /// Price of a million output tokens.
    pub price_output: RwSignal<String>,
    /// Their currency.
    pub currency: RwSignal<String>,
    /// The claim; empty: no decision.
    pub claim: RwSignal<String>,
    /// Who owns it.
    pub owner: RwSignal<String>,
    /// Whom it affects.
    pub affected: RwSignal<String>,
    /// What must hold, one a line.
    pub criteria: RwSignal<String>,
    /// What would show it to be false.
    pub falsified_by: RwSignal<String>,
    /// Which of [`FAILS`].
    pub if_it_fails: RwSignal<String>,
    /// A baseline that came with a decision from elsewhere.
    baseline: StoredValue<Option<firstlight_core::decision::Baseline>>,
}

/// What the fields ask for.
pub struct Asked {
    /// Limits of each request.
    pub thresholds: Vec<Threshold>,
    /// Stop rules.
    pub stop_rules: Vec<StopRule>,
    /// Prices.
    pub prices: Option<Prices>,
    /// The decision.
    pub decision: Option<Decision>,
}

fn lines<T: FromStr<Err = SloError>>(text: RwSignal<String>, field: Field, problems: &mut Vec<Problem>) -> Vec<T> {
    let text = text.get_untracked();
    let mut read = Vec::new();
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
        match line.parse() {
            Ok(one) => read.push(one),
            Err(error) => problems.push(Problem::Limit(field, error)),
        }
    }
    read
}

fn written<T: ToString>(all: &[T]) -> String {
    all.iter().map(T::to_string).collect::<Vec<_>>().join("\n")
}

impl Default for DecisionForm {
    fn default() -> DecisionForm {
        DecisionForm {
            thresholds: text(""),
            stop_rules: text(""),
            price_input: text(""),
            price_output: text(""),
            currency: text("USD"),
            claim: text(""),
            owner: text(""),
            affected: text(""),
            criteria: text(""),
            falsified_by: text(""),
            if_it_fails: text(FAILS[3].0),
            baseline: StoredValue::new(None),
        }
    }
}

impl DecisionForm {
    /// What is asked for.
    pub fn read(&self, problems: &mut Vec<Problem>) -> Asked {
        let thresholds = lines(self.thresholds, Field::Thresholds, problems);
        let stop_rules = lines(self.stop_rules, Field::StopRules, problems);
        let criteria = lines(self.criteria, Field::Criteria, problems);
        let prices = self.read_prices(problems);
        let words = |text: RwSignal<String>| text.get_untracked().trim().to_owned();
        let claim = words(self.claim);
        let chosen = self.if_it_fails.get_untracked();
        let decision = (!claim.is_empty() || !criteria.is_empty()).then(|| Decision {
            claim,
            owner: words(self.owner),
            affected: words(self.affected),
            criteria,
            baseline: self.baseline.get_value(),
            falsified_by: words(self.falsified_by),
            if_it_fails: FAILS.iter().position(|(code, _)| *code == chosen).map_or(IfItFails::AskSomeone, |at| FAILING[at]),
        });
        Asked { thresholds, stop_rules, prices, decision }
    }

    /// Prices, if any is typed; the other is then nothing.
    fn read_prices(&self, problems: &mut Vec<Problem>) -> Option<Prices> {
        let mut price = |text: RwSignal<String>| {
            let text = text.get_untracked();
            let text = text.trim();
            if text.is_empty() {
                return None;
            }
            let price = firstlight_core::number(text).filter(|p| p.is_finite() && *p >= 0.0);
            if price.is_none() {
                problems.push(Problem::Price(text.to_owned()));
            }
            price
        };
        let (input, output) = (price(self.price_input), price(self.price_output));
        (input.is_some() || output.is_some()).then(|| Prices {
            currency: self.currency.get_untracked().trim().to_owned(),
            input_per_million: input.unwrap_or(0.0),
            output_per_million: output.unwrap_or(0.0),
        })
    }

    /// Shows what came from elsewhere.
    pub fn show(&self, asked: &Asked) {
        self.thresholds.set(written(&asked.thresholds));
        self.stop_rules.set(written(&asked.stop_rules));
        let price = |of: &dyn Fn(&Prices) -> f64| asked.prices.as_ref().map(|p| of(p).to_string()).unwrap_or_default();
        self.price_input.set(price(&|p| p.input_per_million));
        self.price_output.set(price(&|p| p.output_per_million));
        if let Some(prices) = &asked.prices {
            self.currency.set(prices.currency.clone());
        }
        let decision = asked.decision.as_ref();
        let words = |of: &dyn Fn(&Decision) -> String| decision.map(of).unwrap_or_default();
        self.claim.set(words(&|d| d.claim.clone()));
        self.owner.set(words(&|d| d.owner.clone()));
        self.affected.set(words(&|d| d.affected.clone()));
        self.criteria.set(words(&|d| written(&d.criteria)));
        self.falsified_by.set(words(&|d| d.falsified_by.clone()));
        let at = decision.and_then(|d| FAILING.iter().position(|f| *f == d.if_it_fails)).unwrap_or(3);
        self.if_it_fails.set(FAILS[at].0.to_owned());
        self.baseline.set_value(decision.and_then(|d| d.baseline.clone()));
    }
}
