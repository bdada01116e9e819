//! The table of metrics × percentiles.

use firstlight_core::metrics::Metric;
use firstlight_core::summary::{Cell, Edge, TableRow, context_line, table};
use firstlight_core::text::{Res, Sum};
use firstlight_core::trace::Mode;
use leptos::prelude::*;

use super::Shown;
use crate::app::view::words::{columns, context, quiet, tag};

const STATS: [&str; 8] = ["p50", "p90", "p95", "p99", "p99.9", "max", "mean", "sd"];
/// Those that are always in sight.
const MAIN: [Metric; 5] = [Metric::FirstVisible, Metric::CompleteVisible, Metric::Ttft, Metric::EndToEnd, Metric::Tpot];

/// The table and its context.
pub fn metrics(shown: &Shown) -> AnyView {
    let lang = shown.lang;
    let both = shown.run.config.modes().len() > 1;
    let (main, rest): (Vec<TableRow>, Vec<TableRow>) =
        table(&shown.run, &shown.summary, lang).into_iter().partition(|row| MAIN.contains(&row.metric));
    let more = RwSignal::new(false);
    let word = move || if more.get() { Res::MetricsFewer } else { Res::MetricsMore }.get(lang);
    let names = [Res::ColMetric.get(lang), Res::ColUnit.get(lang), "n"].into_iter();
    let heads: Vec<&'static str> = names.chain(STATS.iter().map(|stat| head(shown, stat))).collect();
    let line = context_line(&shown.run, lang, None, "", Res::MetricsStatistic.get(lang));
    view! {
        <section aria-labelledby="metrics-title">
            <h2 id="metrics-title">{Res::MetricsTitle.get(lang)}</h2>
            {quiet(Res::MetricsHint.get(lang).to_owned())}
            <table id="metrics" on:keydown=hide_tip>
                {columns(&heads)}
                <tbody>{main.into_iter().map(|r| row(shown, r, both)).collect_view()}</tbody>
                <tbody id="metrics-rest" hidden=move || !more.get()>{rest.into_iter().map(|r| row(shown, r, both)).collect_view()}</tbody>
            </table>
            <button type="button" id="metrics-more" aria-controls="metrics-rest" aria-expanded=move || more.get().to_string()
                on:click=move |_| more.update(|m| *m = !*m)>{word}</button>
            {context(line)}
        </section>
    }
    .into_any()
}

/// Escape takes a definition away that the focus has opened.
fn hide_tip(event: web_sys::KeyboardEvent) {
    if event.key() == "Escape" {
        use wasm_bindgen::JsCast;
        let focused = document().active_element().and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok());
        // What can't lose the focus keeps it.
        let _ = focused.map(|element| element.blur());
    }
}

fn head(shown: &Shown, stat: &'static str) -> &'static str {
    match stat {
        "mean" => Res::ColMean.get(shown.lang),
        "max" => Res::ColMax.get(shown.lang),
        stat => stat,
    }
}

fn row(shown: &Shown, row: TableRow, both: bool) -> AnyView {
    let edge = match row.edge {
        Edge::Value => "value",
        Edge::Earliest => "earliest",
        Edge::Latest => "latest",
    };
    let reason = match row.missing.is_empty() {
        true => Res::MetricsNobody.get(shown.lang).to_owned(),
        false => row.missing.join(" · "),
    };
    let cells = match row.cells.is_empty() {
        true => view! { <td class="reason" colspan=(STATS.len() + 1).to_string()>{reason}</td> }.into_any(),
        false => view! {
            <td data-stat="n" data-label="n">{row.n.clone()}</td>
            {row.cells.iter().map(|c| cell(shown, c)).collect_view()}
        }
        .into_any(),
    };
    view! {
        <tr data-metric=row.metric.code() data-mode=row.mode.code() data-edge=edge>
            {name(shown, &row, both, edge)}
            <td class="unit">{row.unit}</td>
            {cells}
        </tr>
    }
    .into_any()
}

fn cell(shown: &Shown, cell: &Cell) -> AnyView {
    let class = if cell.too_few { "interval few" } else { "interval" };
    view! {
        <td data-stat=cell.stat.replace('.', "") data-label=head(shown, cell.stat)>
            {cell.text.clone()}
            {cell.interval.clone().map(|text| view! { <small class=class>{text}</small> })}
        </td>
    }
    .into_any()
}

/// The name; its definition and context appear on hover, focus and tap, and go with Escape.
fn name(shown: &Shown, row: &TableRow, both: bool, edge: &str) -> AnyView {
    let id = format!("def-{}-{}-{edge}", row.metric.code(), row.mode.code());
    let mode = both.then(|| match row.mode {
        Mode::Streaming => Sum::Streaming.get(shown.lang),
        Mode::NonStreaming => Sum::NotStreaming.get(shown.lang),
    });
    let role = if row.metric.is_seen() { "seen" } else { "received" };
    let partly = (!row.cells.is_empty() && !row.missing.is_empty()).then(|| row.missing.join(" · "));
    view! {
        <th scope="row">
            <button type="button" class=format!("term {role}") aria-describedby=id.clone()>{row.name.clone()}</button>
            {mode.map(tag)}
            <span class="tip" role="tooltip" id=id>
                <span>{row.definition.clone()}</span>
                <span class="context">{row.context.clone()}</span>
            </span>
            {partly.map(|text| view! { <small class="partly">{text}</small> })}
        </th>
    }
    .into_any()
}
