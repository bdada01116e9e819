//! The table of metrics × percentiles, each with its interval, or the reason why there is none.

use firstlight_core::metrics::Metric;
use firstlight_core::report::Run;
use firstlight_core::summary::{Cell, Summary, TableRow, context_line, table};
use firstlight_core::text::{Emb, Lang, Res};
use web_sys::Element;

use super::result::mode_word;
use crate::dom::{Child, all, el, text};

/// Those that stand in sight; the others are folded.
const MAIN: [Metric; 5] = [Metric::FirstVisible, Metric::CompleteVisible, Metric::Ttft, Metric::EndToEnd, Metric::Tpot];

pub(crate) fn metrics(run: &Run, summary: &Summary, lang: Lang) -> Element {
    let (main, rest): (Vec<TableRow>, Vec<TableRow>) =
        table(run, summary, lang).into_iter().partition(|row| MAIN.contains(&row.metric));
    let title = text("h2", "", Res::MetricsTitle.get(lang));
    let more = vec![text("summary", "", Emb::AllFigures.get(lang)).into(), rows(run, &rest, lang).into()];
    let line = context_line(run, lang, None, "", Res::MetricsStatistic.get(lang));
    let children =
        vec![title.into(), rows(run, &main, lang).into(), el("details", &[], more).into(), text("p", "context", line).into()];
    el("section", &[("part", "figures")], children)
}

/// Wider than a narrow place: it scrolls by itself, by keys too.
fn rows(run: &Run, rows: &[TableRow], lang: Lang) -> Element {
    let both = run.config.modes().len() > 1;
    let stats = rows.iter().find(|row| !row.cells.is_empty()).map(|row| row.cells.iter().map(|cell| cell.stat).collect());
    let stats: Vec<&str> = stats.unwrap_or_default();
    let head = |stat: &&str| match *stat {
        "mean" => Res::ColMean.get(lang).to_owned(),
        "max" => Res::ColMax.get(lang).to_owned(),
        stat => stat.to_owned(),
    };
    let names = [Res::ColMetric.get(lang).to_owned(), Res::ColUnit.get(lang).to_owned(), "n".to_owned()];
    let names = names.into_iter().chain(stats.iter().map(head));
    let heads = all(names.map(|name| el("th", &[("scope", "col")], vec![name.into()])));
    let head = el("thead", &[], vec![el("tr", &[], heads).into()]);
    let body = el("tbody", &[], all(rows.iter().map(|of| row(of, both, stats.len(), lang))));
    let table = el("table", &[], vec![head.into(), body.into()]);
    let attributes = [("class", "scroll"), ("tabindex", "0"), ("role", "group"), ("aria-label", Res::MetricsTitle.get(lang))];
    el("div", &attributes, vec![table.into()])
}

fn row(row: &TableRow, both: bool, columns: usize, lang: Lang) -> Element {
    let mode = both.then(|| text("small", "", mode_word(row.mode, lang)));
    let why = row.missing.join(" · ");
    let partly = (!row.cells.is_empty() && !why.is_empty()).then(|| text("small", "", why.clone()));
    let class = if row.metric.is_seen() { "term seen" } else { "term received" };
    let definition = vec![
        el("summary", &[("class", class)], vec![row.name.clone().into()]).into(),
        text("p", "hint", row.definition.clone()).into(),
        text("p", "hint", row.context.clone()).into(),
    ];
    let name = el("details", &[("class", "definition")], definition);
    let name = el("th", &[("scope", "row")], vec![name.into(), mode.into(), partly.into()]);
    let mut cells: Vec<Child> = vec![name.into(), text("td", "", row.unit).into()];
    if row.cells.is_empty() {
        let why = if why.is_empty() { Res::MetricsNobody.get(lang).to_owned() } else { why };
        let span = (columns + 1).to_string();
        cells.push(el("td", &[("class", "reason"), ("colspan", &span)], vec![why.into()]).into());
    } else {
        cells.push(text("td", "", row.n.clone()).into());
        cells.extend(all(row.cells.iter().map(cell)));
    }
    let attributes = [("data-metric", row.metric.code()), ("data-mode", row.mode.code()), ("data-edge", row.edge.code())];
    el("tr", &attributes, cells)
}

fn cell(cell: &Cell) -> Element {
    let interval = cell.interval.clone().map(|interval| text("small", "", interval));
    el("td", &[("data-stat", cell.stat)], vec![cell.text.clone().into(), interval.into()])
}
