//! Whatever the traces, every rule speaks, in both languages, and no text keeps an empty place.

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;
use crate::config::ModeChoice;
use crate::gap::split;
use crate::load::{Over, Shape as LoadShape, Spacing, Versus, What};
use crate::mark::Absence;
use crate::outcome::Outcome;
use crate::paint::{Method, Seen};
use crate::server_report::{Access, Boundary, Source, Span, Unit};
use crate::summary::clock_error;
use crate::trace::{Mode, Shape, Usage};

/// What an unfilled place of a template begins with.
const OPEN: char = '{';

struct Dice(Xoshiro256PlusPlus);

impl Dice {
    fn below(&mut self, n: i64) -> i64 {
        self.0.random_range(0..n)
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as i64) as usize].clone()
    }

    fn chance(&mut self) -> bool {
        self.below(2) == 0
    }

    fn time(&mut self) -> Micros {
        let most = self.one(&[3, 1000, 1_000_000, 1_000_000_000_000]);
        Micros(self.below(most))
    }

    fn paint(&mut self) -> crate::paint::Paint {
        if self.chance() {
            return Err(self.one(&[Absence::Hidden, Absence::NotInPaintedSubset, Absence::NotReached]));
        }
        let (earliest, bound) = (self.time(), self.time());
        let latest = self.chance().then_some(earliest + bound);
        Ok(Seen { method: Method::ElementTiming, earliest, latest, value: latest.filter(|_| bound.0 % 2 == 0) })
    }

    fn trace(&mut self, id: u32) -> Trace {
        let mut t = fixture::trace(id, 1 + self.below(1000));
        for mark in Mark::ALL {
            match self.below(4) {
                0 => t.marks.set(mark, self.time()),
                1 => t.marks.withdraw(mark, Absence::NotReached),
                _ => {}
            }
        }
        (t.first_visible, t.complete_visible) = (self.paint(), self.paint());
        let (n, same) = (self.below(8), self.chance());
        let read =
            |d: &mut Dice| Read { at: d.time(), bytes: 9, events: 1, output_events: if same { 8 } else { d.below(9) as u32 } };
        t.reads = (0..n).map(|_| read(self)).collect();
        t.reads.sort_by_key(|r| r.at);
        t.shape = self.one(&[None, Some(Shape::Stream), Some(Shape::Stream), Some(Shape::Whole), Some(Shape::Prediction)]);
        t.outcome = self.one(&[
            Outcome::Complete,
            Outcome::Complete,
            Outcome::Complete,
            Outcome::Timeout,
            Outcome::Cut,
            Outcome::Frozen,
            Outcome::HttpError { status: 500 },
        ]);
        t.last_known = self.time();
        t.planned.mode = self.one(&[Mode::Streaming, Mode::NonStreaming]);
        (t.planned.pair, t.planned.stage, t.planned.arm) = (Some(id / 2), self.below(2) as u32, self.below(2) as u8);
        (t.planned.warmup, t.flags.hidden_during) = (self.below(9) == 0, self.below(9) == 0);
        (t.flags.blocked, t.flags.blocked_first) = (self.time(), self.time());
        t.spans = (0..self.below(4)).map(|_| self.span()).collect();
        if self.chance() {
            let encoding = self.one(&[None, Some("gzip"), Some("identity")]);
            let cross = self.chance();
            reply(&mut t, cross, encoding);
        }
        t.server_timing_access = self.one(&[Access::Read, Access::NotSent, Access::HiddenOrNotSent, Access::NoResponse]);
        if self.chance() {
            let maybe = |d: &mut Dice| d.chance().then(|| d.time());
            let timing = NetworkTiming {
                start: Micros(5),
                fetch_start: maybe(self),
                connect_start: maybe(self),
                connect_end: maybe(self),
                request_start: maybe(self),
                first_byte: maybe(self),
                ..NetworkTiming::default()
            };
            let protocol = self.one(&[None, Some("h2".to_owned()), Some("http/1.1".to_owned())]);
            t.network = Ok(NetworkTiming { protocol, encoded_bytes: Some(self.below(99) as u64), ..timing });
        }
        let count = |d: &mut Dice| d.chance().then(|| d.below(100) as u64);
        t.usage = Some(Usage { input: count(self), output: count(self), reasoning: None, cached: count(self) });
        t
    }

    fn span(&mut self) -> Span {
        Span {
            name: self.one(&["a", "b"]).to_owned(),
            description: None,
            raw: "1".to_owned(),
            unit: self.one(&Unit::ALL),
            value: self.time(),
            source: Source::BodyField,
            boundary: self.one(&Boundary::ALL),
            before_end: true,
        }
    }

    fn run(&mut self) -> Run {
        let n = self.one(&[0, 1, 7, 20, 80]);
        let mut run = fixture::run((0..n).map(|id| self.trace(id)).collect());
        run.config.mode = self.one(&[ModeChoice::Streaming, ModeChoice::Both]);
        let sweep = |over| LoadShape::Sweep { over, levels: vec![1.0, 2.0], settle_ms: 0, spacing: Spacing::Even };
        let open = LoadShape::Open { per_second: 1.0, spacing: Spacing::Even };
        run.config.load.shape = self.one(&[LoadShape::Closed, open, sweep(Over::Rate), sweep(Over::Concurrency)]);
        run.config.versus = self.chance().then_some(Versus { what: What::Cache, one_in: 2 });
        run.environment.frame_interval_us = self.one(&[None, Some(16_667), Some(40_000)]);
        run
    }
}

/// Any run.
pub(in super::super) fn arbitrary_run(seed: u64) -> Run {
    Dice(Xoshiro256PlusPlus::seed_from_u64(seed)).run()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_rule_speaks_of_every_run(seed in any::<u64>()) {
        let run = arbitrary_run(seed);
        let summary = Summary::of(&run);
        for lang in Lang::ALL {
            let findings = diagnose(&run, &summary, lang);
            let mut rules: Vec<Rule> = findings.iter().map(|f| f.rule).collect();
            rules.sort_unstable();
            rules.dedup();
            prop_assert_eq!(rules.len(), Rule::ALL.len());
            prop_assert!(findings.windows(2).all(|w| w[0].verdict <= w[1].verdict));
            for f in &findings {
                prop_assert!(!f.evidence.is_empty() && !f.evidence.contains(OPEN) && !f.advice.contains(OPEN), "{:?}", f);
                prop_assert_eq!(f.advice.is_empty(), f.verdict != Verdict::Found);
                prop_assert!(f.share.is_none_or(|share| (0.0..=1.0).contains(&share)), "{:?}", f);
                prop_assert!(f.requests.iter().all(|id| run.traces.iter().any(|t| t.planned.id == *id)));
            }
            let section = crate::sections::diagnosis(&run, &Summary::of(&run), lang);
            prop_assert_eq!(section.is_none(), run.traces.iter().all(|t| t.planned.warmup));
        }
    }

    #[test]
    fn every_request_can_be_walked_and_its_stages_add_up(seed in any::<u64>()) {
        let run = arbitrary_run(seed);
        let mut walks = Walks::new(&run);
        for trace in run.traces.iter().take(12) {
            for lang in Lang::ALL {
                let walked = walk(&run, trace.planned.id, lang);
                prop_assert_eq!(&walks.walk(trace.planned.id, lang), &walked, "what is kept changes nothing");
                prop_assert!(!walked.symptom.is_empty() && !walked.symptom.contains(OPEN), "{:?}", walked);
                prop_assert!(!walked.conclusion.contains(OPEN));
                prop_assert_eq!(walked.explained_by.is_some(), walked.state == State::Explained);
                if !walked.steps.is_empty() {
                    let wait = walked.wait.expect("a wait");
                    let whole = split(trace, wait, clock_error(&run)).expect("parts");
                    // Without the instant at which it went out, a mark of it can't be a part either.
                    prop_assert_eq!(walked.steps.iter().filter_map(|s| s.value).sum::<Micros>(), whole.total);
                }
            }
        }
    }
}
