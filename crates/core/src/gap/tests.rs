//! Parts against stamps whose truth is known, and sums that hold for whatever comes.

use super::*;
use crate::align::{Probe, Probes};
use crate::mark::Mark;
use crate::server_report::{Boundary, Source, Span, Stage, Stages, Unit};
use crate::summary::fixture::trace;
use crate::summary::{part_lines, parts_sentence};
use crate::text::Lang;
use crate::trace::Shape;
use proptest::prelude::*;

/// The server's clock is ahead by 5,000 ms and joined to ±0.1 ms.
fn alignment() -> Alignment {
    let at = |sent: i64| Probe {
        sent: Micros::ms(sent),
        received: Micros::ms(sent) + Micros(300),
        server_received: Micros::ms(sent + 5_000) + Micros(100),
        server_sent: Micros::ms(sent + 5_000) + Micros(200),
        clock: "a".into(),
    };
    Alignment::from_probes(&Probes { before: vec![at(0)], after: vec![at(9_000)] }, Micros::ZERO)
}

/// Stages in ms after `sent` (which is at 1,000 ms), on the server's clock.
fn stages(times: &[(Stage, i64)]) -> Option<Box<Stages>> {
    let mut stages = Stages::of("a");
    times.iter().for_each(|(stage, ms)| stages.set(*stage, Micros::ms(1_000 + 5_000 + ms)));
    Some(Box::new(stages))
}

fn named(split: &Split) -> Vec<(String, i64, i64)> {
    let name = |kind: &PartKind| format!("{kind:?}").split([' ', '{']).next().unwrap_or_default().to_owned();
    split.parts.iter().map(|p| (name(&p.kind), p.value.0, p.bound.map_or(-1, |b| b.0))).collect()
}

fn parts(split: &Split, want: &[(&str, i64, i64)]) {
    let want: Vec<_> = want.iter().map(|(name, us, bound)| ((*name).to_owned(), *us, *bound)).collect();
    assert_eq!(named(split), want);
    assert_eq!(split.parts.iter().map(|p| p.value).sum::<Micros>(), split.total);
}

#[test]
fn the_way_out_ingress_and_the_way_back_are_told_apart() {
    let mut trace = trace(0, 100);
    trace.stages = stages(&[
        (Stage::Received, 20),
        (Stage::Queued, 23),
        (Stage::Started, 43),
        (Stage::FirstToken, 90),
        (Stage::LastToken, 190),
    ]);
    let first = split_aligned(&trace, Wait::FirstAnswer, Micros(10), &alignment()).expect("parts");
    // 100 µs of the probe's way, and 10 µs of the clocks that stamp the request.
    parts(
        &first,
        &[
            ("Outbound", 20_000, 110),
            ("Ingress", 3_000, 1),
            ("Stages", 20_000, -1),
            ("Stages", 47_000, -1),
            ("Return", 10_000, 110),
        ],
    );
    assert_eq!((first.has_report, first.reported(), first.unattributed()), (true, Micros::ms(67), Micros::ZERO));
    let last = split_aligned(&trace, Wait::LastOutput, Micros(10), &alignment()).expect("parts");
    assert_eq!(last.reported(), Micros::ms(167));
    parts(&last, &named(&last).iter().map(|(n, us, b)| (n.as_str(), *us, *b)).collect::<Vec<_>>());
    // What the browser tells of the request's leaving is no part of the way.
    trace.marks.set(Mark::RequestStart, Micros::ms(1_005));
    let left = split_aligned(&trace, Wait::FirstAnswer, Micros(10), &alignment()).expect("parts");
    assert_eq!(named(&left)[..2], [("BeforeRequest".into(), 5_000, -1), ("Outbound".into(), 15_000, 110)]);
    let lines = part_lines(&left, Micros(5), Lang::En);
    assert_eq!((lines[1].role.code(), lines[1].name.as_str()), ("way", "outbound: from the browser to the server (±0.11 ms)"));
    assert_eq!(
        (lines[2].role.code(), lines[2].name.as_str()),
        ("server", "ingress: in the server, before it counts (±0.01 ms)")
    );
    assert_eq!(lines[3].name, "server: queued → started");
    assert_eq!(lines.last().map(|l| (l.from, l.to)), Some((Micros::ms(90), Micros::ms(100))));
}

#[test]
fn without_a_joined_clock_one_block_stays() {
    let mut trace = trace(0, 100);
    trace.spans.clear();
    trace.stages = stages(&[(Stage::Received, 20), (Stage::Queued, 23), (Stage::FirstToken, 90), (Stage::LastToken, 190)]);
    let unjoined = split(&trace, Wait::FirstAnswer, Micros(10)).expect("parts");
    parts(&unjoined, &[("Stages", 67_000, -1), ("Unattributed", 33_000, -1)]);
    trace.stages.as_mut().expect("stages").clock = "b".into();
    assert_eq!(split_aligned(&trace, Wait::FirstAnswer, Micros(10), &alignment()).expect("parts"), unjoined);
    // A comparable span says more than nothing, and nothing is counted twice.
    trace.spans = crate::summary::fixture::trace(0, 100).spans;
    let spans = split(&trace, Wait::FirstAnswer, Micros(10)).expect("parts");
    parts(&spans, &[("Server", 60_000, -1), ("Unattributed", 40_000, -1)]);
}

#[test]
fn what_was_not_stamped_stays_unattributed() {
    let mut trace = trace(0, 100);
    trace.stages = stages(&[(Stage::Received, 20)]);
    let early = split_aligned(&trace, Wait::FirstAnswer, Micros(10), &alignment()).expect("parts");
    parts(&early, &[("Outbound", 20_000, 110), ("Server", 60_000, -1), ("Unattributed", 20_000, -1)]);
    // Reasoning came first: the first token is not what was waited for.
    trace.stages = stages(&[(Stage::Received, 20), (Stage::FirstToken, 30)]);
    trace.marks.set(Mark::FirstOutput, Micros::ms(1_040));
    let answer = split_aligned(&trace, Wait::FirstAnswer, Micros(10), &alignment()).expect("parts");
    assert_eq!(named(&answer).last(), Some(&("Unattributed".to_owned(), 20_000, -1)));
    trace.stages = stages(&[(Stage::Received, 20), (Stage::FirstToken, 30), (Stage::FirstAnswer, 95)]);
    let answer = split_aligned(&trace, Wait::FirstAnswer, Micros(10), &alignment()).expect("parts");
    parts(&answer, &[("Outbound", 20_000, 110), ("Stages", 10_000, -1), ("Stages", 65_000, -1), ("Return", 5_000, 110)]);
}

#[test]
fn a_part_more_negative_than_its_bound_is_flagged() {
    let mut trace = trace(0, 100);
    let mut with = |received_us: i64, first_us: i64| {
        let mut stages = Stages::of("a");
        stages.set(Stage::Received, Micros(6_000_000 + received_us));
        stages.set(Stage::FirstToken, Micros(6_000_000 + first_us));
        trace.stages = Some(Box::new(stages));
        split_aligned(&trace, Wait::FirstAnswer, Micros(10), &alignment())
    };
    let within = with(-110, 100_110).expect("within the bound");
    parts(&within, &[("Outbound", -110, 110), ("Stages", 100_220, -1), ("Return", -110, 110)]);
    let lines = part_lines(&within, Micros(5), Lang::En);
    assert!(lines.windows(2).all(|w| w[0].to == w[1].from) && lines.iter().all(|l| l.from <= l.to));
    assert_eq!(lines.last().map(|l| l.to), Some(Micros::ms(100)));
    assert_eq!(with(-111, 50_000), Err(Absence::Inconsistent));
    assert_eq!(with(0, 100_111), Err(Absence::Inconsistent));
    assert_eq!(with(60_000, 50_000), Err(Absence::Inconsistent));
}

#[test]
fn the_worked_example_never_names_a_network() {
    let trace = crate::metrics::tests::worked_example();
    for wait in [Wait::FirstOutput, Wait::FirstAnswer, Wait::LastOutput] {
        // Probes of the server's clock change nothing without stamps of the request's own.
        let split = split_aligned(&trace, wait, Micros::ZERO, &alignment()).expect("parts");
        assert!(split.parts.iter().all(|p| matches!(p.kind, PartKind::Server { .. } | PartKind::Unattributed)));
        for lang in Lang::ALL {
            let said = parts_sentence(&split, Micros(5), lang).to_lowercase();
            assert!(!said.contains("network") && !said.contains("네트워크"), "{said}");
        }
        if wait == Wait::LastOutput {
            assert_eq!((split.reported(), split.unattributed()), (Micros::ms(720), Micros::ms(680)));
            let said = parts_sentence(&split, Micros(5), Lang::En);
            assert!(said.contains("server: model_container 720 ms") && said.contains("unattributed 680 ms"), "{said}");
        }
    }
}

prop_compose! {
    /// A request with any subset of stamps and reports, consistent or not.
    fn any_trace()(
        first in 1_i64..2_000,
        marks in (any::<bool>(), 0_i64..50, any::<bool>(), 0_i64..30, 0_i64..40),
        stamps in prop::collection::vec(prop::option::of(-20_i64..4_000), 7),
        spans in prop::collection::vec((0_usize..10, 0_i64..1_500_000), 0..4),
        sorted in any::<bool>(),
        streamed in any::<bool>(),
        paint in prop::option::of(0_i64..20_000),
        clock in prop::sample::select(vec!["a", "b"]),
    ) -> Trace {
        let mut trace = trace(0, first);
        let (open, early, timed, before, reasoning) = marks;
        if open {
            trace.marks.set(Mark::Intended, Micros::ms(1_000 - early));
        }
        if timed {
            trace.marks.set(Mark::RequestStart, Micros::ms(995 + before));
        }
        trace.marks.set(Mark::FirstOutput, Micros::ms(1_000 + (first - reasoning).max(0)));
        trace.shape = Some(if streamed { Shape::Stream } else { Shape::Whole });
        if let Some(after) = paint {
            let seen = |at: i64| crate::paint::Seen {
                method: crate::paint::Method::ElementTiming,
                earliest: Micros(at),
                latest: Some(Micros(at)),
                value: Some(Micros(at)),
            };
            trace.first_visible = Ok(seen((1_000 + first) * 1_000 + after));
            trace.complete_visible = Ok(seen((1_000 + 2 * first) * 1_000 + after));
        }
        let mut stamps = stamps;
        if sorted {
            stamps.sort_unstable();
        }
        let mut stages = Stages::of(clock);
        for (stage, at) in Stage::ALL.into_iter().zip(stamps) {
            if let Some(at) = at {
                stages.set(stage, Micros::ms(6_000 + at));
            }
        }
        trace.stages = Some(Box::new(stages));
        trace.spans = spans.iter().map(|(boundary, us)| Span {
            name: boundary.to_string(),
            description: None,
            raw: us.to_string(),
            unit: Unit::Us,
            value: Micros(*us),
            source: Source::BodyField,
            boundary: Boundary::ALL[*boundary],
            before_end: false,
        }).collect();
        trace
    }
}

proptest! {
    #[test]
    fn parts_sum_to_the_whole_for_every_trace(trace in any_trace(), error in 0_i64..100_000) {
        let error = Micros(error);
        for wait in [Wait::FirstOutput, Wait::FirstAnswer, Wait::FirstVisible, Wait::LastOutput, Wait::CompleteVisible] {
            for alignment in [Alignment::default(), alignment()] {
                let Ok(split) = split_aligned(&trace, wait, error, &alignment) else { continue };
                prop_assert_eq!(split.parts.iter().map(|p| p.value).sum::<Micros>(), split.total);
                let ways = split.parts.iter().filter(|p| matches!(p.kind, PartKind::Outbound { .. } | PartKind::Return)).count();
                let joined = trace.stages.as_ref().is_some_and(|s| alignment.offset(s).is_ok());
                prop_assert!(ways == 0 || joined, "{:?}", split);
                // What was shown before it came is flagged elsewhere.
                for part in split.parts.iter().filter(|part| part.kind != PartKind::Render) {
                    let bound = part.bound.unwrap_or(if part.kind == PartKind::Unattributed { error } else { Micros::ZERO });
                    prop_assert!(part.value.0 >= -bound.0, "{:?}", part);
                }
            }
        }
    }
}
