//! Lessons on the parts of one response.

use super::{Check, ENGINE, Figure, Plan, Step, later, median};
use crate::gap::Wait;
use crate::lesson::endpoint::{Model, Stream};
use crate::metrics::Metric;
use crate::stats::P50;
use crate::text::Les;

/// 300 ms to the first of 60 tokens, 1,480 ms to the last.
pub(super) fn first_token() -> Plan {
    let answer = Stream { ttft: 300, gap: 20, tokens: 60 };
    let checks = vec![
        median(Les::FirstTokenCame, 0, Metric::Ttft, answer.ttft),
        median(Les::LastTokenCame, 0, Metric::EndToEnd, answer.last()),
        Check::difference(Les::BetweenFirstAndLast, super::figure(0, Metric::Generation, P50), answer.generation()),
    ];
    Plan { steps: vec![Step::new(Les::StepStreamed, answer.endpoint(), 12, 3)], checks }
}

/// The same answer streamed and whole, in pairs.
pub(super) fn streaming() -> Plan {
    let answer = Stream { ttft: 400, gap: 25, tokens: 40 };
    let checks = vec![
        Check::difference(Les::CompletionDiffers, Figure::Paired { run: 0, metric: Metric::EndToEnd }, 0),
        Check::difference(
            Les::FirstWordsDiffer,
            Figure::Modes { run: 0, metric: Metric::FirstVisible, p: P50 },
            answer.ttft - answer.last(),
        ),
    ];
    Plan { steps: vec![Step::new(Les::StepPairs, answer.endpoint(), 8, 2).both()], checks }
}

/// One model three times: alone, behind a queue, behind a check that holds its answer back.
pub(super) fn not_only_model() -> Plan {
    let model = Model { step: 15_000, per_sequence: 0, per_token_read: 1_000, input: 185, tokens: 40 };
    let held = 20;
    let waits_for = (held - 1) * model.step(1);
    // Of two who ask one after the other, each waits until the other one is done.
    let queue = model.last();
    let alone = model.alone(ENGINE, 3);
    let one_by_one = model.endpoint(ENGINE).with("max_batch", 1).with("spans", "queue,prefill,decode");
    let steps = vec![
        Step::new(Les::StepModelAlone, alone.clone(), 9, 3),
        Step::new(Les::StepBehindQueue, one_by_one, 9, 2),
        Step::new(Les::StepBehindCheck, alone.with("holdback_tokens", held), 9, 3),
    ];
    let checks = vec![
        median(Les::ModelAloneTook, 0, Metric::EndToEnd, model.last()),
        later(Les::QueueDelaysFirst, (0, 1), Metric::Ttft, queue),
        later(Les::QueueDelaysLast, (0, 1), Metric::EndToEnd, queue),
        Check::difference(Les::QueueReported, Figure::Reported { run: 1, name: "queue" }, queue),
        later(Les::CheckDelaysFirst, (0, 2), Metric::Ttft, waits_for),
        later(Les::CheckDelaysLast, (0, 2), Metric::EndToEnd, 0),
    ];
    Plan { steps, checks }
}

/// 1,400 ms, of which the server reports 720.
pub(super) fn unattributed() -> Plan {
    let (answer, reported) = (Stream { ttft: 450, gap: 50, tokens: 20 }, 720);
    let endpoint = answer.endpoint().with("component", format!("model_container:{reported}"));
    let figure = Figure::Reported { run: 0, name: "model_container" };
    let checks = vec![
        median(Les::LastTokenCame, 0, Metric::EndToEnd, answer.last()),
        Check::between(Les::ContainerReported, figure, reported, reported, reported),
        Check::time(Les::RestUnattributed, Figure::Outside { run: 0, wait: Wait::LastOutput }, answer.last() - reported),
        median(Les::WayTook, 0, Metric::FirstEvent, 0),
    ];
    Plan { steps: vec![Step::new(Les::StepStreamed, endpoint, 9, 3)], checks }
}
