//! The four things that every number carries: boundary, workload, load, statistic; and where it was measured.

use super::load_line;
use crate::align::Alignment;
use crate::config::{ModeChoice, Rendering, TargetKind, redacted_url};
use crate::format::{clock_decimals, count, significant};
use crate::metrics::Metric;
use crate::report::{Arrival, Embedded, Run};
use crate::text::{Align, Draw, Emb, Lang, Sum, fill, refusal};
use crate::trace::{Mode, Trace};
use crate::workload::{CacheMode, Source, describe};

/// The whole line: boundary · workload · load · statistic, clock.
pub fn context_line(run: &Run, lang: Lang, mode: Option<Mode>, boundary: &str, statistic: &str) -> String {
    [boundary.to_owned(), workload_line(run, lang, mode), load_line(run, lang), statistic.to_owned(), clock_line(run, lang)]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" · ")
}

/// The statistic of a metric's figures. What was seen is known of the painted subset alone, so the subset's size stands beside
/// n, which may be smaller still; where every request was painted there is no subset to speak of.
pub(crate) fn with_subset(run: &Run, lang: Lang, metric: Metric, mode: Mode, statistic: &str) -> String {
    let of_mode = |t: &&Trace| !t.planned.warmup && t.planned.arm == 0 && t.planned.mode == mode;
    let all = run.traces.iter().filter(of_mode).count();
    let painted = run.traces.iter().filter(of_mode).filter(|t| t.planned.painted).count();
    if !metric.is_seen() || painted == all {
        return statistic.to_owned();
    }
    format!("{statistic} · {}", fill(Sum::Painted.get(lang), &[&count(painted), &count(all)]))
}

/// Target, model, sizes, streaming or not.
pub fn workload_line(run: &Run, lang: Lang, mode: Option<Mode>) -> String {
    let config = &run.config;
    let target = match &config.target {
        TargetKind::BuiltIn(preset) => fill(Sum::BuiltIn.get(lang), &[preset]),
        TargetKind::Own => redacted_url(&config.url),
    };
    let mode = match (mode, config.mode) {
        (Some(Mode::Streaming), _) | (None, ModeChoice::Streaming) => Sum::Streaming.get(lang),
        (Some(Mode::NonStreaming), _) | (None, ModeChoice::NonStreaming) => Sum::NotStreaming.get(lang),
        (None, ModeChoice::Both) => Sum::Both.get(lang),
    };
    let mut parts = vec![target];
    parts.extend((!config.model.is_empty()).then(|| config.model.clone()));
    parts.extend(sizes(run, lang));
    parts.push(mode.to_owned());
    parts.extend((config.rendering == Rendering::Markdown).then(|| Draw::AsMarkdown.get(lang).to_owned()));
    let plain = config.workload.source == Source::Prompt && config.cache == CacheMode::AsIs;
    parts.extend(
        run.workload
            .as_ref()
            .filter(|_| !plain)
            .map(|w| describe(lang, &config.workload, w, config.cache, config.confirmation)),
    );
    parts.join(", ")
}

/// Median token counts, where the server reported them.
fn sizes(run: &Run, lang: Lang) -> Option<String> {
    let median = |of: fn(&Trace) -> Option<u64>| {
        let mut counts: Vec<u64> = run.traces.iter().filter_map(of).collect();
        counts.sort_unstable();
        crate::stats::nearest_rank(&counts, crate::stats::P50)
    };
    let input = median(|t| t.usage?.input)?;
    let output = median(|t| t.usage?.output)?;
    Some(fill(Sum::Sizes.get(lang), &[&input.to_string(), &output.to_string()]))
}

/// The clock's step, the joint of the worker's clock, and how closely the server's is known.
pub fn clock_line(run: &Run, lang: Lang) -> String {
    let step = crate::Micros(run.clock.step_us);
    let ms = significant(step.as_ms(), if clock_decimals(step) == 2 { 3 } else { clock_decimals(step) });
    let clock = fill(Sum::Clock.get(lang), &[&ms]);
    let joint = run.clock.joint_us.map(|us| fill(Sum::Joint.get(lang), &[&significant(crate::Micros(us).as_ms(), 2)]));
    let clocks = Alignment::of(run);
    let server = clocks.clocks().iter().map(|(_, offset)| match offset {
        Ok(offset) => fill(Align::Aligned.get(lang), &[&super::parts::bound_ms(offset.error)]),
        Err(why) => fill(Align::NotAligned.get(lang), &[refusal(lang, *why)]),
    });
    [Some(clock), joint].into_iter().flatten().chain(server).collect::<Vec<_>>().join(" · ")
}

/// Browser, viewport, isolation, frame interval.
pub fn environment_line(run: &Run, lang: Lang) -> String {
    let env = &run.environment;
    let isolated = if env.isolated { Sum::Isolated } else { Sum::NotIsolated }.get(lang);
    let frame = env.frame_interval_us.map(|us| {
        let hz = 1_000_000.0 / us.max(1) as f64;
        fill(Sum::Frames.get(lang), &[&significant(hz, 0)])
    });
    let mut parts = match run.is_merged() {
        // Their screens differ: each part has its own.
        true => vec![fill(Sum::MergedOf.get(lang), &[&run.parts.len().to_string(), &browser_name(&env.user_agent)])],
        false => vec![browser_name(&env.user_agent), format!("{} × {}", env.viewport.0, env.viewport.1)],
    };
    parts.push(isolated.to_owned());
    parts.extend(frame);
    let arrival = match env.arrival {
        Arrival::Worker => Sum::InWorker,
        Arrival::WorkerThroughMain => Sum::InWorkerThroughMain,
        Arrival::Main => Sum::OnMain,
        Arrival::NoWorker => Sum::NoWorker,
    };
    parts.push(arrival.get(lang).to_owned());
    let embedded = match env.embedded {
        Embedded::Own => None,
        Embedded::Element => Some(Emb::InElement),
        Embedded::Frame => Some(Emb::InFrame),
        Embedded::ForeignFrame => Some(Emb::InForeignFrame),
    };
    parts.extend(embedded.map(|words| words.get(lang).to_owned()));
    parts.push(run.created.clone());
    parts.join(" · ")
}

/// The product and version that a user agent string names, for display only.
pub(crate) fn browser_name(user_agent: &str) -> String {
    let version = |product: &str| {
        let after = user_agent.split(product).nth(1)?.strip_prefix('/')?;
        Some(after.split([' ', ';', ')']).next()?.to_owned())
    };
    for (product, name) in [("Firefox", "Firefox"), ("Edg", "Edge"), ("HeadlessChrome", "Chromium"), ("Chrome", "Chromium")] {
        if let Some(version) = version(product) {
            return format!("{name} {version}");
        }
    }
    match version("Version") {
        Some(version) => format!("WebKit {version}"),
        None => user_agent.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::browser_name;

    #[test]
    fn browsers() {
        let check = |ua: &str, want: &str| assert_eq!(browser_name(ua), want);
        check(
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36",
            "Chromium 156.0.0.0",
        );
        check("Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0", "Firefox 153.0");
        check(
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
            "WebKit 18.5",
        );
        check("curl/8", "curl/8");
    }
}
