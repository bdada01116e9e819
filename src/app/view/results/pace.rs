//! How much was done per second, and how the two modes compare.

use firstlight_core::summary::{PairedLine, pace_line, paired_lines};
use firstlight_core::text::{Res, Sum};
use firstlight_core::trace::Mode;
use leptos::prelude::*;

use super::Shown;

/// Throughput, steady state, paired differences.
pub fn pace(shown: &Shown) -> AnyView {
    let lang = shown.lang;
    let modes = shown.run.config.modes();
    let line = |mode: &Mode| {
        let word = if *mode == Mode::Streaming { Sum::Streaming } else { Sum::NotStreaming };
        let tag = (modes.len() > 1).then(|| view! { <span class="tag">{word.get(lang)}</span>" " });
        view! { <p data-mode=mode.code()>{tag}{pace_line(&shown.summary, *mode, lang)}</p> }
    };
    view! {
        <section id="pace">
            <h2>{Res::PaceTitle.get(lang)}</h2>
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
    let row = |line: &PairedLine| {
        view! {
            <tr data-metric=line.metric.code()>
                <th scope="row">{line.name}</th>
                <td>{line.median.clone()}</td>
                <td>{line.interval.clone()}</td>
                <td>{line.n.clone()}</td>
            </tr>
        }
    };
    let head = |text: String| view! { <th scope="col">{text}</th> };
    let heads = [
        Res::ColMetric.get(lang).to_owned(),
        format!("{}, ms", Res::PairedMedian.get(lang)),
        Res::PairedInterval.get(lang).to_owned(),
        Res::PairedPairs.get(lang).to_owned(),
    ];
    view! {
        <h3>{Res::PairedTitle.get(lang)}</h3>
        <p class="quiet">{Res::PairedHint.get(lang)}</p>
        <table id="paired" class="plain">
            <thead><tr>{heads.map(head).collect_view()}</tr></thead>
            <tbody>{lines.iter().map(row).collect_view()}</tbody>
        </table>
    }
    .into_any()
}
