//! When does a run end early, by which rule, and on what evidence?
//!
//! Looking after every request at an ordinary 95 % interval would sooner or later stop a sound run: each look is another
//! chance to err. So a rule stops on a bound that holds at all looks together (a mixture of likelihood ratios against the
//! limit; Ville's inequality): a run that keeps its limit is stopped in at most 2.5 % of cases, however often one looks. Two modes
//! are looked at each by itself, and each has half of these cases.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use statrs::function::beta::{beta_reg, ln_beta};

use crate::Micros;
use crate::cost::{Prices, Spend};
use crate::mark::Absence;
use crate::metrics::Metric;
use crate::slo::{Criterion, SloError, Subject, Threshold, is_due};
use crate::stats::minimum_n;
use crate::trace::{Mode, Trace};

/// Ends a run early. Part of a run's configuration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum StopRule {
    /// This must hold; the run ends when it is shown not to.
    Keep(Criterion),
    /// No more than this may be spent, in the currency of the prices.
    SpendUpTo(f64),
}

impl FromStr for StopRule {
    type Err = SloError;

    /// A criterion, or `spend<=2.5`.
    fn from_str(text: &str) -> Result<StopRule, SloError> {
        let Some(rest) = text.trim().strip_prefix("spend") else { return text.parse().map(StopRule::Keep) };
        let amount = ["<=", "≤", "<"].iter().find_map(|sign| rest.trim().strip_prefix(sign)).unwrap_or("").trim();
        let wrong = || SloError::Limit { text: amount.to_owned(), name: "spend".to_owned(), units: "no unit: spend<=2.5" };
        let number = firstlight_json::number(amount).filter(|n| n.is_finite() && *n >= 0.0);
        number.map(StopRule::SpendUpTo).ok_or_else(wrong)
    }
}

impl fmt::Display for StopRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StopRule::Keep(criterion) => criterion.fmt(f),
            StopRule::SpendUpTo(amount) => write!(f, "spend<={amount}"),
        }
    }
}

/// Fewer requests than this show nothing about a rate.
const MINIMUM_FOR_RATES: u64 = 20;
/// How many times likelier than at the limit the evidence must be.
const EVIDENCE: f64 = 40.0;

/// The rule that ended a run, and the evidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Broken {
    /// Which rule.
    pub rule: StopRule,
    /// The request after which it was broken, by its place in the plan.
    pub request: u32,
    /// When that request was last heard of.
    pub at: Micros,
    /// Requests that the rule had seen: of two modes, those of this request's.
    pub seen: u64,
    /// Of these, requests beyond the limit, failed or not passed; none for spend.
    pub beyond: Option<u64>,
    /// What was spent; none for other rules.
    pub spent: Option<f64>,
}

/// What a run's rules have seen so far. Adding a request costs the same at the first and at the hundred-thousandth.
pub struct Watch {
    /// With what was seen of streaming requests and of others.
    rules: Vec<(StopRule, [Counts; 2])>,
    /// How many of the two the run has.
    modes: usize,
    prices: Option<Prices>,
    spend: Spend,
    broken: Option<Broken>,
}

#[derive(Clone, Copy, Default)]
struct Counts {
    seen: u64,
    beyond: u64,
}

impl Watch {
    /// Of a run that begins. Without prices a limit on spend never ends it.
    pub fn new(rules: &[StopRule], prices: Option<Prices>) -> Watch {
        let rules = rules.iter().map(|rule| (*rule, <[Counts; 2]>::default())).collect();
        Watch { rules, modes: 1, prices, spend: Spend::default(), broken: None }
    }

    /// Of a run of so many modes.
    pub fn among(self, modes: usize) -> Watch {
        Watch { modes, ..self }
    }

    /// What was spent so far.
    pub fn spend(&self) -> Spend {
        self.spend
    }

    /// The rule that was broken, if any was.
    pub fn broken(&self) -> Option<&Broken> {
        self.broken.as_ref()
    }

    /// A request has ended: what it cost is known, and the first rule that is broken now. Warm-up costs too.
    pub fn spent(&mut self, trace: &Trace) -> Option<&Broken> {
        self.spend.add(trace);
        let spent = self.prices.as_ref().map(|prices| self.spend.amount(prices));
        for (rule, [counts, _]) in &mut self.rules {
            let StopRule::SpendUpTo(cap) = *rule else { continue };
            counts.seen += 1;
            if self.broken.is_none() && spent.is_some_and(|spent| spent > cap) {
                self.broken = Some(Broken { spent, ..Broken::of(*rule, trace, *counts) });
            }
        }
        self.broken.as_ref()
    }

    /// All that will be known of a request is known: the first rule that is broken now. `passed` is the result of its check.
    /// Warm-up counts in nothing.
    pub fn judge(&mut self, trace: &Trace, passed: Option<bool>) -> Option<&Broken> {
        let mode = trace.planned.mode;
        for (rule, counts) in self.rules.iter_mut().filter(|_| !trace.planned.warmup) {
            let StopRule::Keep(criterion) = *rule else { continue };
            let modes = match criterion.mode {
                Some(named) if named != mode => continue,
                Some(_) => 1,
                None => self.modes,
            };
            let counts = &mut counts[usize::from(mode == Mode::NonStreaming)];
            let Some(beyond) = is_beyond(&criterion, trace, passed) else { continue };
            counts.seen += 1;
            counts.beyond += u64::from(beyond);
            let minimum = match criterion.subject {
                Subject::Percentile(p, _) => minimum_n(p) as u64,
                _ => MINIMUM_FOR_RATES,
            };
            if self.broken.is_none() && counts.seen >= minimum && is_shown(*counts, allowed(&criterion), modes) {
                self.broken = Some(Broken { beyond: Some(counts.beyond), ..Broken::of(*rule, trace, *counts) });
            }
        }
        self.broken.as_ref()
    }

    /// Both, where a request ends with all that will be known of it.
    pub fn add(&mut self, trace: &Trace, passed: Option<bool>) -> Option<&Broken> {
        self.spent(trace);
        self.judge(trace, passed)
    }
}

impl Broken {
    fn of(rule: StopRule, trace: &Trace, counts: Counts) -> Broken {
        Broken { rule, request: trace.planned.id, at: trace.last_known, seen: counts.seen, beyond: None, spent: None }
    }
}

/// Whether a request speaks against a criterion; none where it says nothing about it.
fn is_beyond(criterion: &Criterion, trace: &Trace, passed: Option<bool>) -> Option<bool> {
    let upper = criterion.relation.is_upper();
    match criterion.subject {
        Subject::ErrorRate => is_due(trace).then(|| trace.outcome.is_failure() == upper),
        Subject::PassRate => passed.map(|passed| passed == upper),
        Subject::Percentile(_, metric) => value_is_beyond(criterion, metric, trace),
    }
}

fn value_is_beyond(criterion: &Criterion, metric: Metric, trace: &Trace) -> Option<bool> {
    if !trace.outcome.enters_distributions() {
        return None;
    }
    let limit = Threshold { metric, relation: criterion.relation, limit: criterion.limit };
    match metric.of(trace) {
        // Bounds on both sides of the limit speak for nobody: counted as within, so that no run is stopped by them.
        Ok(figure) => Some(limit.is_met(figure) == Some(false)),
        // Censored: beyond if its elapsed time already is; else it may still have come in time.
        Err(Absence::NotReached) if trace.outcome.censors() && criterion.relation.is_upper() => {
            trace.elapsed().filter(|e| !criterion.relation.holds(e.0, criterion.limit)).map(|_| true)
        }
        Err(_) => None,
    }
}

/// The share of requests that may speak against a criterion that holds.
fn allowed(criterion: &Criterion) -> f64 {
    let share = match criterion.subject {
        Subject::Percentile(p, _) => 1.0 - p.probability(),
        Subject::ErrorRate | Subject::PassRate => criterion.limit as f64 / 1e6,
    };
    // Of a percentile with a lower limit: as many as lie at or below it.
    match (criterion.subject, criterion.relation.is_upper()) {
        (_, true) => share,
        (_, false) => 1.0 - share,
    }
}

/// The share is larger than allowed, at all looks together, in all of so many modes together.
fn is_shown(counts: Counts, allowed: f64, modes: usize) -> bool {
    let (n, x) = (counts.seen as f64, counts.beyond as f64);
    // Also the quick way out of nearly every call.
    if x <= allowed * n || allowed >= 1.0 {
        return false;
    }
    if allowed <= 0.0 {
        return true;
    }
    // Likelihood ratio against the limit, averaged evenly over all larger shares.
    let (a, b) = (x + 1.0, n - x + 1.0);
    let above = 1.0 - beta_reg(a, b, allowed);
    let at_limit = x * allowed.ln() + (n - x) * (1.0 - allowed).ln();
    ln_beta(a, b) + above.ln() - (1.0 - allowed).ln() - at_limit >= (EVIDENCE * modes as f64).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Outcome;
    use crate::summary::fixture::trace;
    use crate::trace::Usage;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn keep(text: &str) -> StopRule {
        StopRule::Keep(text.parse().expect("a criterion"))
    }

    #[test]
    fn rules_are_read_and_written() {
        for text in ["p95(first_visible)<2000ms", "error_rate<5%", "spend<=2.5"] {
            assert_eq!(text.parse::<StopRule>().map(|rule| rule.to_string()), Ok(text.to_owned()));
        }
        assert_eq!("spend ≤ 2".parse(), Ok(StopRule::SpendUpTo(2.0)));
        assert!("spend<lots".parse::<StopRule>().expect_err("no number").to_string().contains("spend<=2.5"));
        assert!("first_visible<2s".parse::<StopRule>().is_err());
    }

    #[test]
    fn a_tail_beyond_its_limit_ends_the_run_not_before_the_minimum_and_not_much_after() {
        let mut watch = Watch::new(&[keep("p95(first_answer)<500ms")], None);
        let mut ended = None;
        for id in 0..1000 {
            if let Some(broken) = watch.add(&trace(id, if id % 4 == 0 { 900 } else { 100 }), None) {
                ended.get_or_insert(*broken);
            }
        }
        let broken = ended.expect("broken");
        assert!((72..=80).contains(&broken.seen), "{broken:?}");
        assert_eq!((broken.rule, broken.request + 1), (keep("p95(first_answer)<500ms"), broken.seen as u32));
    }

    #[test]
    fn a_run_that_keeps_its_limit_is_rarely_stopped_however_often_one_looks() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let stopped = (0..400).filter(|_| {
            let mut watch = Watch::new(&[keep("error_rate<=5%")], None);
            let mut good = trace(0, 10);
            (0..2000).any(|_| {
                // Exactly at the limit: the worst case that still keeps it.
                good.outcome = if random.random_range(0..20) == 0 { Outcome::NetworkError } else { Outcome::Complete };
                watch.add(&good, None).is_some()
            })
        });
        // At most 2.5 %, with three standard errors of 400 runs.
        let stopped = stopped.count();
        assert!(stopped <= 19, "{stopped} of 400");
    }

    #[test]
    fn two_modes_are_looked_at_each_by_itself() {
        let of = |id, late: bool, mode| {
            let mut trace = trace(id, if late { 900 } else { 100 });
            trace.planned.mode = mode;
            trace
        };
        // Every whole answer is late, which half of all requests may be; of streams none is.
        let stopped_by = |rule: &str| {
            let mut watch = Watch::new(&[keep(rule)], None).among(2);
            let mode = |id: u32| Mode::ALL[id as usize % 2];
            let late = |id: u32| mode(id) == Mode::NonStreaming;
            (0..200).find_map(|id| watch.add(&of(id, late(id), mode(id)), None).copied())
        };
        let broken = stopped_by("p50(first_answer)<500ms").expect("whole answers break it");
        assert_eq!((broken.request % 2, broken.beyond), (1, Some(broken.seen)), "{broken:?}");
        assert_eq!(stopped_by("streaming p50(first_answer)<500ms"), None);
        let named = stopped_by("non_streaming p50(first_answer)<500ms").expect("broken");
        assert!(named.seen < broken.seen, "two modes need more evidence: {named:?} {broken:?}");
    }

    #[test]
    fn spend_and_rates() {
        let prices = Prices { currency: "USD".into(), input_per_million: 0.0, output_per_million: 1_000_000.0 };
        let mut costly = trace(0, 10);
        costly.planned.warmup = true;
        costly.usage = Some(Usage { input: Some(1), output: Some(4), ..Usage::default() });
        let mut watch = Watch::new(&[keep("error_rate<1%"), StopRule::SpendUpTo(10.0)], Some(prices));
        assert!(watch.add(&costly, None).is_none() && watch.add(&costly, None).is_none());
        let broken = *watch.add(&costly, None).expect("12 of 10 spent");
        assert_eq!((broken.rule, broken.spent, broken.seen), (StopRule::SpendUpTo(10.0), Some(12.0), 3));

        let failing = Trace { outcome: Outcome::HttpError { status: 500 }, ..trace(0, 10) };
        let mut watch = Watch::new(&[keep("pass_rate>50%"), keep("error_rate<1%")], None);
        let first = (1..100).find(|_| watch.add(&failing, None).is_some());
        assert_eq!(first, Some(20));
        let mut watch = Watch::new(&[keep("pass_rate>90%")], None);
        assert_eq!((1..100).find(|_| watch.add(&trace(0, 10), Some(false)).is_some()), Some(20));
    }

    #[test]
    fn slow_rates_and_censored_requests_count_against_their_limits() {
        let mut censored = trace(0, 10);
        censored.outcome = Outcome::Timeout;
        censored.marks.withdraw(crate::mark::Mark::FirstAnswer, Absence::NotReached);
        let criterion = |text: &str| text.parse::<Criterion>().expect("a criterion");
        let of = |text: &str, trace: &Trace| is_beyond(&criterion(text), trace, None);
        assert_eq!(of("p95(first_answer)<20ms", &censored), Some(true));
        assert_eq!(of("p95(first_answer)<1s", &censored), None);
        assert_eq!(of("p50(first_answer)>20ms", &trace(0, 10)), Some(true));
        assert!((allowed(&criterion("p50(first_answer)>20ms")) - 0.5).abs() < 1e-12);
        assert!((allowed(&criterion("p95(first_answer)>20ms")) - 0.95).abs() < 1e-12);
        assert!((allowed(&criterion("pass_rate>=99%")) - 0.01).abs() < 1e-12);
    }

    #[test]
    fn rules_are_written_down_and_read_back() {
        let rules = vec![keep("p95(first_visible)<800ms"), StopRule::SpendUpTo(2.5)];
        let json = serde_json::to_string(&rules).expect("json");
        assert_eq!(json, r#"[{"keep":"p95(first_visible)<800ms"},{"spend_up_to":2.5}]"#);
        assert_eq!(serde_json::from_str::<Vec<StopRule>>(&json).expect("back"), rules);
    }
}
