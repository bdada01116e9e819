//! Every lesson on exact runs: borne out by the schedule that it predicts from, refuted by another, and open where too little
//! is known. What the schedule says is written down here a second time, by hand.

use super::fixture::{Reply, runs};
use super::*;
use crate::outcome::Outcome;
use crate::report::Run;
use crate::server_report::Boundary;
use crate::stop_rule::StopRule;
use crate::text::Lang;
use crate::trace::{Mode, Planned, Shape};

/// What the browser and the way add, in ms.
const ADDED: i64 = 3;

/// The reply to a request of a step, as the endpoint's parameters have it.
fn exact(lesson: Lesson, step: usize, planned: &Planned) -> Reply {
    let streamed = |first: i64, last: i64, tokens: u64| Reply::streamed(first + ADDED, last + ADDED, tokens);
    // Sixteen texts in one request.
    let embeddings = |ms| Reply { shape: Shape::Prediction, items: 16, ..streamed(ms, ms, 0) };
    let with = |name, ms, boundary, reply: Reply| Reply { spans: vec![(name, ms, boundary)], ..reply };
    match (lesson, step) {
        (Lesson::FirstToken, _) => streamed(300, 1480, 60),
        (Lesson::Streaming, _) => streamed(400, 1375, 40),
        (Lesson::NotOnlyModel, 0) => streamed(200, 785, 40),
        (Lesson::NotOnlyModel, 1) => with("queue", 785, Boundary::Queue, streamed(985, 1570, 40)),
        (Lesson::NotOnlyModel, _) => streamed(485, 785, 40),
        (Lesson::NoSingleNumber, 0) => streamed(20, 410, 40),
        (Lesson::NoSingleNumber, 1) => streamed(20, 1210, 120),
        (Lesson::NoSingleNumber, 2) => streamed(320, 710, 40),
        (Lesson::NoSingleNumber, 3) => streamed(72, 926, 40),
        (Lesson::NoSingleNumber, _) => streamed(80, 1640, 40),
        (Lesson::Batching, 0) => streamed(55, 490, 30),
        (Lesson::Batching, 1) => streamed(115, 690, 30),
        (Lesson::Batching, 2) => streamed(205, 1070, 30),
        (Lesson::Batching, _) => streamed(295, 1450, 30),
        (Lesson::Tail, _) if planned.case == 7 => streamed(60, 1555, 300),
        (Lesson::Tail, _) => streamed(60, 105, 10),
        (Lesson::Concurrency, 0) => streamed(40, 90, 11),
        (Lesson::Concurrency, _) => streamed(400, 450, 11),
        (Lesson::Cold, 0) => streamed(1570, 1860, 30),
        (Lesson::Cold, _) => streamed(20, 310, 30),
        (Lesson::Unattributed, _) => with("model_container", 720, Boundary::Component, streamed(450, 1400, 20)),
        (Lesson::Offline, 0) => embeddings(400),
        // Six stand in line for the one slot.
        (Lesson::Offline, 1) => embeddings(900),
        (Lesson::Offline, 2) => streamed(400, 590, 20),
        (Lesson::Offline, _) => streamed(150, 340, 20),
    }
}

/// A server that contradicts the claim.
fn contrary(lesson: Lesson, step: usize, planned: &Planned) -> Reply {
    let reply = exact(lesson, step, planned);
    match lesson {
        Lesson::FirstToken => Reply { first: reply.last, ..reply },
        Lesson::Streaming if planned.mode == Mode::NonStreaming => Reply { last: 2 * reply.last, ..reply },
        Lesson::Unattributed => Reply { spans: vec![("model_container", 1390, Boundary::Component)], ..reply },
        Lesson::Offline => exact(lesson, step & 2, planned),
        Lesson::Tail => exact(lesson, step, &Planned { case: 0, ..*planned }),
        Lesson::Cold => exact(lesson, 1, planned),
        _ => exact(lesson, 0, planned),
    }
}

fn judged(lesson: Lesson, runs: &[Run]) -> Judgement {
    lesson.judge(&runs.iter().collect::<Vec<_>>())
}

#[test]
fn the_schedule_itself_bears_every_claim_out() {
    for lesson in Lesson::ALL {
        let judgement = judged(lesson, &runs(lesson, |step, planned| exact(lesson, step, planned)));
        for finding in &judgement.findings {
            assert_eq!(finding.answer, Answer::Holds, "{lesson:?}: {finding:?}");
        }
        assert_eq!(judgement.verdict, Verdict::BorneOut, "{lesson:?}");
        assert!(!judgement.findings.is_empty());
    }
}

#[test]
fn a_server_that_contradicts_it_refutes_every_claim() {
    for lesson in Lesson::ALL {
        let judgement = judged(lesson, &runs(lesson, |step, planned| contrary(lesson, step, planned)));
        assert_eq!(judgement.verdict, Verdict::NotBorneOut, "{lesson:?}: {judgement:?}");
    }
}

#[test]
fn what_was_not_finished_or_failed_tells_nothing() {
    for lesson in Lesson::ALL {
        assert_eq!(lesson.judge(&[]).verdict, Verdict::CantTell(Why::NotRun), "{lesson:?}");
        let whole = runs(lesson, |step, planned| exact(lesson, step, planned));
        let mut stopped = whole.clone();
        stopped.last_mut().expect("a run").stopped = true;
        assert_eq!(judged(lesson, &stopped).verdict, Verdict::CantTell(Why::NotRun), "{lesson:?}");
        let mut failed = whole.clone();
        let trace = failed[0].traces.iter_mut().find(|t| !t.planned.warmup).expect("a request");
        trace.outcome = Outcome::HttpError { status: 503 };
        let of = whole[0].traces.iter().filter(|t| !t.planned.warmup).count();
        assert_eq!(judged(lesson, &failed).verdict, Verdict::CantTell(Why::Failed { failed: 1, of }), "{lesson:?}");
    }
}

#[test]
fn too_few_requests_tell_nothing() {
    for lesson in [Lesson::FirstToken, Lesson::Streaming, Lesson::NotOnlyModel, Lesson::Unattributed, Lesson::Cold] {
        let mut few = runs(lesson, |step, planned| exact(lesson, step, planned));
        few.iter_mut().for_each(|run| run.traces.truncate(5));
        let verdict = judged(lesson, &few).verdict;
        assert!(matches!(verdict, Verdict::CantTell(Why::TooFew { at_least: 6, has: 1..=5 })), "{lesson:?}: {verdict:?}");
    }
}

#[test]
fn an_interval_over_the_edge_is_open() {
    // Half of the answers 50 ms later than what counts, so that nobody can tell where the middle is.
    let mixed = runs(Lesson::FirstToken, |_, planned| {
        let late = if planned.id % 2 == 0 { 0 } else { 160 };
        Reply::streamed(303, 1483 + late, 60)
    });
    assert_eq!(judged(Lesson::FirstToken, &mixed).verdict, Verdict::CantTell(Why::Undecided));
}

#[test]
fn a_run_that_a_rule_ends_is_the_last_and_is_marked() {
    let batches = runs(Lesson::Batching, |step, planned| exact(Lesson::Batching, step, planned));
    assert_eq!(batches.len(), 4);
    assert!(batches[..3].iter().all(|run| run.stopped_by.is_none()));
    let by = batches[3].stopped_by.expect("a rule");
    assert!(matches!(by.rule, StopRule::Keep(_)) && by.beyond == Some(by.seen), "{by:?}");
    let references: Vec<&Run> = batches.iter().collect();
    let table = levels_table(Lesson::Batching, &references, Lang::En).expect("a table");
    let column = |at: usize| table.rows.iter().map(|row| row[at].clone()).collect::<Vec<_>>();
    assert_eq!(column(0), ["1", "2", "4", "6"]);
    assert_eq!(column(3), ["58.0", "118", "208", "298"]);
    assert_eq!(column(4)[..3], ["held", "held", "held"]);
    assert!(column(4)[3].starts_with("▲ broken after 8 requests"), "{table:?}");
}

#[test]
fn every_run_can_be_made_and_is_of_one_seed() {
    for lesson in Lesson::ALL {
        assert_eq!(Lesson::from_code(lesson.code()), Some(lesson));
        let plan = lesson.plan();
        for step in &plan.steps {
            let config = step.config("http://localhost:8600/v1/chat/completions", "gap_ms=1", 17);
            assert_eq!(config.problems(&crate::config::Secrets::default(), "http://localhost:8600/"), [], "{lesson:?}");
            assert_eq!(config.seed, 17);
            assert!(config.url.contains("gap_ms=1"), "{}", config.url);
        }
        let needed = plan.checks.iter().flat_map(|check| check.figure.runs()).max().expect("a figure");
        assert!(needed < plan.steps.len(), "{lesson:?}");
    }
}

#[test]
fn predictions_stand_beside_what_was_measured_with_interval_and_context() {
    let lesson = Lesson::FirstToken;
    let before = &finding_lines(lesson, None, Lang::En)[2];
    assert_eq!((before.predicted.as_str(), before.counts.as_str()), ("1,180 ms", "counts from 1,080 ms to 1,280 ms"));
    assert_eq!((before.measured.as_str(), before.answer), ("not run yet", None));
    let whole = runs(lesson, |step, planned| exact(lesson, step, planned));
    let references: Vec<&Run> = whole.iter().collect();
    let judgement = lesson.judge(&references);
    let after = &finding_lines(lesson, Some((&judgement, &references)), Lang::En)[2];
    assert_eq!((after.measured.as_str(), after.spread.as_str()), ("1,180 ms", "95 % CI 1,180 ms, n = 12"));
    assert_eq!(after.answer, Some((Answer::Holds, "yes")));
    assert!(after.context.starts_with("first_output → last_output · http://localhost:1/"), "{}", after.context);
    assert!(after.context.contains("closed loop, 3 at once · p50"), "{}", after.context);
    assert_eq!(verdict_sentence(&judgement, Lang::En), "Every figure lies where it was predicted.");
    // Of a difference, what differs between its sides is said.
    let queue = Lesson::NotOnlyModel;
    let whole = runs(queue, |step, planned| exact(queue, step, planned));
    let references: Vec<&Run> = whole.iter().collect();
    let judgement = queue.judge(&references);
    let line = &finding_lines(queue, Some((&judgement, &references)), Lang::Ko)[1];
    assert_eq!(line.measured, "+785 ms");
    assert!(line.context.contains("max_batch=1"), "{}", line.context);
    assert_eq!(step_line(&queue.plan().steps[1], Lang::En), "behind a queue: 9 requests, 2 at once");
}
