//! What do requests cost, what may they cost at most, and what does one useful result cost?

use serde::{Deserialize, Serialize};

use crate::config::RunConfig;
use crate::stats::Share;
use crate::trace::Trace;
use crate::workload::Source;

/// Prices of tokens. It is written down in a run's configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prices {
    /// The currency, as shown.
    pub currency: String,
    /// Of a million input tokens.
    pub input_per_million: f64,
    /// Of a million output tokens.
    pub output_per_million: f64,
}

impl Prices {
    /// Both prices are numbers from 0.
    pub fn is_sound(&self) -> bool {
        [self.input_per_million, self.output_per_million].iter().all(|p| p.is_finite() && *p >= 0.0)
    }

    fn of(&self, input: u64, output: u64) -> f64 {
        (input as f64 * self.input_per_million + output as f64 * self.output_per_million) / 1e6
    }
}

/// What requests cost so far. Tokens are summed as integers and priced once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spend {
    /// Input tokens.
    pub input: u64,
    /// Output tokens, those that were never streamed among them: they are charged too.
    pub output: u64,
    /// Requests of which a count was not reported: with any, the true spend is at least this.
    pub unknown: u32,
    /// Requests whose output tokens are an estimate from characters.
    pub estimated: u32,
}

impl Spend {
    /// Adds a request, whatever its outcome.
    pub fn add(&mut self, trace: &Trace) {
        let usage = trace.usage.unwrap_or_default();
        // More reasoning than output: this server counts it beside the output, not in it.
        let output = usage.output.map(|output| output + usage.reasoning.filter(|r| *r > output).unwrap_or(0));
        let chars = trace.amounts.answer_chars + trace.amounts.reasoning_chars + trace.amounts.tool_chars;
        let guess = (chars > 0).then(|| chars.div_ceil(4));
        self.estimated += u32::from(output.is_none() && guess.is_some());
        self.unknown += u32::from(usage.input.is_none() || output.or(guess).is_none());
        self.input += usage.input.unwrap_or(0);
        self.output += output.or(guess).unwrap_or(0);
    }

    /// Of requests.
    pub fn of<'a>(traces: impl IntoIterator<Item = &'a Trace>) -> Spend {
        let mut spend = Spend::default();
        traces.into_iter().for_each(|t| spend.add(t));
        spend
    }

    /// In the currency of the prices.
    pub fn amount(&self, prices: &Prices) -> f64 {
        prices.of(self.input, self.output)
    }
}

/// Why a cost is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoCost {
    /// No prices were given.
    NoPrices,
    /// The requests have no output limit.
    NoMaxTokens,
    /// Nothing was checked.
    NothingChecked,
    /// No result passed its check.
    NothingPassed,
}

/// The most that a run may cost, shown before it starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpendCap {
    /// requests × max tokens × price of output.
    pub output: f64,
    /// requests × input tokens × price of input, where the number is known beforehand.
    pub input: Option<f64>,
}

/// The largest output limit of any request of a run: a case's own goes before the run's. None where a request has none.
pub fn output_limit(config: &RunConfig) -> Option<u32> {
    match &config.workload.source {
        Source::Prompt => config.max_tokens,
        Source::Cases(cases) => {
            let limits = cases.iter().map(|case| case.max_tokens.or(config.max_tokens));
            limits.collect::<Option<Vec<u32>>>()?.into_iter().max()
        }
        Source::Generated(generator) => generator.output.map(|lengths| lengths.most()).or(config.max_tokens),
    }
}

/// The cap of a run of so many requests, warm-up among them.
pub fn spend_cap(
    requests: u64,
    max_tokens: Option<u32>,
    input_tokens: Option<u64>,
    prices: Option<&Prices>,
) -> Result<SpendCap, NoCost> {
    let prices = prices.ok_or(NoCost::NoPrices)?;
    let max_tokens = max_tokens.ok_or(NoCost::NoMaxTokens)?;
    Ok(SpendCap {
        output: prices.of(0, requests * u64::from(max_tokens)),
        input: input_tokens.map(|tokens| prices.of(requests * tokens, 0)),
    })
}

/// The cost of one useful result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostPerUseful {
    /// Spend of all requests / results that passed their checks.
    pub amount: f64,
    /// Those that passed, of those that were checked.
    pub passed: Share,
    /// What was spent.
    pub spend: Spend,
}

/// Spend of *all* requests / results that passed their checks. `passed` tells of a request whether it did; none if it had no
/// check.
pub fn cost_per_useful(
    traces: &[&Trace],
    prices: Option<&Prices>,
    passed: &dyn Fn(&Trace) -> Option<bool>,
) -> Result<CostPerUseful, NoCost> {
    let prices = prices.ok_or(NoCost::NoPrices)?;
    let share = pass_rate(traces, passed);
    if share.of == 0 {
        return Err(NoCost::NothingChecked);
    }
    if share.hits == 0 {
        return Err(NoCost::NothingPassed);
    }
    let spend = Spend::of(traces.iter().copied());
    Ok(CostPerUseful { amount: spend.amount(prices) / share.hits as f64, passed: share, spend })
}

/// Results that passed / results that were checked; [`Share::exact`] is its interval (Clopper and Pearson).
pub fn pass_rate(traces: &[&Trace], passed: &dyn Fn(&Trace) -> Option<bool>) -> Share {
    let checked: Vec<bool> = traces.iter().filter_map(|t| passed(t)).collect();
    Share { hits: checked.iter().filter(|p| **p).count(), of: checked.len() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::fixture::trace;
    use crate::trace::{Amounts, Usage};

    fn prices() -> Prices {
        Prices { currency: "USD".into(), input_per_million: 3.0, output_per_million: 15.0 }
    }

    fn used(id: u32, input: u64, output: u64) -> Trace {
        Trace { usage: Some(Usage { input: Some(input), output: Some(output), ..Usage::default() }), ..trace(id, 10) }
    }

    #[test]
    fn failed_requests_are_paid_for_and_bring_nothing() {
        let traces = [used(0, 1000, 500), used(1, 1000, 500), used(2, 1000, 500)];
        let all: Vec<&Trace> = traces.iter().collect();
        let cost = cost_per_useful(&all, Some(&prices()), &|t| Some(t.planned.id == 0)).expect("a cost");
        assert!((cost.amount - 3.0 * (0.003 + 0.0075)).abs() < 1e-12, "{}", cost.amount);
        assert_eq!(cost.passed, Share { hits: 1, of: 3 });
        assert_eq!(cost_per_useful(&all, Some(&prices()), &|_| None), Err(NoCost::NothingChecked));
        assert_eq!(cost_per_useful(&all, Some(&prices()), &|_| Some(false)), Err(NoCost::NothingPassed));
        assert_eq!(cost_per_useful(&all, None, &|_| Some(true)), Err(NoCost::NoPrices));
    }

    #[test]
    fn what_is_not_reported_is_said() {
        let mut silent = trace(0, 10);
        silent.amounts = Amounts { answer_chars: 9, ..Amounts::default() };
        let mut beside = used(1, 10, 5);
        beside.usage = Some(Usage { input: Some(10), output: Some(5), reasoning: Some(40), cached: None });
        assert_eq!(Spend::of([&silent, &beside]), Spend { input: 10, output: 48, unknown: 1, estimated: 1 });
        assert_eq!(Spend::of([&trace(0, 10)]).unknown, 1);
    }

    #[test]
    fn the_cap_before_the_start() {
        let cap = spend_cap(1000, Some(256), Some(512), Some(&prices())).expect("a cap");
        assert!((cap.output - 3.84).abs() < 1e-9 && cap.input.is_some_and(|i| (i - 1.536).abs() < 1e-9));
        let mut config = RunConfig { max_tokens: Some(10), ..RunConfig::of("https://example.com/") };
        assert_eq!(output_limit(&config), Some(10));
        let lines = "{\"prompt\": \"a\", \"max_tokens\": 500}\n{\"prompt\": \"b\"}";
        config.workload = crate::workload::import(lines).expect("cases").workload;
        assert_eq!(output_limit(&config), Some(500), "a case's own limit goes before the run's");
        assert_eq!(output_limit(&RunConfig { max_tokens: None, ..config }), None, "one without a limit is enough");
        assert_eq!(spend_cap(1, None, None, Some(&prices())), Err(NoCost::NoMaxTokens));
        assert_eq!(spend_cap(1, Some(1), None, None), Err(NoCost::NoPrices));
        assert!(!Prices { input_per_million: f64::NAN, ..prices() }.is_sound() && prices().is_sound());
    }
}
