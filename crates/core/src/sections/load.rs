//! What came of the load: rates, lateness, levels, and what limited it.

use super::{Section, Table, Tone, both_arms, heads, interval, of_mode, quantile};
use crate::Micros;
use crate::breakdown::waits;
use crate::format::{count, significant};
use crate::load::{client_limited, expected_interval, lateness, levels, paused, rates, response_times, saturation};
use crate::mark::Absence;
use crate::report::{Arrival, Run};
use crate::slo::Criterion;
use crate::stats::{Distribution, P50, P95, P99, Quantile};
use crate::stop_rule::{Broken, StopRule};
use crate::summary::{metric_rows, side};
use crate::text::{Lang, LoadText, Sec, Sum, absence, client_limit, fill, metric_name, saturated};
use crate::trace::{Mode, Trace};

/// The rule that ended the run, with the mode whose requests broke it, where there are two and it names neither.
fn stopped_by(run: &Run, broken: &Broken, lang: Lang) -> String {
    let rule = broken.rule.to_string();
    let mode = run.traces.iter().find(|t| t.planned.id == broken.request).map(|t| t.planned.mode);
    match (broken.rule, mode) {
        (StopRule::Keep(Criterion { mode: None, .. }), Some(mode)) if run.config.modes().len() > 1 => {
            of_mode(&rule, mode, lang)
        }
        _ => rule,
    }
}

pub(super) fn load(run: &Run, lang: Lang) -> Option<Section> {
    let say = |key: Sec, values: &[&str]| fill(key.get(lang), values);
    let load = |key: LoadText, values: &[&str]| fill(key.get(lang), values);
    let set = both_arms(run);
    let step = Micros(run.clock.step_us);
    let mut section = Section::new("load", Sec::LoadTitle.get(lang));
    if let Some(broken) = &run.stopped_by {
        let rule = stopped_by(run, broken, lang);
        section.say(Tone::Warn, say(Sec::StoppedByRule, &[&rule, &count(broken.seen as usize)]));
    }
    let shape = &run.config.load.shape;
    let through_main = run.environment.arrival != Arrival::Worker;
    for limit in client_limited(&set, run.config.load.in_flight(), through_main, run.clock.lag.and_then(|lag| lag.p99())) {
        section.say(Tone::Warn, client_limit(lang, limit));
    }
    if shape.is_open() {
        if let (false, Ok(rates)) = (run.is_merged(), rates(&set)) {
            let [achieved, wanted] = [rates.achieved, rates.wanted].map(|rate| significant(rate, 2));
            section.say(Tone::Plain, load(LoadText::RateAchieved, &[&achieved, &wanted]));
        }
        let late = lateness(&set, run.config.load.in_flight());
        let shown = |q: Option<Quantile>| q.map_or("–".to_owned(), |q| quantile(q, step));
        let all = &late.all;
        if all.n() > 0 {
            let values = [all.percentile(P50), all.percentile(P95), all.max()].map(shown);
            section.say(Tone::Plain, say(Sec::Late, &values.each_ref().map(String::as_str)));
        }
        if late.unsent > 0 {
            section.say(Tone::Warn, say(Sec::Unsent, &[&count(late.unsent as usize)]));
        }
        let paused = if run.is_merged() { Micros::ZERO } else { paused(&set) };
        if paused > Micros::ms(1) {
            section.say(Tone::Warn, load(LoadText::Paused, &[&significant(paused.as_secs(), 1)]));
        }
        section.tables.extend(service_and_response(&set, lang, step));
    }
    let judged = if run.is_merged() { Vec::new() } else { saturation(shape, &levels(&run.config), &run.traces) };
    if run.is_merged() {
        section.say(Tone::Plain, format!("{}.", absence(lang, Absence::OwnClocks)));
    }
    if !judged.is_empty() {
        match judged.iter().find_map(|l| Some((l.level, l.saturated?))) {
            Some((level, why)) => {
                section.say(Tone::Warn, say(Sec::SaturatedAt, &[&level.to_string(), &saturated(lang, why)]));
            }
            None => section.say(Tone::Plain, Sec::NotSaturated.get(lang).to_owned()),
        }
        if judged.len() > 1 {
            section.say(Tone::Warn, say(Sec::MixedLevels, &[&count(judged.len())]));
        }
        section.tables.push(level_table(&judged, lang, step));
    }
    if !shape.is_open() {
        section.say(Tone::Plain, LoadText::ClosedLoopOmits.get(lang).to_owned());
    }
    if let Some(interval) = run.config.load.expected_interval_ms {
        for mode in run.config.modes() {
            let one = |t: &&&Trace| t.planned.mode == *mode && t.planned.arm == 0;
            let of_mode: Vec<&Trace> = set.iter().filter(one).copied().collect();
            with_expected_interval(&mut section, &of_mode, *mode, interval, lang, step);
        }
    }
    if let Some(lag) = run.clock.lag {
        let [p50, p99, max] = [lag.p50_us, lag.p99_us, lag.max_us].map(|us| significant(Micros(us).as_ms(), 1));
        section.say(Tone::Plain, load(LoadText::StampLag, &[&p50, &p99, &max, &count(lag.n as usize)]));
    }
    Some(section)
}

/// Both times of both waits, side by side.
fn service_and_response(set: &[&Trace], lang: Lang, step: Micros) -> Option<Table> {
    let row = |title: String, of: &Distribution| {
        let cell = |p| of.percentile(p).map_or("–".to_owned(), |q| quantile(q, step));
        let (p50, p95) = (interval(of.interval(P50), lang, step), interval(of.interval(P95), lang, step));
        vec![title, count(of.n()), cell(P50), p50, cell(P95), p95]
    };
    let mut rows = Vec::new();
    for metric in waits(set) {
        let service = metric_rows(metric, Mode::Streaming, set);
        // Of a mark known by bounds, the upper one, as for the response times.
        if let Some(service) = side(&service) {
            rows.push(row(fill(Sec::Service.get(lang), &[metric_name(lang, metric)]), service.high));
        }
        let response = response_times(metric, set.iter().copied());
        rows.push(row(fill(Sec::Response.get(lang), &[metric_name(lang, metric)]), &response));
    }
    let between = Sec::ColInterval.get(lang);
    let head = heads([Sec::ColTime.get(lang), "n", "p50 (ms)", between, "p95 (ms)", between]);
    (!rows.is_empty()).then(|| Table { caption: Sec::ServiceResponse.get(lang).to_owned(), head, rows })
}

/// What a closed loop left out, invented by the expected interval, beside what was measured.
fn with_expected_interval(section: &mut Section, set: &[&Trace], mode: Mode, interval_ms: u32, lang: Lang, step: Micros) {
    let say = |key: LoadText, values: &[&str]| fill(key.get(lang), values);
    let row = |title: String, of: &Distribution| {
        let cell = |p| of.percentile(p).map_or("–".to_owned(), |q| quantile(q, step));
        vec![title, count(of.n()), cell(P50), cell(P95), cell(P99)]
    };
    let (mut rows, mut most) = (Vec::new(), 0);
    for metric in waits(set) {
        let rows_of = metric_rows(metric, mode, set);
        let Some(measured) = side(&rows_of).map(|side| side.high) else { continue };
        let Some(corrected) = expected_interval(measured, Micros::ms(interval_ms.into())) else {
            return section.say(Tone::Warn, say(LoadText::CorrectedTooMany, &[&interval_ms.to_string()]));
        };
        let name = metric_name(lang, metric);
        rows.push(row(name.to_owned(), measured));
        rows.push(row(say(LoadText::CorrectedRow, &[name]), &corrected.of));
        most = most.max(corrected.invented);
    }
    if rows.is_empty() {
        return;
    }
    section.say(Tone::Warn, say(LoadText::Corrected, &[&interval_ms.to_string(), &count(most as usize)]));
    let head = heads([Sec::ColTime.get(lang), "n", "p50 (ms)", "p95 (ms)", "p99 (ms)"]);
    let way = if mode == Mode::Streaming { Sum::Streaming } else { Sum::NotStreaming }.get(lang);
    let caption = format!("{} ({way})", LoadText::CorrectedTitle.get(lang));
    section.tables.push(Table { caption, head, rows });
}

fn level_table(judged: &[crate::load::Level], lang: Lang, step: Micros) -> Table {
    let rate = |rate: Option<f64>| rate.map_or("–".to_owned(), |rate| significant(rate, 2));
    let pair = |pair: Option<(Quantile, Quantile)>| {
        pair.map_or("–".to_owned(), |(a, b)| format!("{} / {}", quantile(a, step), quantile(b, step)))
    };
    let row = |l: &crate::load::Level| {
        vec![
            l.level.to_string(),
            count(l.n as usize),
            count(l.failed as usize),
            rate(l.sent_rate),
            rate(l.throughput),
            pair(l.first),
            pair(l.end_to_end),
            l.saturated.map(|why| saturated(lang, why)).unwrap_or_default(),
        ]
    };
    let columns = [
        Sec::ColLevel,
        Sec::ColRequests,
        Sec::ColFailed,
        Sec::ColSentRate,
        Sec::ColDoneRate,
        Sec::ColFirst,
        Sec::ColEnd,
        Sec::ColSaturated,
    ];
    Table {
        caption: Sec::LevelsTitle.get(lang).to_owned(),
        head: heads(columns.map(|k| k.get(lang))),
        rows: judged.iter().map(row).collect(),
    }
}
