//! Every request, some at a time.

use std::sync::Arc;

use firstlight_core::format::count;
use firstlight_core::metrics::Metric;
use firstlight_core::outcome::Outcome;
use firstlight_core::report::Run;
use firstlight_core::summary::{TimeCell, circumstances, complete_cell, request_order, time_cell};
use firstlight_core::text::{Res, Sum, fill, outcome};
use firstlight_core::trace::{Mode, Trace};
use leptos::prelude::*;

use super::Shown;
use super::outcomes::shape;
use crate::app::view::charts::{AFTER_CHARTS, Selection};
use crate::app::view::words::columns;
use crate::browser::frames;

/// How many rows are added at a time.
const PAGE: usize = 200;
/// Rows stand in parts of so many. Each part changes in a frame of its own: two hundred rows in one hold the page up.
const PART: usize = 20;

/// Places in the run of the requests that are listed, in the order of the list: of what is chosen, or of everything.
fn listed(run: &Run, chosen: &[u32], failures_first: bool) -> Arc<Vec<usize>> {
    let is_chosen =
        |at: &usize| chosen.is_empty() || run.traces.get(*at).is_some_and(|t| chosen.binary_search(&t.planned.id).is_ok());
    Arc::new(request_order(run, failures_first).into_iter().filter(is_chosen).collect())
}

/// Goes on part by part.
fn go_on(reached: RwSignal<usize>, parts: usize) {
    frames::after_next(move || {
        if let Some(now) = reached.try_get_untracked().filter(|now| *now < parts) {
            reached.set(now + 1);
            go_on(reached, parts);
        }
    });
}

/// The list, with what may be asked of it.
pub fn requests(shown: &Shown) -> AnyView {
    let lang = shown.lang;
    let (failures_first, limit) = (RwSignal::new(false), RwSignal::new(PAGE));
    let chosen = Selection::new(shown.state.chosen).following(AFTER_CHARTS, || false);
    let order = RwSignal::new(listed(&shown.run, &chosen.get_untracked(), false));
    // So many parts show the present order.
    let reached = RwSignal::new(usize::MAX);
    let parts = Memo::new(move |_| limit.get() / PART);
    Effect::new({
        let run = Arc::clone(&shown.run);
        move |before: Option<()>| {
            let now = listed(&run, &chosen.get(), failures_first.get());
            if before.is_some() {
                reached.set(0);
                order.set(now);
                // Others are listed from the first again.
                limit.set(PAGE);
                go_on(reached, PAGE / PART);
            }
        }
    });
    let rows = {
        let shown = shown.clone();
        move || (0..parts.get()).map(|nth| part(&shown, nth, order, reached)).collect::<Vec<_>>()
    };
    let more = move || {
        let all = order.with(|order| order.len());
        let left = all.saturating_sub(limit.get());
        let text = fill(Res::ShowMore.get(lang), &[&count(left.min(PAGE)), &count(all)]);
        (left > 0).then(|| view! { <button type="button" id="requests-more" on:click=move |_| limit.update(|l| *l += PAGE)>{text}</button> })
    };
    let both = shown.run.config.modes().len() > 1;
    let heads = [
        Res::ColRequest,
        Res::ColOutcome,
        Res::ColFirstVisible,
        Res::ColFirstAnswer,
        Res::ColComplete,
        Res::ColFlags,
        Res::ColOpen,
    ];
    let heads = columns(&heads.map(|key| key.get(lang)));
    let failed = shown.run.traces.iter().any(|t| t.outcome != Outcome::Complete).then(|| {
        view! {
            <label class="check">
                <input type="checkbox" id="failures-first" prop:checked=failures_first
                    on:change=move |e| failures_first.set(event_target_checked(&e)) />
                {Res::FailuresFirst.get(lang)}
            </label>
        }
    });
    view! {
        <section aria-labelledby="requests-title">
            <h2 id="requests-title">{Res::RequestsTitle.get(lang)}</h2>
            {failed}
            <div class="scroll" role="region" tabindex="0" aria-label=Res::RequestsRegion.get(lang)>
                <table id="requests-table" class=if both { "both" } else { "" }>
                    {heads}
                    {rows}
                </table>
            </div>
            {more}
        </section>
    }
    .into_any()
}

/// Some rows: those of the order before, until it is their turn.
fn part(shown: &Shown, nth: usize, order: RwSignal<Arc<Vec<usize>>>, reached: RwSignal<usize>) -> AnyView {
    let mine = Memo::new(move |old: Option<&Vec<usize>>| match old {
        Some(old) if nth >= reached.get() => old.clone(),
        _ => order.with(|order| order.iter().skip(nth * PART).take(PART).copied().collect()),
    });
    let shown = shown.clone();
    let rows = move || {
        let traces = mine.get().into_iter().filter_map(|at| shown.run.traces.get(at));
        traces.map(|trace| row(&shown, trace)).collect::<Vec<_>>()
    };
    view! { <tbody>{rows}</tbody> }.into_any()
}

fn row(shown: &Shown, trace: &Trace) -> AnyView {
    let (lang, step, state) = (shown.lang, shown.step, shown.state);
    let id = trace.planned.id;
    let fine = trace.outcome == Outcome::Complete;
    let mode = if trace.planned.mode == Mode::Streaming { Sum::Streaming } else { Sum::NotStreaming };
    let open = move |_| {
        state.selected.set(Some(id));
        crate::app::view::waterfall::focus();
    };
    let label = |key: Res| key.get(lang);
    view! {
        <tr data-request=id.to_string() data-outcome=trace.outcome.code() data-mode=trace.planned.mode.code()
            data-warmup=trace.planned.warmup.to_string() class:chosen=move || state.selected.get() == Some(id)>
            <th scope="row">{id}</th>
            <td class=if fine { "end" } else { "end warn" }>
                <span aria-hidden="true">{shape(&trace.outcome)}</span>" "{outcome(lang, &trace.outcome)}
                <small>{mode.get(lang)}</small>
            </td>
            {time(label(Res::ColFirstVisible), time_cell(trace, Metric::FirstVisible, step, lang))}
            {time(label(Res::ColFirstAnswer), time_cell(trace, Metric::FirstAnswer, step, lang))}
            {time(label(Res::ColComplete), complete_cell(trace, step, lang))}
            <td class="flags">{circumstances(&shown.run.environment, trace, lang).join(", ")}</td>
            <td class="open-cell"><button type="button" id=format!("open-{id}") aria-label=fill(Res::OpenTimeline.get(lang), &[&id.to_string()]) on:click=open>
                {Res::Timeline.get(lang)}
            </button></td>
        </tr>
    }
    .into_any()
}

fn time(label: &'static str, cell: TimeCell) -> AnyView {
    match cell {
        TimeCell::Time(text) => view! { <td class="time" data-label=label>{text}</td> }.into_any(),
        TimeCell::Missing(short, whole) => {
            view! { <td class="time missing" data-label=label title=whole>{short}</td> }.into_any()
        }
    }
}
