//! How much was done per second, and how the two modes compare.

use firstlight_core::summary::{PairedLine, pace_line, paired_lines};
use firstlight_core::text::{Res, Sum};
use firstlight_core::trace::Mode;
use leptos::prelude::*;

use super::Shown;
use crate::app::view::words::{columns, quiet, row, subtitle, tag, title};

/// Throughput, steady state, paired differences.
pub fn pace(shown: &Shown) -> AnyView {
    let lang = shown.lang;
    let modes = shown.run.config.modes();
    let line = |mode: &Mode| {
        let word = if *mode == Mode::Streaming { Sum::Streaming } else { Sum::NotStreaming };
        let tag = (modes.len() > 1).then(|| view! { {tag(word.get(lang))}" " });
        view! { <p data-mode=mode.code()>{tag}{pace_line(&shown.summary, *mode, lang)}</p> }
    };
    view! {
        <section id="pace">
            {title(Res::PaceTitle.get(lang))}
            {modes.iter().map(line).collect_view()}
            {paired(shown)}
        </section>
    }
    .into_any()
}

fn paired(shown: &Shown) -> AnyView {
    let lang = shown.lang;
    let lines = paired_lines(&shown.summary, shown.step, lang);
    if lines.is_empty() {
        return ().into_any();
    }
    let line = |line: PairedLine| row(line.metric.code(), line.name.into_any(), vec![line.median, line.interval, line.n]);
    let heads = [Res::ColMetric, Res::PairedMedian, Res::PairedInterval, Res::PairedPairs].map(|key| key.get(lang));
    view! {
        {subtitle(Res::PairedTitle.get(lang))}
        {quiet(Res::PairedHint.get(lang).to_owned())}
        <table id="paired" class="plain">
            {columns(&heads)}
            <tbody>{lines.into_iter().map(line).collect_view()}</tbody>
        </table>
    }
    .into_any()
}
