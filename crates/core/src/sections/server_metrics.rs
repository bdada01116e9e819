//! What did the server's own metrics say while the run went on, and how do its quantiles stand beside the page's?

use super::{Section, Table, Tone, both_arms, heads, quantile};
use crate::Micros;
use crate::config::{origin, redacted_url};
use crate::format::{count, significant};
use crate::metrics::Metric;
use crate::report::Run;
use crate::scrape::{
    Between, Figure, Missed, Observed, Quantity, Scraped, Unit, figures, measured_part, observed, resets, takes_a_connection,
};
use crate::stats::{P50, P90, P95, P99};
use crate::summary::metric_rows;
use crate::text::{Lang, Scr, Sum, fill, missed, not_observed, quantity_name, unusable};
use crate::trace::Mode;

/// Nothing was asked for, nothing is said.
pub(super) fn server_metrics(run: &Run, lang: Lang) -> Option<Section> {
    let asked = run.config.server_metrics.as_ref()?;
    let say = |key: Scr, values: &[&str]| fill(key.get(lang), values);
    let mut section = Section::new("server-metrics", Scr::Title.get(lang));
    let none = Scraped::default();
    let scraped = run.scraped.as_ref().unwrap_or(&none);
    let address = redacted_url(&asked.url);
    match scraped.read().count() {
        0 => section.say(Tone::Warn, say(Scr::NothingRead, &[&address])),
        read => {
            let names: Vec<&str> = scraped.speakers.iter().map(|speaker| speaker.name()).collect();
            let took = scraped.samples.iter().filter(|s| s.read.is_ok()).map(|s| s.took).max().unwrap_or_default();
            let [period, took] = [count(asked.period_ms as usize), significant(took.as_ms(), 1)];
            section.say(Tone::Plain, say(Scr::ReadFrom, &[&address, &period, &count(read), &names.join(", "), &took]));
        }
    }
    what_is_missing(run, scraped, &asked.url, lang, &mut section);
    if scraped.read().next().is_none() {
        return Some(section);
    }
    let begin = measured_part(run).map_or(Micros::ZERO, |(from, _)| from);
    let since = |at: Micros| significant((at - begin).as_secs(), 2);
    for (from, to) in resets(run) {
        section.say(Tone::Warn, say(Scr::Reset, &[&since(from), &since(to)]));
    }
    if takes_a_connection(run) {
        section.say(Tone::Warn, Scr::Connection.get(lang).to_owned());
    }
    let figures = figures(run);
    if figures.is_empty() {
        section.say(Tone::Warn, Scr::NoneInside.get(lang).to_owned());
    } else {
        let columns = [Scr::ColQuantity, Scr::ColSamples, Scr::ColMean, Scr::ColMax, Scr::ColWhen].map(|key| key.get(lang));
        let rows = figures.iter().map(|figure| figure_row(figure, since(figure.max_at), lang)).collect();
        section.tables.push(Table { caption: Scr::Figures.get(lang).to_owned(), head: heads(columns), rows });
        section.say(Tone::Plain, Scr::Together.get(lang).to_owned());
    }
    let mut rows = Vec::new();
    for (quantity, metric) in [(Quantity::FirstToken, Metric::Ttft), (Quantity::EndToEnd, Metric::EndToEnd)] {
        let name = quantity_name(lang, quantity);
        match observed(run, quantity) {
            Ok(of_server) => {
                let own = own_rows(run, &of_server, metric, name, lang, &mut rows);
                let [from, to] = [of_server.from, of_server.to].map(since);
                section.say(Tone::Plain, say(Scr::Counted, &[name, &from, &to, &count(of_server.n() as usize), &count(own)]));
            }
            Err(why) => section.say(Tone::Plain, say(Scr::NotCompared, &[name, not_observed(lang, why)])),
        }
    }
    if !rows.is_empty() {
        let columns = [Scr::ColTime, Scr::ColQuantile, Scr::ColServer, Scr::ColPage].map(|key| key.get(lang));
        section.tables.push(Table { caption: Scr::Quantiles.get(lang).to_owned(), head: heads(columns), rows });
        section.say(Tone::Plain, Scr::Boundaries.get(lang).to_owned());
    }
    section.say(Tone::Plain, Scr::Aggregate.get(lang).to_owned());
    Some(section)
}

/// Samples, names and lines that told nothing, and what to do.
fn what_is_missing(run: &Run, scraped: &Scraped, url: &str, lang: Lang, section: &mut Section) {
    let say = |key: Scr, values: &[&str]| fill(key.get(lang), values);
    let reasons = scraped.missed();
    for (why, n) in &reasons {
        section.say(Tone::Warn, say(Scr::Missed, &[&count(*n), &missed(lang, why)]));
    }
    if reasons.iter().any(|(why, _)| matches!(why, Missed::Network(_))) {
        let page = origin(&run.environment.page).unwrap_or("*");
        let server = origin(url).unwrap_or(url);
        section.say(Tone::Warn, say(Scr::AllowLine, &[page, server, page]));
    }
    if reasons.iter().any(|(why, _)| matches!(why, Missed::Status(_))) {
        section.say(Tone::Warn, Scr::SwitchOn.get(lang).to_owned());
    }
    for (quantity, why, n) in &scraped.unusable {
        section.say(Tone::Warn, unusable(lang, *quantity, *why, &count(*n as usize)));
    }
    if scraped.not_understood > 0 {
        section.say(Tone::Warn, say(Scr::NotUnderstood, &[&count(scraped.not_understood as usize)]));
    }
}

fn figure_row(figure: &Figure, when: String, lang: Lang) -> Vec<String> {
    let scale = if figure.unit == Unit::Share { 100.0 } else { 1.0 };
    let [mean, max] = [figure.mean, figure.max].map(|value| significant(value * scale, 2));
    vec![quantity_name(lang, figure.quantity).to_owned(), count(figure.n), mean, max, when]
}

/// One row for each percentile and each way of asking; gives how many of the page's own requests stand in them.
fn own_rows(run: &Run, server: &Observed, metric: Metric, name: &str, lang: Lang, rows: &mut Vec<Vec<String>>) -> usize {
    let set = both_arms(run);
    let step = Micros(run.clock.step_us);
    let mut own = 0;
    for (mode, how) in [(Mode::Streaming, Sum::Streaming), (Mode::NonStreaming, Sum::NotStreaming)] {
        let of_mode: Vec<_> = set.iter().copied().filter(|t| t.planned.mode == mode).collect();
        let all = metric_rows(metric, mode, &of_mode);
        let Some(page) = all.first().map(|row| &row.distribution).filter(|d| d.n() > 0) else { continue };
        own += page.n();
        for p in [P50, P90, P95, P99] {
            if let Some((bounds, q)) = server.percentile(p).zip(page.percentile(p)) {
                let name = format!("{name}, {}", how.get(lang));
                rows.push(vec![name, p.name().to_owned(), between(bounds, lang), quantile(q, step)]);
            }
        }
    }
    own
}

fn between(bounds: Between, lang: Lang) -> String {
    let ms = |at: Micros| significant(at.as_ms(), 2);
    match bounds.up_to {
        Some(up_to) => format!("{}–{}", ms(bounds.above), ms(up_to)),
        None => fill(Scr::Above.get(lang), &[&ms(bounds.above)]),
    }
}
