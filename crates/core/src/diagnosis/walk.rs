//! Why was this one request slow? Read backwards, from the wait that is long to the first stage that explains it.
//!
//! A stage explains the wait if what it took beyond its own median covers at least half of what the wait took beyond the
//! wait's median. Medians are of requests with the same evidence, so that the stages mean the same. Medians of parts don't add
//! up to the median of the whole; the parts of the one request do.

use std::ops::Deref;
use std::sync::Arc;

use super::ENOUGH;
use super::case::beside;
use super::stage::Stage;
use super::usual::{Usual, Waits};
use crate::Micros;
use crate::format::{count, millis, significant};
use crate::gap::{Split, Wait};
use crate::mark::{Absence, Mark};
use crate::report::Run;
use crate::summary::wait_name;
use crate::text::{Lang, WalkText, absence, fill, outcome, outcome_advice};
use crate::trace::Trace;

/// A wait that is longer than the median by less than this share of it is ordinary scatter, not slow.
const SLOW: f64 = 0.1;

/// How a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// A stage explains the wait.
    Explained,
    /// The request was slow, and no stage alone explains it.
    Unexplained,
    /// The request was not slow.
    NotSlow,
    /// The request did not end well.
    Failed,
    /// There is nothing to walk through, or nothing to compare it with.
    CantTell,
}

/// What a stage has to do with the wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepVerdict {
    /// It explains it.
    Explains,
    /// It does not.
    DoesNot,
    /// Its length is not known; the evidence says why.
    CantTell,
}

impl StepVerdict {
    /// In words.
    pub fn name(self, lang: Lang) -> &'static str {
        match self {
            StepVerdict::Explains => WalkText::Explains,
            StepVerdict::DoesNot => WalkText::DoesNot,
            StepVerdict::CantTell => WalkText::CantTell,
        }
        .get(lang)
    }
}

/// One stage of the walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which.
    pub stage: Stage,
    /// Its name.
    pub name: String,
    /// Its length; none where it is not known. Those that are known add up to the wait.
    pub value: Option<Micros>,
    /// The median of it in the run.
    pub median: Option<Micros>,
    /// By how much it is longer.
    pub excess: Option<Micros>,
    /// What it has to do with the wait.
    pub verdict: StepVerdict,
    /// What is known of it besides; or why it is not known.
    pub evidence: String,
}

/// One request read backwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// Which request.
    pub id: u32,
    /// How it ended.
    pub state: State,
    /// Which wait is long, and by how much; or what is to be said instead.
    pub symptom: String,
    /// The wait.
    pub wait: Option<Wait>,
    /// By how much it is longer than the run's median.
    pub excess: Option<Micros>,
    /// Every stage, backwards.
    pub steps: Vec<Step>,
    /// The first of them that explains the wait.
    pub explained_by: Option<Stage>,
    /// The result in a sentence; empty where there was no walk.
    pub conclusion: String,
}

/// A wait of the request, and the same wait of others.
struct Compared {
    split: Split,
    usual: Arc<Usual>,
    excess: Micros,
}

impl Compared {
    fn slow(&self, error: Micros) -> bool {
        self.excess.0 > error.0.max((SLOW * self.usual.median.0 as f64) as i64)
    }
}

/// Why there is no comparison.
enum Without {
    Parts(Absence),
    Others(usize),
}

/// Requests of one run read backwards: what they are compared with is worked out for the first, and kept.
pub struct Walks<R> {
    run: R,
    waits: Waits,
}

impl<R: Deref<Target = Run>> Walks<R> {
    /// Of this run.
    pub fn new(run: R) -> Walks<R> {
        let waits = Waits::of(&run);
        Walks { run, waits }
    }

    /// Reads a request backwards.
    pub fn walk(&mut self, id: u32, lang: Lang) -> Walk {
        read(&self.run, &mut self.waits, id, lang)
    }
}

/// Reads a single request backwards.
pub fn walk(run: &Run, id: u32, lang: Lang) -> Walk {
    Walks::new(run).walk(id, lang)
}

fn read(run: &Run, waits: &mut Waits, id: u32, lang: Lang) -> Walk {
    let say = |key: WalkText, values: &[&str]| fill(key.get(lang), values);
    let nothing = |state, symptom| Walk {
        id,
        state,
        symptom,
        wait: None,
        excess: None,
        steps: Vec::new(),
        explained_by: None,
        conclusion: String::new(),
    };
    let ms = |time: Micros| millis(time.0, Micros(run.clock.step_us));
    let number = id.to_string();
    let Some(trace) = run.request(id) else {
        return nothing(State::CantTell, say(WalkText::NoRequest, &[&number]));
    };
    if !trace.outcome.ended() || trace.outcome.is_failure() {
        let advice = outcome_advice(lang, &trace.outcome).unwrap_or_default();
        let symptom = say(WalkText::Failed, &[&number, &outcome(lang, &trace.outcome), advice]);
        return nothing(State::Failed, symptom.trim_end().to_owned());
    }
    let error = waits.error;
    let first = compared(run, waits, trace, &[Wait::FirstVisible, Wait::FirstAnswer, Wait::FirstOutput]);
    let whole = compared(run, waits, trace, &[Wait::CompleteVisible, Wait::LastOutput]);
    let chosen = match (first, whole) {
        // What was late from the beginning is late at the end as well.
        (Ok(first), Ok(whole)) => {
            let from_the_start = first.slow(error) && 2 * first.excess.0 >= whole.excess.0;
            if from_the_start || !whole.slow(error) { first } else { whole }
        }
        (Ok(one), Err(_)) | (Err(_), Ok(one)) => one,
        (Err(Without::Others(has)), _) | (_, Err(Without::Others(has))) => {
            return nothing(State::CantTell, say(WalkText::NoPeers, &[&number, &count(ENOUGH), &count(has)]));
        }
        (Err(Without::Parts(why)), _) => {
            return nothing(State::CantTell, say(WalkText::NoParts, &[&number, absence(lang, why)]));
        }
    };
    let (name, n) = (wait_name(chosen.split.wait, lang), count(chosen.usual.n));
    let (total, median, excess) = (ms(chosen.split.total), ms(chosen.usual.median), ms(chosen.excess));
    if !chosen.slow(error) {
        return Walk {
            wait: Some(chosen.split.wait),
            excess: Some(chosen.excess),
            ..nothing(State::NotSlow, say(WalkText::NotSlow, &[&number, name, &total, &median, &n]))
        };
    }
    let beside = beside(&run.traces, trace);
    let own = chosen.split.parts.iter().map(|part| Stage::of(&part.kind));
    let met: Vec<Stage> = chosen.usual.stages.iter().map(|(stage, _)| *stage).chain(own).collect();
    let steps: Vec<Step> =
        Stage::backwards(&met).into_iter().map(|stage| step(stage, &chosen, trace, beside, &ms, lang)).collect();
    let explains = steps.iter().find(|s| s.verdict == StepVerdict::Explains);
    let largest = steps.iter().filter(|s| s.excess.is_some()).max_by_key(|s| s.excess);
    let said = |step: &Step, key: WalkText| {
        let over = step.excess.unwrap_or(Micros::ZERO);
        let share = significant(100.0 * over.0 as f64 / chosen.excess.0.max(1) as f64, 0);
        say(key, &[&step.name, &ms(over), &share])
    };
    let conclusion = match (explains, largest) {
        (Some(step), _) if step.stage == Stage::Unattributed => {
            format!("{} {}", said(step, WalkText::Explained), WalkText::EvidenceEnds.get(lang))
        }
        (Some(step), _) => said(step, WalkText::Explained),
        (None, Some(step)) => said(step, WalkText::Unexplained),
        (None, None) => String::new(),
    };
    Walk {
        id,
        state: if explains.is_some() { State::Explained } else { State::Unexplained },
        symptom: say(WalkText::Slow, &[&number, name, &total, &excess, &median, &n]),
        wait: Some(chosen.split.wait),
        excess: Some(chosen.excess),
        explained_by: explains.map(|s| s.stage),
        conclusion,
        steps,
    }
}

/// The first of these waits that the request has and that enough others have with the same evidence.
fn compared(run: &Run, waits: &mut Waits, trace: &Trace, of: &[Wait]) -> Result<Compared, Without> {
    let mut without = None;
    for wait in of {
        let split = match waits.split(trace, *wait) {
            Ok(split) => split,
            Err(why) => {
                without.get_or_insert(Without::Parts(why));
                continue;
            }
        };
        let usual = waits.usual(run, trace, *wait);
        if usual.n < ENOUGH {
            without = Some(Without::Others(usual.n));
            continue;
        }
        return Ok(Compared { excess: split.total - usual.median, split, usual });
    }
    Err(without.unwrap_or(Without::Parts(Absence::NotReached)))
}

fn step(stage: Stage, of: &Compared, trace: &Trace, beside: u32, ms: &dyn Fn(Micros) -> String, lang: Lang) -> Step {
    let unknown = |evidence: &str| Step {
        stage,
        name: stage.name(lang),
        value: None,
        median: None,
        excess: None,
        verdict: StepVerdict::CantTell,
        evidence: evidence.to_owned(),
    };
    let missing = match stage {
        Stage::Render => match of.split.wait {
            Wait::FirstVisible | Wait::CompleteVisible => None,
            wait => Some(not_seen(trace, wait)),
        },
        Stage::Server(None) => Some(Absence::NoServerReport),
        Stage::Server(Some(_)) | Stage::Unattributed => None,
        Stage::Return | Stage::Stamped(..) | Stage::Ingress | Stage::Outbound => None,
        Stage::BeforeRequest => trace.marks.get(Mark::RequestStart).err(),
        Stage::ClientQueue => trace.marks.get(Mark::Intended).err(),
    };
    if let Some(why) = missing {
        return unknown(absence(lang, why));
    }
    let value = stage.value(&of.split);
    let median = of.usual.of(stage);
    let excess = value - median;
    let explains = 2 * excess.0 >= of.excess.0;
    Step {
        value: Some(value),
        median: Some(median),
        excess: Some(excess),
        verdict: if explains { StepVerdict::Explains } else { StepVerdict::DoesNot },
        ..unknown(&evidence(stage, &of.split, trace, beside, ms, lang))
    }
}

/// Why the way to the screen is not part of this wait.
fn not_seen(trace: &Trace, wait: Wait) -> Absence {
    let paint = if wait.is_first() { trace.first_visible } else { trace.complete_visible };
    match paint {
        Err(why) => why,
        Ok(seen) if seen.value.is_none() => Absence::BoundsOnly,
        // Seen, but by too few others.
        Ok(_) => Absence::TooFew,
    }
}

/// What is known of a stage besides its length.
fn evidence(stage: Stage, split: &Split, trace: &Trace, beside: u32, ms: &dyn Fn(Micros) -> String, lang: Lang) -> String {
    let wait = split.wait;
    let say = |key: WalkText, values: &[&str]| fill(key.get(lang), values);
    let under_way = || say(WalkText::UnderWay, &[&beside.to_string()]);
    match stage {
        Stage::Render => {
            let blocked = if wait.is_first() { trace.flags.blocked_first } else { trace.flags.blocked };
            if blocked > Micros::ZERO { say(WalkText::Blocked, &[&ms(blocked)]) } else { say(WalkText::NotBlocked, &[]) }
        }
        Stage::Server(boundary) => {
            let spans = trace.spans.iter().filter(|s| Some(s.boundary) == boundary);
            let said = spans.map(|s| say(WalkText::Reported, &[&s.name, &s.raw, s.unit.code(), s.source.code()]));
            said.collect::<Vec<_>>().join("; ")
        }
        Stage::Unattributed => {
            let arrived = match wait {
                Wait::FirstOutput => Mark::FirstOutput,
                Wait::FirstAnswer => Mark::FirstAnswer,
                Wait::FirstVisible if trace.streamed() => Mark::FirstAnswer,
                Wait::FirstVisible | Wait::LastOutput => Mark::LastOutput,
                Wait::CompleteVisible => Mark::LastAnswer,
            };
            let marks = &trace.marks;
            let both = marks.between(Mark::RequestStart, Mark::FirstByte);
            let bytes = match both.and_then(|to| Ok((to, marks.between(Mark::FirstByte, arrived)?))) {
                Ok((to, from)) => say(WalkText::FirstByte, &[&ms(to), &ms(from)]),
                Err(why) => say(WalkText::NoFirstByte, &[absence(lang, why)]),
            };
            format!("{bytes}; {}", under_way())
        }
        Stage::BeforeRequest => {
            let network = trace.network.as_ref().ok();
            let times = network.and_then(|n| Some((n.connect_end? - n.connect_start?, n.queued()?)));
            let wire = times.map(|(connecting, queued)| say(WalkText::Wire, &[&ms(connecting), &ms(queued)]));
            wire.into_iter().chain([under_way()]).collect::<Vec<_>>().join("; ")
        }
        Stage::Return | Stage::Stamped(..) | Stage::Ingress | Stage::Outbound => {
            let bound = split.parts.iter().filter(|part| Stage::of(&part.kind) == stage).find_map(|part| part.bound);
            let stamped = bound.map_or_else(String::new, |bound| say(WalkText::Stamped, &[&ms(bound)]));
            [stamped, under_way()].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("; ")
        }
        Stage::ClientQueue => match trace.marks.between(Mark::Intended, Mark::Sent) {
            Ok(late) if late > Micros::ZERO => say(WalkText::SentLate, &[&ms(late)]),
            _ => say(WalkText::AtOnce, &[]),
        },
    }
}
