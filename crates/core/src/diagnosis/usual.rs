//! What is a request's wait compared with? The medians of requests with the same evidence, worked out once a run.

use std::sync::Arc;

use super::ENOUGH;
use super::case::middle;
use super::stage::Stage;
use crate::Micros;
use crate::align::Alignment;
use crate::gap::{Split, Wait, split_aligned};
use crate::mark::{Absence, Mark};
use crate::report::Run;
use crate::summary::clock_error;
use crate::trace::{Mode, Trace};

/// What the stages of a request mean: how it was measured, and what was reported, one bit for each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Evidence {
    mode: Mode,
    arm: u8,
    streamed: bool,
    known: [bool; 2],
    spans: u32,
    stages: u32,
}

impl Evidence {
    fn of(trace: &Trace) -> Evidence {
        Evidence {
            mode: trace.planned.mode,
            arm: trace.planned.arm,
            streamed: trace.streamed(),
            known: [Mark::Intended, Mark::RequestStart].map(|m| trace.marks.get(m).is_ok()),
            spans: trace.spans.iter().fold(0, |set, span| set | 1 << span.boundary as u32),
            stages: trace.stages.iter().flat_map(|s| s.stamped()).fold(0, |set, (stage, _)| set | 1 << stage as u32),
        }
    }
}

/// One wait of requests with the same evidence.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Usual {
    /// How many have it.
    pub n: usize,
    /// Its median.
    pub median: Micros,
    /// The stages that some of them have, each with its median.
    pub stages: Vec<(Stage, Micros)>,
}

impl Usual {
    /// The median of a stage; a stage that none of them has takes no time.
    pub fn of(&self, stage: Stage) -> Micros {
        self.stages.iter().find(|(met, _)| *met == stage).map_or(Micros::ZERO, |(_, median)| *median)
    }
}

/// The usual waits of one run that were asked for, each found once.
#[derive(Debug)]
pub(super) struct Waits {
    pub error: Micros,
    alignment: Alignment,
    found: Vec<(Evidence, Wait, Arc<Usual>)>,
}

impl Waits {
    pub fn of(run: &Run) -> Waits {
        Waits { error: clock_error(run), alignment: Alignment::of(run), found: Vec::new() }
    }

    /// The parts of a request's wait.
    pub fn split(&self, trace: &Trace, wait: Wait) -> Result<Split, Absence> {
        split_aligned(trace, wait, self.error, &self.alignment)
    }

    /// The same wait of requests that can be compared with this one. `run` is the run that this is of.
    pub fn usual(&mut self, run: &Run, trace: &Trace, wait: Wait) -> Arc<Usual> {
        let evidence = Evidence::of(trace);
        if let Some((_, _, usual)) = self.found.iter().find(|(e, w, _)| (*e, *w) == (evidence, wait)) {
            return Arc::clone(usual);
        }
        let usual = Arc::new(self.work_out(run, evidence, wait));
        self.found.push((evidence, wait, Arc::clone(&usual)));
        usual
    }

    fn work_out(&self, run: &Run, evidence: Evidence, wait: Wait) -> Usual {
        let is_peer = |t: &&Trace| !t.planned.warmup && t.outcome.ended() && Evidence::of(t) == evidence;
        let mut totals = Vec::new();
        let mut stages: Vec<(Stage, Vec<Micros>)> = Vec::new();
        for split in run.traces.iter().filter(is_peer).filter_map(|t| self.split(t, wait).ok()) {
            totals.push(split.total);
            for (at, part) in split.parts.iter().enumerate() {
                let stage = Stage::of(&part.kind);
                let met = split.parts[..at].iter().any(|before| Stage::of(&before.kind) == stage);
                if met {
                    continue;
                }
                let length = stage.value(&split);
                match stages.iter_mut().find(|(known, _)| *known == stage) {
                    Some((_, lengths)) => lengths.push(length),
                    None => stages.push((stage, vec![length])),
                }
            }
        }
        let n = totals.len();
        if n < ENOUGH {
            return Usual { n, median: Micros::ZERO, stages: Vec::new() };
        }
        let with_the_others = |mut lengths: Vec<Micros>| {
            // A stage of no length is not listed among the parts.
            lengths.resize(n, Micros::ZERO);
            middle(lengths)
        };
        let stages = stages.into_iter().map(|(stage, lengths)| (stage, with_the_others(lengths))).collect();
        Usual { n, median: middle(totals), stages }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::arbitrary_run;
    use super::*;
    use crate::diagnosis::case;
    use crate::stats::{P50, nearest_rank};
    use proptest::prelude::*;

    /// What stages mean, spelled out.
    fn evidence(t: &Trace) -> impl PartialEq + use<> {
        let known = [Mark::Intended, Mark::RequestStart].map(|m| t.marks.get(m).is_ok());
        let mut spans: Vec<_> = t.spans.iter().map(|s| s.boundary).collect();
        spans.sort_unstable();
        spans.dedup();
        let stages: Vec<_> = t.stages.iter().flat_map(|s| s.stamped().map(|(stage, _)| stage)).collect();
        (t.planned.mode, t.planned.arm, t.streamed(), known, spans, stages)
    }

    fn sorted_median(times: impl Iterator<Item = Micros>) -> Micros {
        let mut times: Vec<Micros> = times.collect();
        times.sort_unstable();
        nearest_rank(&times, P50).unwrap_or(Micros::ZERO)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// Every request's peers, gone through one by one and sorted, give the same.
        #[test]
        fn what_is_worked_out_once_is_what_each_request_would_find(seed in any::<u64>()) {
            let run = arbitrary_run(seed);
            let mut waits = Waits::of(&run);
            for trace in run.traces.iter().take(20) {
                for wait in [Wait::FirstOutput, Wait::FirstAnswer, Wait::FirstVisible, Wait::LastOutput, Wait::CompleteVisible] {
                    let peers = run.traces.iter().filter(|t| !t.planned.warmup && t.outcome.ended());
                    let alike = peers.filter(|t| evidence(t) == evidence(trace));
                    let splits: Vec<Split> = alike.filter_map(|t| waits.split(t, wait).ok()).collect();
                    let usual = waits.usual(&run, trace, wait);
                    prop_assert_eq!(usual.n, splits.len());
                    if usual.n < ENOUGH {
                        continue;
                    }
                    prop_assert_eq!(usual.median, sorted_median(splits.iter().map(|s| s.total)));
                    let mut met: Vec<Stage> = splits.iter().flat_map(|s| s.parts.iter().map(|p| Stage::of(&p.kind))).collect();
                    met.push(Stage::Render);
                    for stage in met {
                        prop_assert_eq!(usual.of(stage), sorted_median(splits.iter().map(|s| stage.value(s))), "{:?}", stage);
                    }
                }
            }
        }

        /// One request's neighbours, counted alone, are those that all together would show.
        #[test]
        fn neighbours_of_one_are_those_of_all(seed in any::<u64>()) {
            let run = arbitrary_run(seed);
            let all = case::under_way(&run.traces);
            for trace in &run.traces {
                prop_assert_eq!(case::beside(&run.traces, trace), all.get(&trace.planned.id).copied().unwrap_or(0));
            }
        }
    }
}
