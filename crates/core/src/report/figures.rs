//! What a run shows, as JSON for programs: every figure with its boundary, statistic, number and interval, and for what is
//! missing the reason. Values are in the unit that stands beside them: milliseconds, counts, or tokens per second.

use serde_json::{Map, Value};

use super::Run;
use crate::gap::{Gaps, Wait};
use crate::mark::Absence;
use crate::metrics::{Figure, Metric, Throughput, Unit};
use crate::stats::{Distribution, Interval, P, Quantile};
use crate::summary::{Row, Summary, clock_error};
use crate::trace::{Mode, Trace};

/// The figures of a run. What the run file says already (what was asked, where) is not said again.
pub fn figures(run: &Run, summary: &Summary) -> Value {
    let seed = run.config.seed;
    let by_mode = |values: &dyn Fn(Mode) -> Option<Value>| run.config.modes().iter().filter_map(|mode| values(*mode)).collect();
    let throughput = |mode| {
        let (_, found) = summary.throughput.iter().find(|(of, _)| *of == mode)?;
        Some(with("mode", mode_of(mode), found.as_ref().map_or_else(|why| absent(*why), per_second)))
    };
    let steady = |mode| {
        let (_, found) = summary.steady.iter().find(|(of, _)| *of == mode)?;
        let found = found.map_or_else(absent, |rate| object([("per_second", rate.into())]));
        Some(with("mode", mode_of(mode), found))
    };
    let outcome = |(mode, outcome, n): &(Mode, crate::outcome::Outcome, u32)| {
        let mut of = vec![("mode", mode_of(*mode)), ("outcome", outcome.code().into()), ("requests", (*n).into())];
        if let crate::outcome::Outcome::HttpError { status } = outcome {
            of.push(("status", (*status).into()));
        }
        object(of)
    };
    let paired = summary.paired.iter().map(|pair| {
        let statistics = statistics(&pair.differences, Absence::TooFew, &|p| pair.differences.interval(p));
        object([("metric", pair.metric.code().into()), ("unit", unit(pair.metric).into()), ("statistics", statistics)])
    });
    object([
        ("workload", workload(run)),
        ("clock_error_ms", thousandths(clock_error(run).0)),
        ("warmup_requests", summary.warmup.into()),
        ("outcomes", summary.outcomes.iter().map(outcome).collect()),
        ("figures", summary.rows.iter().map(|of| row(of, seed)).collect()),
        ("paired", paired.collect()),
        ("throughput", by_mode(&throughput)),
        ("steady", by_mode(&steady)),
        ("gaps", summary.gaps.iter().map(|(mode, wait, gaps)| gap(*mode, *wait, gaps)).collect()),
    ])
}

/// What is known of one request that is over. Its whole evidence is in the run file.
pub fn sample(trace: &Trace) -> Value {
    let figures = Metric::ALL.into_iter().filter(|metric| *metric != Metric::InterChunk);
    let figure = |metric: Metric| {
        let found = match metric.of(trace) {
            Ok(Figure::Exact(value)) => object([("unit", unit(metric).into()), ("value", thousandths(value))]),
            Ok(Figure::Bounds(low, high)) => object([
                ("unit", unit(metric).into()),
                ("earliest", thousandths(low)),
                ("latest", high.map_or_else(|| absent(Absence::EngineLacks), thousandths)),
            ]),
            Err(why) => absent(why),
        };
        (metric.code().to_owned(), found)
    };
    object([
        ("id", trace.planned.id.into()),
        ("mode", mode_of(trace.planned.mode)),
        ("warmup", trace.planned.warmup.into()),
        ("painted", trace.planned.painted.into()),
        ("outcome", trace.outcome.code().into()),
        ("status", trace.response.as_ref().map_or_else(|| absent(Absence::NotReached), |head| head.status.into())),
        ("figures", Value::Object(figures.map(figure).collect())),
    ])
}

fn object(members: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn with(name: &'static str, value: Value, of: Value) -> Value {
    let mut all = Map::new();
    all.insert(name.to_owned(), value);
    if let Value::Object(rest) = of {
        all.extend(rest);
    }
    Value::Object(all)
}

fn absent(why: Absence) -> Value {
    object([("absent", why.code().into())])
}

fn mode_of(mode: Mode) -> Value {
    mode.code().into()
}

/// All of core's integers are thousandths of the unit that is shown.
fn thousandths(value: i64) -> Value {
    (value as f64 / 1000.0).into()
}

fn unit(metric: Metric) -> &'static str {
    match metric.unit() {
        Unit::Time => "ms",
        Unit::Count => "count",
        Unit::TokenRate => "tokens_per_second",
    }
}

fn quantile(of: Quantile) -> Value {
    if of.at_least { object([("at_least", thousandths(of.value))]) } else { thousandths(of.value) }
}

fn interval(of: Interval<Quantile>) -> Value {
    match of {
        Interval::Between { lower, upper } => object([("lower", quantile(lower)), ("upper", quantile(upper))]),
        Interval::Needs { at_least, has } => {
            object([("absent", Absence::TooFew.code().into()), ("needs", at_least.into()), ("has", has.into())])
        }
    }
}

/// Percentiles with their 95 % intervals, the largest value, mean and standard deviation; without any value, why there is none.
fn statistics(of: &Distribution, why: Absence, interval_of: &dyn Fn(P) -> Interval<Quantile>) -> Value {
    if of.n() == 0 {
        return absent(why);
    }
    let percentile = |p: P| {
        let value = of.percentile(p).map_or_else(|| absent(why), quantile);
        (p.name(), object([("value", value), ("interval", interval(interval_of(p)))]))
    };
    let value = |found: Option<f64>, why| found.map_or_else(|| absent(why), |found| (found / 1000.0).into());
    // A request that was cut before it reached the figure has a least length, and no length.
    let cut = if of.censored() > 0 { Absence::NotReached } else { Absence::TooFew };
    let rest =
        [("max", of.max().map_or_else(|| absent(why), quantile)), ("mean", value(of.mean(), cut)), ("sd", value(of.sd(), cut))];
    object(P::SHOWN.into_iter().map(percentile).chain(rest.map(|(name, value)| (name, object([("value", value)])))))
}

fn row(row: &Row, seed: u64) -> Value {
    let absences = row.absent.iter().map(|(why, n)| (why.code().to_owned(), Value::from(*n)));
    let most = row.absent.iter().max_by_key(|(_, n)| *n).map_or(Absence::NotReached, |(why, _)| *why);
    let (from, to) = row.metric.boundary().unzip();
    let mut members = vec![
        ("metric", row.metric.code().into()),
        ("mode", mode_of(row.mode)),
        ("edge", row.edge.code().into()),
        ("unit", unit(row.metric).into()),
        ("n", row.distribution.n().into()),
        ("censored", row.distribution.censored().into()),
        ("estimated", row.estimated.into()),
        ("absent", Value::Object(absences.collect())),
        ("statistics", statistics(&row.distribution, most, &|p| row.interval(p, seed))),
    ];
    members.extend(from.map(|mark| ("from", mark.into())));
    members.extend(to.map(|mark| ("to", mark.into())));
    // Intervals of pooled values resample whole requests: so many there are.
    members.extend(row.pooled.as_ref().map(|pool| ("requests", pool.requests().into())));
    object(members)
}

fn per_second(of: &Throughput) -> Value {
    let (tokens, estimated) = of.tokens.map_or((absent(Absence::TokensUnknown), false), |(n, about)| (n.into(), about));
    object([
        ("window_ms", thousandths(of.window.0)),
        ("requests_per_second", of.requests.into()),
        ("tokens_per_second", tokens),
        ("estimated", estimated.into()),
        ("items_per_second", of.items.map_or_else(|| absent(Absence::NoOutput), Value::from)),
    ])
}

fn wait_code(wait: Wait) -> &'static str {
    match wait {
        Wait::FirstOutput => "first_output",
        Wait::FirstAnswer => "first_answer",
        Wait::FirstVisible => "first_visible",
        Wait::LastOutput => "last_output",
        Wait::CompleteVisible => "complete_visible",
    }
}

/// What the server's own report leaves of a wait. Computed per request; percentiles are never subtracted.
fn gap(mode: Mode, wait: Wait, of: &Gaps) -> Value {
    let why = if of.inconsistent > 0 { Absence::Inconsistent } else { Absence::NoServerReport };
    let statistics = |values: &Distribution| statistics(values, why, &|p| values.interval(p));
    object([
        ("mode", mode_of(mode)),
        ("wait", wait_code(wait).into()),
        ("n", of.waits.n().into()),
        ("without_report", of.without_report.into()),
        ("inconsistent", of.inconsistent.into()),
        ("wait_ms", statistics(&of.waits)),
        ("outside_report_ms", statistics(&of.outside)),
        // Of 1.
        ("outside_report_share", statistics(&of.share)),
    ])
}

fn workload(run: &Run) -> Value {
    let found = run.workload.as_ref();
    found.map_or_else(
        || absent(Absence::NotReached),
        |of| object([("hash", of.hash.full().into()), ("cases", of.cases.into()), ("held_out", of.held_out.into())]),
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Micros;
    use crate::summary::fixture::{run, trace};

    fn row_of<'a>(all: &'a Value, metric: &str) -> &'a Value {
        let rows = all["figures"].as_array().expect("rows");
        rows.iter().find(|row| row["metric"] == metric).unwrap_or_else(|| panic!("no {metric} in {all}"))
    }

    #[test]
    fn a_figure_says_boundary_statistic_number_and_interval() {
        let run = run((0..10).map(|id| trace(id, 100 + 10 * i64::from(id))).collect());
        let all = figures(&run, &Summary::of(&run));
        let row = row_of(&all, "time_to_first_answer");
        assert_eq!((&row["from"], &row["to"], &row["unit"]), (&json!("sent"), &json!("first_answer"), &json!("ms")));
        assert_eq!((&row["n"], &row["censored"], &row["absent"]), (&json!(10), &json!(0), &json!({})));
        let statistics = &row["statistics"];
        // Nearest ranks 5 and 2 to 9 of 100, 110, … 190.
        assert_eq!(statistics["p50"], json!({"value": 140.0, "interval": {"lower": 110.0, "upper": 180.0}}));
        assert_eq!(statistics["p95"], json!({"value": 190.0, "interval": {"absent": "too_few", "needs": 72, "has": 10}}));
        assert_eq!((&statistics["max"]["value"], &statistics["mean"]["value"]), (&json!(190.0), &json!(145.0)));
        assert_eq!(all["outcomes"], json!([{"mode": "streaming", "outcome": "complete", "requests": 10}]));
        assert_eq!(all["workload"]["cases"], json!(1));
    }

    #[test]
    fn what_was_not_measured_is_absent_with_its_reason() {
        let run = run(vec![trace(0, 100)]);
        let all = figures(&run, &Summary::of(&run));
        let seen = row_of(&all, "ttfv");
        assert_eq!(seen["statistics"], json!({"absent": "not_in_painted_subset"}));
        assert_eq!((&seen["n"], &seen["absent"]), (&json!(0), &json!({"not_in_painted_subset": 1})));
        assert_eq!(row_of(&all, "e2e")["statistics"]["sd"]["value"], json!({"absent": "too_few"}));
        // 100 ms of which the server reports 60.
        let gaps = all["gaps"].as_array().expect("gaps");
        let first = gaps.iter().find(|gap| gap["wait"] == "first_answer").expect("a gap");
        assert_eq!(first["outside_report_ms"]["p50"]["value"], json!(40.0));
        assert_eq!(first["outside_report_share"]["p50"]["value"], json!(0.4));
        assert!(!all.to_string().contains("null"), "{all}");
    }

    #[test]
    fn a_run_without_a_request_has_reasons_and_no_figure() {
        let run = run(Vec::new());
        let all = figures(&run, &Summary::of(&run));
        for row in all["figures"].as_array().expect("rows") {
            assert_eq!((&row["n"], &row["statistics"]), (&json!(0), &json!({"absent": "not_reached"})), "{row}");
        }
        assert_eq!(all["throughput"], json!([{"mode": "streaming", "absent": "not_reached"}]));
    }

    #[test]
    fn a_sample_has_the_figures_of_its_request() {
        let mut one = trace(7, 100);
        one.first_visible = Ok(crate::paint::Seen {
            method: crate::paint::Method::FrameCallbacks,
            earliest: Micros::ms(1110),
            latest: None,
            value: None,
        });
        let sample = sample(&one);
        assert_eq!((&sample["id"], &sample["outcome"], &sample["mode"]), (&json!(7), &json!("complete"), &json!("streaming")));
        assert_eq!(sample["status"], json!({"absent": "not_reached"}));
        let figures = &sample["figures"];
        assert_eq!(figures["ttft"], json!({"unit": "ms", "value": 100.0}));
        assert_eq!(figures["ttfv"], json!({"unit": "ms", "earliest": 110.0, "latest": {"absent": "engine_lacks"}}));
        assert_eq!(figures["complete_visible"], json!({"absent": "not_in_painted_subset"}));
        assert!(figures.get("inter_chunk_gap").is_none(), "{sample}");
    }
}
