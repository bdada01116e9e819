//! Every request, some at a time.

use firstlight_core::format::count;
use firstlight_core::metrics::Metric;
use firstlight_core::outcome::Outcome;
use firstlight_core::summary::{TimeCell, circumstances, complete_cell, request_order, time_cell};
use firstlight_core::text::{Res, Sum, fill, outcome};
use firstlight_core::trace::{Mode, Trace};
use leptos::prelude::*;

use super::Shown;
use super::outcomes::shape;
use crate::app::view::words::columns;

/// How many rows are added at a time.
const PAGE: usize = 200;

/// The list, with what may be asked of it.
pub fn requests(shown: &Shown) -> AnyView {
    let lang = shown.lang;
    let (failures_first, limit) = (RwSignal::new(false), RwSignal::new(PAGE));
    let all = shown.run.traces.len();
    let rows = {
        let shown = shown.clone();
        let order = Memo::new({
            let run = shown.run.clone();
            move |_| request_order(&run, failures_first.get())
        });
        move || {
            order.with(|order| {
                order.iter().take(limit.get()).filter_map(|at| shown.run.traces.get(*at)).map(|t| row(&shown, t)).collect_view()
            })
        }
    };
    let more = move || {
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
                    <tbody>{rows}</tbody>
                </table>
            </div>
            {more}
        </section>
    }
    .into_any()
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
