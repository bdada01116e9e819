//! Lessons on what others do to a request: batches, queues, cold starts, jobs.

use serde_json::json;

use super::{Check, ENGINE, Endpoint, Figure, Plan, Step, figure, later, median, throughput};
use crate::config::{BodyChoice, ModeChoice};
use crate::lesson::PerSecond;
use crate::lesson::endpoint::{Model, Stream};
use crate::metrics::Metric;
use crate::slo::{Criterion, Relation, Subject};
use crate::stats::{P50, P95};
use crate::stop_rule::StopRule;
use crate::text::Les;

/// Sequences decoded together. Browsers open six connections to a server over HTTP/1.1, so that six is what all of them can ask.
const BATCHES: [(i64, Les); 4] = [(1, Les::StepBatch1), (2, Les::StepBatch2), (4, Les::StepBatch4), (6, Les::StepBatch6)];
/// Half of the first tokens must come within this, in ms.
const FIRST_WITHIN: i64 = 250;

/// A server whose step takes longer the more sequences are in it.
const BATCHING: Model = Model { step: 10_000, per_sequence: 5_000, per_token_read: 40, input: 1_000, tokens: 30 };

/// More and more users in one batch, until half of them wait too long for their first token.
pub(super) fn batching() -> Plan {
    let subject = Subject::Percentile(P50, Metric::Ttft);
    let rule = StopRule::Keep(Criterion { mode: None, subject, relation: Relation::Below, limit: FIRST_WITHIN * 1000 });
    let step = |(size, name): (i64, Les)| {
        let users = u32::try_from(size).unwrap_or(1);
        Step::new(name, BATCHING.endpoint(ENGINE), 12.max(6 * users), users).with(|config| config.stop_rules = vec![rule])
    };
    let [(one, _), _, (many, _), (most, _)] = BATCHES;
    let overall = |size: i64| (size * BATCHING.tokens) as f64 * 1000.0 / BATCHING.last_of(size) as f64;
    // n − 1 tokens come in the time of n − 1 steps.
    let each = |says, run, size: i64| {
        Check::rate(says, figure(run, Metric::OutputRate, P50), 1000.0 / BATCHING.step(size) as f64, 80, 105)
    };
    let checks = vec![
        throughput(Les::OverallAtOne, 0, PerSecond::Tokens, overall(one)),
        throughput(Les::OverallAtFour, 2, PerSecond::Tokens, overall(many)),
        each(Les::EachAtOne, 0, one),
        each(Les::EachAtFour, 2, many),
        Check::stopped(Les::RuleHeldAtFour, 2, false),
        Check::difference(Les::FirstAtSix, figure(3, Metric::Ttft, P50), BATCHING.first_of(most)),
        Check::stopped(Les::RuleFiredAtSix, 3, true),
    ];
    Plan { steps: BATCHES.map(step).to_vec(), checks }
}

/// Four slots: quick for one, and for twenty as slow as the line before them is long.
pub(super) fn concurrency() -> Plan {
    let (answer, slots, many) = (Stream { ttft: 40, gap: 5, tokens: 11 }, 4, 20);
    let endpoint = answer.endpoint().with("slots", slots).in_fresh_pool();
    let step = |name, at_once| Step::new(name, endpoint.clone(), 80, at_once);
    let alone = answer.last();
    // Little's law: of twenty under way all the time four are served.
    let together = alone * i64::from(many) / slots;
    let p95 = |run| figure(run, Metric::EndToEnd, P95);
    let difference = Figure::Runs { a: 0, b: 1, metric: Metric::EndToEnd, p: P95 };
    let checks = vec![
        Check::between(Les::TailAtOne, p95(0), alone, alone - 5, 3 * alone),
        Check::between(Les::TailAtTwenty, p95(1), together, together - 5, 2 * together),
        Check::from(Les::TailGrows, difference, together - alone, 2 * alone),
    ];
    Plan { steps: vec![step(Les::StepOneAtOnce, 1), step(Les::StepTwentyAtOnce, many)], checks }
}

/// A model that must be loaded first, and the same one a moment later.
pub(super) fn cold() -> Plan {
    let model = Model { step: 10_000, per_sequence: 0, per_token_read: 100, input: 100, tokens: 30 };
    let (start, load, first) = (500, 1000, 6);
    let endpoint = model.endpoint("cold").with("start_ms", start).with("load_ms", load);
    let cold = Step::new(Les::StepCold, endpoint.clone(), first, first).with(|config| config.warmup = 0);
    // All who wait for it are read in one step.
    let cold_first = start + load + model.step(1) + i64::from(first) * model.reading();
    let steps = vec![cold, Step::new(Les::StepWarm, endpoint, 12, 3)];
    let checks = vec![
        Check::difference(Les::FirstTokenCold, figure(0, Metric::Ttft, P50), cold_first),
        median(Les::FirstTokenWarm, 1, Metric::Ttft, model.first()),
        later(Les::WarmIsSooner, (0, 1), Metric::Ttft, model.first() - cold_first),
        later(Les::GenerationStays, (0, 1), Metric::Generation, 0),
    ];
    Plan { steps, checks }
}

/// Texts of one request of the job.
const TEXTS: i64 = 16;

/// One server that serves many at once and begins late, one that begins early and serves one: each job has its own better one.
pub(super) fn offline() -> Plan {
    let (wide, narrow) = ((400, 6), (150, 1));
    let server = |(ms, slots): (i64, i64)| Endpoint::new().with("ttft_ms", ms).with("slots", slots).in_fresh_pool();
    let chat = |of| server(of).with("gap_ms", 10).with("tokens", 20);
    // All vectors of a batch come together.
    let job = |of| server(of).with("gap_ms", 0).with("format", "embeddings");
    let items = |(ms, slots): (i64, i64)| (slots * TEXTS) as f64 * 1000.0 / ms as f64;
    let of_texts = |step: Step| {
        step.with(|config| {
            config.mode = ModeChoice::NonStreaming;
            config.body = BodyChoice::Custom(json!({"input": vec!["{prompt}"; TEXTS as usize]}));
        })
    };
    let steps = vec![
        of_texts(Step::new(Les::StepJobWide, job(wide), 36, 6)),
        of_texts(Step::new(Les::StepJobNarrow, job(narrow), 24, 6)),
        Step::new(Les::StepChatWide, chat(wide), 8, 1),
        Step::new(Les::StepChatNarrow, chat(narrow), 8, 1),
    ];
    let checks = vec![
        throughput(Les::ItemsWide, 0, PerSecond::Items, items(wide)),
        throughput(Les::ItemsNarrow, 1, PerSecond::Items, items(narrow)),
        median(Les::ChatWide, 2, Metric::Ttft, wide.0),
        median(Les::ChatNarrow, 3, Metric::Ttft, narrow.0),
        later(Les::ChatIsSooner, (2, 3), Metric::Ttft, narrow.0 - wide.0),
    ];
    Plan { steps, checks }
}
