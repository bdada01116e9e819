//! Runs that between them write every field of the format, in each of its forms.

use serde_json::{Map, json};

use crate::Micros;
use crate::config::{BodyChoice, ModeChoice, Reading, Rendering, RuleChoice, RunConfig, TargetKind, ThreadChoice};
use crate::cost::Prices;
use crate::decision::{Baseline, Decision, IfItFails};
use crate::load::{Cancel, Load, Over, Shape, Spacing, Step, Versus, What};
use crate::mark::{Absence, Mark, Marks};
use crate::network::NetworkTiming;
use crate::outcome::Outcome;
use crate::paint::{Method, Seen};
use crate::report::tests::run;
use crate::report::{Grid, Lost, LostBrowser, Run, Session, merge};
use crate::scrape::{Buckets, Missed, Quantity, Sample, Scraped, ServerMetrics, Speaker, Unusable, Values};
use crate::server_report::{Boundary, Source, Span, Stage, Stages, Unit};
use crate::stop_rule::{Broken, StopRule};
use crate::trace::{Diagnostic, ResponseFacts, Shape as ReplyShape, Trace, Usage};
use crate::workload::check::CheckFailure;
use crate::workload::{CacheMode, Case, Class, Content, Generator, Lengths, Message, Role, Source as Cases, Turn, Workload};

/// All of them.
pub(super) fn all() -> Vec<Run> {
    let mut runs: Vec<Run> = configs().into_iter().map(|config| Run { config, ..run() }).collect();
    runs.push(full());
    runs.push(scraped());
    let spent = Broken { rule: StopRule::SpendUpTo(2.5), beyond: None, spent: Some(2.6), ..broken() };
    runs.push(Run { stopped_by: Some(broken()), ..run() });
    runs.push(Run { stopped_by: Some(spent), ..run() });
    runs.push(Run { page_ended: true, ..run() });
    let mut second = Run { created: "2026-01-03T00:00:00Z".into(), ..run() };
    (second.environment.time_origin_us, second.environment.wall_apart_us) = (Some(1_767_398_400_000_000), Some(250));
    runs.push(merge(vec![("a.json".into(), run()), ("b.json".into(), second)], false).expect("merged").0);
    runs.extend(on_a_grid());
    runs
}

/// Of many browsers, each of which was lost in its own way.
fn on_a_grid() -> Vec<Run> {
    let session = Session { number: 1, browser: "firefox".into(), version: "153.0".into(), platform: "linux".into() };
    let whys = [
        Lost::NoSession,
        Lost::NotOpened,
        Lost::NotFetched,
        Lost::CouldNotBegin,
        Lost::WentAway,
        Lost::NoReport,
        Lost::Unreadable,
    ];
    let lost: Vec<LostBrowser> =
        whys.into_iter().map(|why| LostBrowser { session: session.clone(), why, said: "so".into() }).collect();
    let grid = |lost| Grid { asked: 8, measured: 1, stagger_ms: 5, at_once: 2, together_ms: 3, lost };
    let of = |grid| {
        let mut run = run();
        (run.environment.session, run.environment.grid) = (Some(session.clone()), Some(Box::new(grid)));
        run
    };
    vec![of(grid(lost.clone())), of(grid(Vec::new()))]
}

fn broken() -> Broken {
    let rule = StopRule::Keep("error_rate<=1%".parse().expect("a criterion"));
    Broken { rule, request: 3, at: Micros(9), seen: 4, beyond: Some(1), spent: None }
}

fn configs() -> Vec<RunConfig> {
    let base = run().config;
    let loads = [
        Shape::Closed,
        Shape::Open { per_second: 1.5, spacing: Spacing::Even },
        Shape::Ramp { from: 1.0, to: 2.0, over_ms: 5, spacing: Spacing::Poisson },
        Shape::Steps {
            over: Over::Rate,
            steps: vec![
                Step { level: 1.0, for_ms: Some(5), requests: None },
                Step { level: 1.0, for_ms: None, requests: Some(5) },
            ],
            spacing: Spacing::Gamma { burstiness: 0.5 },
        },
        Shape::Sweep { over: Over::Concurrency, levels: vec![1.0, 2.0], settle_ms: 7, spacing: Spacing::Even },
        Shape::Replay { at_ms: vec![0.0, 1.5], speed: 2.0 },
    ];
    let of_load = loads.into_iter().map(|shape| RunConfig { load: Load { shape, ..Load::default() }, ..base.clone() });
    let rules =
        [RuleChoice::Word, RuleChoice::Sentence, RuleChoice::Json, RuleChoice::Chars(3), RuleChoice::Contains("x".into())];
    let of_rule = rules.into_iter().map(|useful| RunConfig { useful, ..base.clone() });
    let lengths = [
        Lengths::Fixed(3),
        Lengths::Uniform { min: 1, max: 2 },
        Lengths::Normal { mean: 2, sd: 1, min: 1, max: 3 },
        Lengths::LogNormal { median: 2, p95: 4, min: 1, max: 9 },
    ];
    let generated = |input| {
        let generator = Generator { cases: 4, seed: 1, input, output: Some(Lengths::Fixed(3)), shared_prefix: 5, held_out: 1 };
        let workload = Workload { source: Cases::Generated(generator), ..Workload::default() };
        RunConfig { workload, ..base.clone() }
    };
    let endpoint = What::Endpoint { url: "https://b/v1".into(), model: "m2".into() };
    let versus = [endpoint, What::Cache].map(|what| RunConfig { versus: Some(Versus { what, one_in: 2 }), ..base.clone() });
    of_load.chain(of_rule).chain(lengths.map(generated)).chain(versus).chain([asked()]).collect()
}

/// Everything that has one form only.
fn asked() -> RunConfig {
    RunConfig {
        target: TargetKind::BuiltIn("chat".into()),
        body: BodyChoice::Custom(json!({"q": "{prompt}"})),
        max_tokens: Some(7),
        mode: ModeChoice::Both,
        reading: Reading {
            format: "generic".into(),
            text: Some("/a".into()),
            items: Some("/b".into()),
            split_think: true,
            spans: vec!["x-q = queue ms queue".into()],
        },
        key_header: "x-api-key".into(),
        thread: ThreadChoice::Main,
        rendering: Rendering::Markdown,
        load: Load {
            duration_ms: Some(1),
            warmup_ms: Some(2),
            max_in_flight: Some(3),
            drain_ms: Some(4),
            cancel: Some(Cancel { share: 0.5, from_ms: 1, to_ms: 2 }),
            expected_interval_ms: Some(5),
            ..Load::default()
        },
        thresholds: vec!["first_visible<800ms".parse().expect("a limit")],
        stop_rules: vec![StopRule::SpendUpTo(2.0), broken().rule],
        prices: Some(Prices { currency: "USD".into(), input_per_million: 1.0, output_per_million: 2.0 }),
        decision: Some(Decision {
            claim: "fast".into(),
            owner: "us".into(),
            affected: "you".into(),
            criteria: vec!["p95(first_visible)<800ms".parse().expect("a criterion")],
            baseline: Some(Baseline { run: "old".into(), margin_us: Some(5) }),
            falsified_by: "slow".into(),
            if_it_fails: IfItFails::AskSomeone,
        }),
        workload: Workload { name: "w".into(), version: "1".into(), source: Cases::Cases(cases()) },
        cache: CacheMode::Bust,
        confirmation: true,
        probe: Some("/clock".into()),
        server_metrics: Some(ServerMetrics { url: "http://m/metrics".into(), period_ms: 500 }),
        ..run().config
    }
}

fn cases() -> Vec<Case> {
    let mut parts = Map::new();
    parts.insert("type".into(), "text".into());
    let message = Message { role: Role::User, content: Content::Parts(vec![parts]) };
    let whole = Case {
        id: "c".into(),
        messages: vec![Message::text(Role::System, "s"), message],
        max_tokens: Some(9),
        tags: vec!["t".into()],
        class: Class::Hard,
        group: Some("g".into()),
        turn: Some(Turn { conversation: "k".into(), index: 1 }),
        check: Some(json!({"contains": "x"})),
        held_out: true,
    };
    vec![whole, Case::of_prompt("d", "Hi")]
}

/// Requests that have everything, nothing, and each kind of failure.
fn full() -> Run {
    let mut run = run();
    let first = run.traces.remove(0);
    let mut whole = first.clone();
    Mark::ALL.into_iter().zip(1..).for_each(|(mark, at)| whole.marks.set(mark, Micros(at)));
    let planned = &mut whole.planned;
    (planned.pair, planned.intended, planned.cancel_after, planned.after) =
        (Some(1), Some(Micros(2)), Some(Micros(3)), Some(0));
    (planned.stage, planned.arm, planned.case, planned.painted) = (1, 1, 1, true);
    let seen = Seen { method: Method::ElementTiming, earliest: Micros(1), latest: Some(Micros(2)), value: Some(Micros(2)) };
    (whole.first_visible, whole.complete_visible) = (Ok(seen), Ok(seen));
    whole.response = Some(ResponseFacts {
        status: 200,
        content_type: Some("text/event-stream".into()),
        content_encoding: Some("gzip".into()),
        retry_after: Some("1".into()),
        server_timing: Some("a;dur=1".into()),
        redirected: true,
        cross_origin: true,
    });
    whole.network = Ok(NetworkTiming {
        start: Micros(1),
        fetch_start: Some(Micros(1)),
        connect_start: Some(Micros(1)),
        connect_end: Some(Micros(1)),
        request_start: Some(Micros(1)),
        first_byte: Some(Micros(1)),
        response_end: Micros(1),
        protocol: Some("h2".into()),
        service_worker: true,
        from_cache: true,
        encoded_bytes: Some(1),
    });
    let boundaries = Boundary::ALL.into_iter().zip(Source::ALL.into_iter().cycle()).zip(Unit::ALL.into_iter().cycle());
    let span = |((boundary, source), unit)| Span {
        name: "n".into(),
        description: Some("d".into()),
        raw: "1".into(),
        unit,
        value: Micros(1),
        source,
        boundary,
        before_end: true,
    };
    whole.spans = boundaries.map(span).collect();
    let mut stages = Stages::of("clock");
    Stage::ALL.into_iter().zip(1..).for_each(|(stage, at)| stages.set(stage, Micros(at)));
    whole.stages = Some(Box::new(stages));
    whole.usage = Some(Usage { input: Some(1), output: Some(2), reasoning: Some(3), cached: Some(4) });
    whole.items = Some(2);
    whole.flags.long_frames = Some(vec![Micros::ms(60)]);
    whole.flags.press_paint = Some(Ok(Micros(2)));
    whole.diagnostics = vec![Diagnostic { code: "server_said", detail: "no".into() }];
    whole.check = Some(Ok(()));
    let mut nothing: Trace = first.clone();
    nothing.marks = Marks::default();
    for (mark, why) in Mark::ALL.into_iter().zip(Absence::ALL.into_iter().cycle()) {
        nothing.marks.withdraw(mark, why);
    }
    (nothing.outcome, nothing.shape, nothing.dialect, nothing.response) = (Outcome::Slept, None, None, None);
    (nothing.stages, nothing.usage, nothing.check) = (None, None, None);
    nothing.flags.press_paint = Some(Err(Absence::EngineLacks));
    nothing.network = Err(Absence::NoResourceTiming);
    (nothing.first_visible, nothing.complete_visible) = (Err(Absence::Hidden), Err(Absence::OffScreen));
    (nothing.reads, nothing.spans) = (Vec::new(), Vec::new());
    let text = || "x".to_owned();
    let failures = [
        CheckFailure::Contains(text()),
        CheckFailure::Equals { wanted: text(), found: text() },
        CheckFailure::Pattern(text()),
        CheckFailure::NotJson(text()),
        CheckFailure::Schema { at: text(), keyword: text(), wanted: text() },
        CheckFailure::Missing(text()),
        CheckFailure::Present(text()),
        CheckFailure::Differs { pointer: text(), wanted: text(), found: text() },
    ];
    let shapes = [ReplyShape::Stream, ReplyShape::Whole, ReplyShape::Prediction].into_iter().cycle();
    let failed = failures.into_iter().zip(shapes).map(|(why, shape)| Trace {
        check: Some(Err(why)),
        shape: Some(shape),
        ..first.clone()
    });
    run.traces = [whole, nothing].into_iter().chain(failed).collect();
    run
}

fn scraped() -> Run {
    let numbers = Quantity::ALL.into_iter().filter(|q| !matches!(q, Quantity::FirstToken | Quantity::EndToEnd));
    let numbers: Vec<(Quantity, f64)> = numbers.map(|q| (q, 0.5)).collect();
    let buckets = |n| Buckets { edges: vec![0.1, 1.0], cumulative: vec![n, n, n + 1] };
    let histograms = vec![(Quantity::FirstToken, buckets(1)), (Quantity::EndToEnd, buckets(2))];
    let reads = [
        Ok(Values { numbers, histograms }),
        Err(Missed::Network("Failed to fetch".into())),
        Err(Missed::Status(503)),
        Err(Missed::NothingKnown),
        Err(Missed::Busy),
    ];
    let samples = reads.into_iter().zip(0..).map(|(read, at)| Sample { at: Micros::ms(at), took: Micros(5), read });
    let unusable = [Unusable::Value, Unusable::Buckets, Unusable::Summary].map(|why| (Quantity::Power, why, 1));
    Run {
        scraped: Some(Scraped {
            samples: samples.collect(),
            speakers: vec![Speaker::Vllm],
            unusable: unusable.to_vec(),
            not_understood: 1,
        }),
        ..run()
    }
}
