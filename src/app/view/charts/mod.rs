//! The charts of a result: what core has laid out, drawn as SVG, with one selection for all of them.

mod drawing;
mod export;
mod figure;
mod pointing;
mod selection;
mod watch;

use firstlight_core::chart::{Chart, metrics_of};
use firstlight_core::metrics::Metric;
use firstlight_core::text::{Cht, Sum, metric_name};
use firstlight_core::trace::Mode;
use leptos::prelude::*;

use super::results::Shown;
use super::words::quiet;
pub use selection::{AFTER_CHARTS, Selection};

/// What is chosen for all charts: the way of asking, the metric, and requests.
#[derive(Clone, Copy)]
struct Chosen {
    mode: RwSignal<Mode>,
    metric: RwSignal<Metric>,
    selection: Selection,
}

/// Every chart that applies to the run.
pub fn charts(shown: &Shown) -> AnyView {
    let (state, lang) = (shown.state, shown.lang);
    let Some(first_mode) = shown.run.config.modes().first().copied() else { return ().into_any() };
    let metric = metrics_of(&shown.summary, first_mode).first().copied().unwrap_or(Metric::FirstAnswer);
    let chosen =
        Chosen { mode: RwSignal::new(first_mode), metric: RwSignal::new(metric), selection: Selection::new(state.chosen) };
    let each =
        Chart::ALL.into_iter().zip(1..).map(|(chart, turn)| figure::place(shown, chart, chosen, turn)).collect::<Vec<_>>();
    view! {
        <section id="charts" aria-labelledby="charts-title">
            <h2 id="charts-title">{Cht::Title.get(lang)}</h2>
            {quiet(Cht::Hint.get(lang).to_owned())}
            {choices(shown, chosen)}
            {selection::line(shown, chosen.selection)}
            <div class="figures">{each}</div>
        </section>
        {watch::watch(shown, chosen)}
    }
    .into_any()
}

/// The way of asking, where there are two, and the metric of the charts that show one.
fn choices(shown: &Shown, chosen: Chosen) -> AnyView {
    let lang = shown.lang;
    let modes = shown.run.config.modes();
    let mode = (modes.len() > 1).then(|| {
        let name = |mode: Mode| if mode == Mode::Streaming { Sum::Streaming } else { Sum::NotStreaming }.get(lang);
        let option = move |mode: &Mode| {
            let mode = *mode;
            view! { <option value=mode.code() selected=move || chosen.mode.get() == mode>{name(mode)}</option> }
        };
        let of = shown.clone();
        let pick = move |event| {
            let Some(mode) = Mode::from_code(&event_target_value(&event)) else { return };
            chosen.mode.set(mode);
            // What the list shows is what is drawn.
            let metrics = metrics_of(&of.summary, mode);
            if let Some(first) = metrics.first().filter(|_| !metrics.contains(&chosen.metric.get_untracked())) {
                chosen.metric.set(*first);
            }
        };
        view! {
            <label for="charts-mode">{Cht::ChooseMode.get(lang)}</label>
            <select id="charts-mode" on:change=pick>{modes.iter().map(option).collect_view()}</select>
        }
    });
    let shown = shown.clone();
    let metrics = move || {
        let metrics = metrics_of(&shown.summary, chosen.mode.get());
        let option = |metric: Metric| {
            view! { <option value=metric.code() selected=move || chosen.metric.get() == metric>{metric_name(lang, metric)}</option> }
        };
        metrics.into_iter().map(option).collect_view()
    };
    let pick = move |event| {
        let code = event_target_value(&event);
        if let Some(metric) = Metric::ALL.into_iter().find(|m| m.code() == code) {
            chosen.metric.set(metric);
        }
    };
    view! {
        <div class="choices">
            {mode}
            <label for="charts-metric">{Cht::ChooseMetric.get(lang)}</label>
            <select id="charts-metric" on:change=pick>{metrics}</select>
        </div>
    }
    .into_any()
}

/// The title of a part of the page that stands under another.
fn small_title(text: String, id: String) -> AnyView {
    view! { <h3 id=id>{text}</h3> }.into_any()
}
