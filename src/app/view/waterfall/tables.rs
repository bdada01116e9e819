//! Everything about one request in rows: parts, marks, spans, response.

use firstlight_core::align::Alignment;
use firstlight_core::format::millis;
use firstlight_core::gap::{Wait, split_aligned};
use firstlight_core::outcome::Outcome;
use firstlight_core::summary::{
    MarkLine, PartLine, boundary_name, circumstances, clock_error, facts, mark_lines, part_lines, source_name, span_value,
    wait_name,
};
use firstlight_core::text::{Res, absence, diagnostic, outcome, outcome_advice};
use firstlight_core::trace::Trace;
use leptos::prelude::*;

use crate::app::view::legend::swatch;
use crate::app::view::results::Shown;
use crate::app::view::words::{columns, item, quiet, row, subtitle};

/// How it ended, what that means, and what is worth knowing of it.
pub fn outcome_line(shown: &Shown, trace: &Trace) -> AnyView {
    let lang = shown.lang;
    let class = if trace.outcome == Outcome::Complete { "" } else { "warn" };
    let flags = circumstances(&shown.run.environment, trace, lang);
    let notes = trace.diagnostics.iter().map(|d| item(diagnostic(lang, d.code, &d.detail))).collect_view();
    view! {
        <p><b class=class>{crate::app::view::results::shape(&trace.outcome)}" "{outcome(lang, &trace.outcome)}</b>
            {(!flags.is_empty()).then(|| view! { <span class="quiet">" · "{flags.join(", ")}</span> })}</p>
        {outcome_advice(lang, &trace.outcome).map(|advice| view! { <p class="advice">{advice}</p> })}
        {(!trace.diagnostics.is_empty()).then(|| view! { <ul class="notes">{notes}</ul> })}
    }
    .into_any()
}

/// The tables.
pub fn tables(shown: &Shown, trace: &Trace) -> AnyView {
    let lang = shown.lang;
    let mark = |line: MarkLine| {
        let cell = match line.at {
            Ok(at) => view! { <td class="time">{at}</td> }.into_any(),
            Err(why) => view! { <td class="missing">{why}</td> }.into_any(),
        };
        view! { <tr data-mark=line.code><th scope="row">{line.code.replace('_', " ")}</th>{cell}</tr> }
    };
    let marks = mark_lines(trace, shown.step, lang).into_iter().map(mark).collect_view();
    view! {
        <div class="details">
            <div>
                {subtitle(Res::PartsTitle.get(lang))}
                {trace.streamed().then(|| parts(shown, trace, [Wait::FirstVisible, Wait::FirstAnswer]))}
                {parts(shown, trace, [Wait::CompleteVisible, Wait::LastOutput])}
                {subtitle(Res::SpansTitle.get(lang))}
                {spans(shown, trace)}
                {subtitle(Res::FactsTitle.get(lang))}
                {response(shown, trace)}
            </div>
            <div>
                {subtitle(Res::MarksTitle.get(lang))}
                <table class="plain marks">
                    {columns(&[Res::ColMark.get(lang), Res::ColAt.get(lang)])}
                    <tbody>{marks}</tbody>
                </table>
            </div>
        </div>
    }
    .into_any()
}

/// The first of these waits that can be split, else why the last can't.
fn parts(shown: &Shown, trace: &Trace, waits: [Wait; 2]) -> AnyView {
    let lang = shown.lang;
    let [seen, received] = waits;
    let (error, alignment) = (clock_error(&shown.run), Alignment::of(&shown.run));
    let split = |wait| split_aligned(trace, wait, error, &alignment);
    let whole = match split(seen).or_else(|_| split(received)) {
        Ok(whole) => whole,
        Err(why) => {
            let text = format!("{}: {}", wait_name(received, lang), absence(lang, why));
            return quiet(text);
        }
    };
    let part = |line: PartLine| row("", view! { {swatch(line.role)}{line.name} }.into_any(), vec![line.ms, line.share]);
    view! {
        <table class="plain parts-table">
            {columns(&[wait_name(whole.wait, lang), "ms", "%"])}
            <tbody>{part_lines(&whole, shown.step, lang).into_iter().map(part).collect_view()}</tbody>
            <tfoot>{row("sum", Res::ColSum.get(lang).into_any(), vec![millis(whole.total.0, shown.step), "100".to_owned()])}</tfoot>
        </table>
    }
    .into_any()
}

fn response(shown: &Shown, trace: &Trace) -> AnyView {
    let facts = facts(trace, shown.lang);
    if facts.is_empty() {
        return quiet(Res::SpansNone.get(shown.lang).to_owned());
    }
    let fact = |(label, value): (&'static str, String)| view! { <div><dt>{label}</dt><dd>{value}</dd></div> };
    view! { <dl class="facts">{facts.into_iter().map(fact).collect_view()}</dl> }.into_any()
}

fn spans(shown: &Shown, trace: &Trace) -> AnyView {
    let lang = shown.lang;
    if trace.spans.is_empty() {
        return quiet(Res::SpansNone.get(lang).to_owned());
    }
    let row = |span: &firstlight_core::server_report::Span| {
        view! {
            <tr>
                <th scope="row">{span.name.clone()}{span.description.clone().map(|text| view! { <small>{text}</small> })}</th>
                <td>{span_value(span)}</td>
                <td class="words">{source_name(span.source, lang)}<small>{boundary_name(span.boundary, lang)}</small></td>
            </tr>
        }
    };
    view! {
        <table class="plain spans">
            <thead><tr>
                <th scope="col">{Res::ColSpan.get(lang)}</th>
                <th scope="col">{Res::ColValue.get(lang)}</th>
                <th scope="col" class="words">{Res::ColSource.get(lang)}", "{Res::ColBoundary.get(lang)}</th>
            </tr></thead>
            <tbody>{trace.spans.iter().map(row).collect_view()}</tbody>
        </table>
    }
    .into_any()
}
