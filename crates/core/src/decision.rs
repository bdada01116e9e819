//! A decision that is written down before the run: did what was measured pass, fail, or not suffice to tell?

use serde::{Deserialize, Serialize};

use crate::cost::pass_rate;
use crate::mark::Absence;
use crate::slo::{Criterion, Relation, Subject, is_due};
use crate::stats::{Bounds, Interval, Share};
use crate::summary::{metric_rows, side};
use crate::trace::{Mode, Trace};

/// What is decided, by whom, and by what. Part of a run's configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// What is claimed.
    pub claim: String,
    /// Who owns it.
    #[serde(default)]
    pub owner: String,
    /// Whom it affects.
    #[serde(default)]
    pub affected: String,
    /// All of these must hold.
    pub criteria: Vec<Criterion>,
    /// The run it is compared with.
    #[serde(default)]
    pub baseline: Option<Baseline>,
    /// What would show the claim to be false.
    #[serde(default)]
    pub falsified_by: String,
    /// What is done if it fails.
    pub if_it_fails: IfItFails,
}

/// A run to compare with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// How the run is called.
    pub run: String,
    /// Differences of this size and less don't matter, in µs.
    #[serde(default)]
    pub margin_us: Option<i64>,
}

/// What is done if a decision fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IfItFails {
    /// Nothing is released.
    Stop,
    /// Another way takes over.
    FallBack,
    /// The old version comes back.
    OldVersion,
    /// Somebody is asked.
    AskSomeone,
}

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The whole 95 % interval lies within the limit.
    Pass,
    /// The whole 95 % interval lies beyond it.
    Fail,
    /// Neither can be said.
    NotEnoughData(Missing),
}

/// Why neither can be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// There is no sample; the most frequent reason, if any was given.
    NoSamples(Option<Absence>),
    /// The sample is smaller than the percentile needs.
    TooFew {
        /// What it needs.
        at_least: usize,
        /// Its size.
        has: usize,
    },
    /// The limit lies inside the interval: a larger sample, of this size at least where that is known, narrows it.
    LimitInside {
        /// The size at which a rate could pass with no more failures.
        at_least: Option<usize>,
    },
}

/// One criterion and its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// What must hold.
    pub criterion: Criterion,
    /// Whose requests it was judged on, where requests of both modes were measured and it names neither.
    pub mode: Option<Mode>,
    /// How many requests it was judged on.
    pub n: usize,
    /// What was measured, in the unit of the criterion's limit; the bounds differ where only bounds are known.
    pub estimate: Bounds,
    /// Its 95 % interval: order statistics of a percentile, Clopper and Pearson's of a rate.
    pub interval: Interval<Option<i64>>,
    /// The answer.
    pub answer: Answer,
}

/// The answer to a decision on one set of requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Each criterion.
    pub judgements: Vec<Judgement>,
    /// Fail if any fails, pass if all pass.
    pub answer: Answer,
}

/// Answers on the measured set and on the confirmation set (cases held out until then), each by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdicts {
    /// On the measured set.
    pub measured: Verdict,
    /// On the confirmation set, if there was one.
    pub confirmation: Option<Verdict>,
}

/// The answers on both sets. `passed` tells of a request whether its result passed its check; none if it had none.
pub fn verdicts(
    decision: &Decision,
    measured: &[&Trace],
    held_out: Option<&[&Trace]>,
    passed: &dyn Fn(&Trace) -> Option<bool>,
) -> Verdicts {
    let of = |set: &[&Trace]| verdict(decision, set, passed);
    Verdicts { measured: of(measured), confirmation: held_out.map(of) }
}

/// The answer on one set of requests, warm-up left out by the caller.
pub fn verdict(decision: &Decision, set: &[&Trace], passed: &dyn Fn(&Trace) -> Option<bool>) -> Verdict {
    let judgements: Vec<Judgement> = decision.criteria.iter().flat_map(|c| by_mode(*c, set, passed)).collect();
    let undecided = judgements.iter().map(|j| j.answer).find(|a| matches!(a, Answer::NotEnoughData(_)));
    let answer = if judgements.iter().any(|j| j.answer == Answer::Fail) {
        Answer::Fail
    } else if judgements.is_empty() {
        Answer::NotEnoughData(Missing::NoSamples(None))
    } else {
        undecided.unwrap_or(Answer::Pass)
    };
    Verdict { judgements, answer }
}

/// A criterion on the requests of the mode that it names, or on those of each mode by themselves: two modes are never mixed. A metric
/// that whole answers don't have is judged where it is defined.
fn by_mode(criterion: Criterion, set: &[&Trace], passed: &dyn Fn(&Trace) -> Option<bool>) -> Vec<Judgement> {
    let of = |mode: Mode| set.iter().copied().filter(|t| t.planned.mode == mode).collect::<Vec<&Trace>>();
    if let Some(mode) = criterion.mode {
        return vec![judge(criterion, &of(mode), passed)];
    }
    let [streaming, whole] = Mode::ALL.map(of);
    if streaming.is_empty() || whole.is_empty() {
        return vec![judge(criterion, set, passed)];
    }
    let judged = |mode, set: &[&Trace]| Judgement { mode: Some(mode), ..judge(criterion, set, passed) };
    let both = [judged(Mode::Streaming, &streaming), judged(Mode::NonStreaming, &whole)];
    let undefined = Answer::NotEnoughData(Missing::NoSamples(Some(Absence::NonStreaming)));
    match both.map(|judgement| judgement.answer == undefined) {
        [false, true] => vec![both[0]],
        [true, false] => vec![both[1]],
        _ => both.to_vec(),
    }
}

fn judge(criterion: Criterion, set: &[&Trace], passed: &dyn Fn(&Trace) -> Option<bool>) -> Judgement {
    match criterion.subject {
        Subject::Percentile(p, metric) => {
            // The mode is a label of the rows only.
            let rows = metric_rows(metric, Mode::Streaming, set);
            let absent = rows.first().and_then(|row| row.absent.iter().max_by_key(|(_, n)| *n)).map(|(why, _)| *why);
            match side(&rows) {
                Some(side) => answered(criterion, side.low.n(), side.percentile(p), side.interval(p), None),
                None => nothing(criterion, absent),
            }
        }
        Subject::ErrorRate => {
            let due = set.iter().filter(|t| is_due(t));
            let failed = due.clone().filter(|t| t.outcome.is_failure()).count();
            rate(criterion, Share { hits: failed, of: due.count() })
        }
        Subject::PassRate => rate(criterion, pass_rate(set, passed)),
    }
}

fn nothing(criterion: Criterion, why: Option<Absence>) -> Judgement {
    Judgement {
        criterion,
        mode: None,
        n: 0,
        estimate: Bounds { lower: None, upper: None },
        interval: Interval::Needs { at_least: 1, has: 0 },
        answer: Answer::NotEnoughData(Missing::NoSamples(why)),
    }
}

fn rate(criterion: Criterion, share: Share) -> Judgement {
    let Some(((low, high), value)) = share.exact().zip(share.value()) else { return nothing(criterion, None) };
    let millionths = |x: f64| x * 1e6;
    let value = Some(millionths(value).round() as i64);
    let interval =
        Interval::Between { lower: Some(millionths(low).floor() as i64), upper: Some(millionths(high).ceil() as i64) };
    let limit = criterion.limit as f64 / 1e6;
    // How many without a further failure would do: failures are the hits of a rate with an upper limit, and what is not a hit
    // of one with a lower limit.
    let needed = match criterion.relation {
        Relation::Below | Relation::AtMost => share.trials_to_stay_below(limit),
        Relation::Above | Relation::AtLeast => {
            Share { hits: share.of - share.hits, of: share.of }.trials_to_stay_below(1.0 - limit)
        }
    };
    answered(criterion, share.of, Bounds { lower: value, upper: value }, interval, needed)
}

fn answered(
    criterion: Criterion,
    n: usize,
    estimate: Bounds,
    interval: Interval<Option<i64>>,
    needed: Option<usize>,
) -> Judgement {
    let answer = match interval {
        Interval::Needs { at_least, has } => Answer::NotEnoughData(Missing::TooFew { at_least, has }),
        Interval::Between { lower, upper } => match criterion.relation.holds_between(lower, upper, criterion.limit) {
            Some(true) => Answer::Pass,
            Some(false) => Answer::Fail,
            None => Answer::NotEnoughData(Missing::LimitInside { at_least: needed.filter(|needed| *needed > n) }),
        },
    };
    Judgement { criterion, mode: None, n, estimate, interval, answer }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Outcome;
    use crate::summary::fixture::trace;
    use crate::trace::Shape;

    fn decision(criteria: &[&str]) -> Decision {
        Decision {
            claim: "First words within half a second".into(),
            owner: "search team".into(),
            affected: "everyone who asks".into(),
            criteria: criteria.iter().map(|c| c.parse().expect("a criterion")).collect(),
            baseline: Some(Baseline { run: "last week".into(), margin_us: Some(50_000) }),
            falsified_by: "one in twenty waits longer".into(),
            if_it_fails: IfItFails::OldVersion,
        }
    }

    /// Answers after 1, 2, …, n ms, the last `failed` of them failed.
    fn traces(n: u32, failed: u32) -> Vec<Trace> {
        let outcome = |id| if id > n - failed { Outcome::NetworkError } else { Outcome::Complete };
        (1..=n).map(|id| Trace { outcome: outcome(id), ..trace(id, i64::from(id)) }).collect()
    }

    fn answer(criteria: &[&str], traces: &[Trace]) -> Answer {
        verdict(&decision(criteria), &traces.iter().collect::<Vec<_>>(), &|t| Some(t.planned.id % 10 != 0)).answer
    }

    #[test]
    fn the_interval_decides_and_not_the_estimate() {
        // n = 100: p95 is 95 ms, its interval from 90 to 100 ms.
        let hundred = traces(100, 0);
        let check = |criterion: &str, want| assert_eq!(answer(&[criterion], &hundred), want, "{criterion}");
        check("p95(first_answer)<101ms", Answer::Pass);
        check("p95(first_answer)<=100ms", Answer::Pass);
        check("p95(first_answer)<100ms", Answer::NotEnoughData(Missing::LimitInside { at_least: None }));
        check("p95(first_answer)<91ms", Answer::NotEnoughData(Missing::LimitInside { at_least: None }));
        check("p95(first_answer)<90ms", Answer::Fail);
        check("p50(first_answer)>39ms", Answer::Pass);
        check("p50(first_answer)>61ms", Answer::Fail);
        check("p99(first_answer)<1s", Answer::NotEnoughData(Missing::TooFew { at_least: 368, has: 100 }));
        check("p95(first_visible)<1s", Answer::NotEnoughData(Missing::NoSamples(Some(Absence::NotInPaintedSubset))));
    }

    #[test]
    fn rates_are_exact_and_say_how_many_requests_they_need() {
        assert_eq!(answer(&["error_rate<1%"], &traces(368, 0)), Answer::Pass);
        let few = Answer::NotEnoughData(Missing::LimitInside { at_least: Some(368) });
        assert_eq!(answer(&["error_rate<1%"], &traces(367, 0)), few);
        assert_eq!(answer(&["error_rate<1%"], &traces(100, 20)), Answer::Fail);
        assert_eq!(answer(&["pass_rate>95%"], &traces(200, 0)), Answer::Fail);
        assert_eq!(answer(&["pass_rate>80%"], &traces(200, 0)), Answer::Pass);
        assert_eq!(answer(&["error_rate<1%"], &[]), Answer::NotEnoughData(Missing::NoSamples(None)));
    }

    #[test]
    fn one_failure_fails_all_and_one_doubt_leaves_all_in_doubt() {
        let hundred = traces(100, 0);
        let (pass, fail, doubt) = ("p95(first_answer)<1s", "p50(first_answer)<10ms", "error_rate<1%");
        assert_eq!(answer(&[pass, doubt, fail], &hundred), Answer::Fail);
        assert!(matches!(answer(&[pass, doubt], &hundred), Answer::NotEnoughData(_)));
        assert_eq!(answer(&[pass, pass], &hundred), Answer::Pass);
        assert!(matches!(answer(&[], &hundred), Answer::NotEnoughData(_)));
    }

    #[test]
    fn two_modes_are_judged_each_by_itself() {
        // Streaming answers after 1 … 100 ms, whole ones after 1,001 … 1,100 ms: together their p50 would be 100 ms.
        let mut both = traces(100, 0);
        both.extend((1..=100).map(|id| {
            let mut whole = trace(100 + id, 1_000 + i64::from(id));
            whole.planned.mode = Mode::NonStreaming;
            whole
        }));
        let both: Vec<&Trace> = both.iter().collect();
        let judged = |text: &str| {
            let of = |j: &Judgement| (j.mode, j.n, j.answer);
            verdict(&decision(&[text]), &both, &|_| None).judgements.iter().map(of).collect::<Vec<_>>()
        };
        let (streaming, whole) = (Some(Mode::Streaming), Some(Mode::NonStreaming));
        assert_eq!(judged("p50(first_answer)<500ms"), [(streaming, 100, Answer::Pass), (whole, 100, Answer::Fail)]);
        assert_eq!(judged("error_rate<50%"), [(streaming, 100, Answer::Pass), (whole, 100, Answer::Pass)]);
        // Named, it is of that one alone.
        assert_eq!(judged("streaming p50(first_answer)<500ms"), [(None, 100, Answer::Pass)]);
        assert_eq!(judged("non-streaming p50(first_answer)<500ms"), [(None, 100, Answer::Fail)]);
        assert_eq!(judged("non_streaming p50(first_answer)<1200ms"), [(None, 100, Answer::Pass)]);
        // Of one mode alone nothing else is said, and of a mode that was not measured nobody can tell.
        let one = verdict(&decision(&["p50(first_answer)<500ms"]), &both[..100], &|_| None);
        assert_eq!((one.judgements[0].mode, one.answer), (None, Answer::Pass));
        let none = verdict(&decision(&["non_streaming p50(first_answer)<500ms"]), &both[..100], &|_| None);
        assert_eq!(none.answer, Answer::NotEnoughData(Missing::NoSamples(None)));
    }

    #[test]
    fn what_whole_answers_do_not_have_is_judged_where_it_is_defined() {
        let mut both = traces(100, 0);
        both.extend((1..=100).map(|id| {
            let mut whole = trace(100 + id, 1_000);
            whole.planned.mode = Mode::NonStreaming;
            whole.shape = Some(Shape::Whole);
            whole
        }));
        let both: Vec<&Trace> = both.iter().collect();
        let found = verdict(&decision(&["p50(longest_stall)>=0ms"]), &both, &|_| None);
        assert!(found.judgements.iter().all(|j| j.mode == Some(Mode::Streaming)), "{found:?}");
        let named = verdict(&decision(&["non_streaming p50(longest_stall)>=0ms"]), &both, &|_| None);
        assert_eq!(named.answer, Answer::NotEnoughData(Missing::NoSamples(Some(Absence::NonStreaming))));
    }

    #[test]
    fn the_confirmation_set_is_answered_by_itself() {
        let (first, second) = (traces(100, 0), traces(20, 0));
        let (first, second): (Vec<&Trace>, Vec<&Trace>) = (first.iter().collect(), second.iter().collect());
        let both = verdicts(&decision(&["p95(first_answer)<1s"]), &first, Some(&second), &|_| None);
        assert_eq!(both.measured.answer, Answer::Pass);
        let few = Answer::NotEnoughData(Missing::TooFew { at_least: 72, has: 20 });
        assert_eq!(both.confirmation.map(|v| v.answer), Some(few));
    }

    #[test]
    fn a_censored_tail_fails_a_limit_that_its_elapsed_time_has_passed() {
        let mut late = traces(100, 0);
        for t in late.iter_mut().skip(80) {
            t.outcome = Outcome::Timeout;
            t.marks.withdraw(crate::mark::Mark::FirstAnswer, Absence::NotReached);
            t.last_known = crate::Micros::ms(1000 + 5000);
        }
        assert_eq!(answer(&["p95(first_answer)<4s"], &late), Answer::Fail);
        let unknown = Answer::NotEnoughData(Missing::LimitInside { at_least: None });
        assert_eq!(answer(&["p95(first_answer)<6s"], &late), unknown);
    }

    #[test]
    fn it_is_written_down_and_read_back() {
        let decision = decision(&["p95(first_visible)<800ms", "error_rate<1%"]);
        let json = serde_json::to_string(&decision).expect("json");
        assert!(json.contains("\"p95(first_visible)<800ms\"") && json.contains("\"old_version\""), "{json}");
        assert_eq!(serde_json::from_str::<Decision>(&json).expect("back"), decision);
    }
}
