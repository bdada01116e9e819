//! Where the wait of the request in the middle passed: one bar a wait, on one scale.

use firstlight_core::chart::{Scale, labelled_ticks};
use firstlight_core::format::{count, millis};
use firstlight_core::summary::{PartLine, Typical, part_lines, parts_sentence, typical_waits, wait_name, workload_line};
use firstlight_core::text::{Res, Sum, fill};
use firstlight_core::trace::Mode;
use leptos::prelude::*;

use super::Shown;
use crate::app::view::legend::{legend, swatch};
use crate::app::view::words::{columns, context, quiet, row, tag, title};

struct Bar {
    mode: Mode,
    typical: Typical,
    lines: Vec<PartLine>,
}

/// The picture, its table, its context.
pub fn picture(shown: &Shown) -> AnyView {
    let lang = shown.lang;
    let of_mode = |mode: &Mode| {
        let bar = |typical: Typical| Bar { mode: *mode, lines: part_lines(&typical.split, shown.step, lang), typical };
        typical_waits(&shown.run, &shown.summary, *mode).into_iter().map(bar).collect::<Vec<_>>()
    };
    let bars: Vec<Bar> = shown.run.config.modes().iter().flat_map(of_mode).collect();
    let longest = bars.iter().map(|b| b.typical.split.total.as_ms()).fold(0.0, f64::max);
    let scale = Scale { from: 0.0, to: longest, length: 100.0 };
    let drawn = bars.iter().map(|b| bar(shown, b, scale)).collect_view();
    let body = match bars.is_empty() {
        true => quiet(Res::PictureNone.get(lang).to_owned()),
        false => view! {
            {legend(lang, !shown.run.probes.before.is_empty())}
            <div class="bars">{drawn}{axis(scale)}</div>
            {table(shown, &bars)}
            {context(workload_line(&shown.run, lang, None))}
        }
        .into_any(),
    };
    view! {
        <section id="picture">
            {title(Res::PictureTitle.get(lang))}
            {quiet(Res::PictureHint.get(lang).to_owned())}
            {body}
        </section>
    }
    .into_any()
}

fn mode_word(shown: &Shown, mode: Mode) -> Option<&'static str> {
    (shown.run.config.modes().len() > 1).then(|| match mode {
        Mode::Streaming => Sum::Streaming.get(shown.lang),
        Mode::NonStreaming => Sum::NotStreaming.get(shown.lang),
    })
}

fn bar(shown: &Shown, bar: &Bar, scale: Scale) -> AnyView {
    let (lang, split) = (shown.lang, &bar.typical.split);
    let part = |line: &PartLine| {
        let (from, to) = (scale.at(line.from.as_ms()), scale.at(line.to.as_ms()));
        let label = (to - from > 9.0).then(|| {
            view! { <text x=format!("{:.3}%", (from + to) / 2.0) y="21" text-anchor="middle" class=format!("on {}", line.role.code())>{line.ms.clone()}</text> }
        });
        view! {
            <rect x=format!("{from:.3}%") width=format!("{:.3}%", (to - from).max(0.0)) y="0" height="32" class=line.role.code() />
            {label}
        }
    };
    let item = |line: &PartLine| {
        view! { <li>{swatch(line.role)}<span>{line.name.clone()}</span><b>{line.ms.clone()}" ms"</b><span class="quiet">{line.share.clone()}" %"</span></li> }
    };
    let of = fill(Res::PictureBar.get(lang), &[&bar.typical.id.to_string(), &count(bar.typical.of)]);
    let sentence = parts_sentence(split, shown.step, lang);
    view! {
        <figure class="stack" data-mode=bar.mode.code()>
            <figcaption>
                <b>{wait_name(split.wait, lang)}</b>
                {mode_word(shown, bar.mode).map(tag)}
                <b class="total">{millis(split.total.0, shown.step)}" ms"</b>
                <span class="quiet">{of}</span>
            </figcaption>
            <svg width="100%" height="32" role="img" aria-label=sentence>{bar.lines.iter().map(part).collect_view()}</svg>
            <ul class="parts">{bar.lines.iter().map(item).collect_view()}</ul>
        </figure>
    }
    .into_any()
}

fn axis(scale: Scale) -> AnyView {
    let tick = |(ms, label): (f64, String)| {
        let x = format!("{:.3}%", scale.at(ms));
        let anchor = if ms == 0.0 { "start" } else { "middle" };
        view! { <line x1=x.clone() x2=x.clone() y1="0" y2="6" /><text x=x y="20" text-anchor=anchor>{label}</text> }
    };
    // A tick near the edge would run into the unit.
    let inside = labelled_ticks(scale.to, 4).into_iter().filter(|(ms, _)| scale.at(*ms) < 90.0).map(tick).collect_view();
    view! {
        <svg class="axis" width="100%" height="24" aria-hidden="true">
            {inside}
            <text x="100%" y="20" text-anchor="end">"ms"</text>
        </svg>
    }
    .into_any()
}

fn table(shown: &Shown, bars: &[Bar]) -> AnyView {
    let lang = shown.lang;
    let rows = |bar: &Bar| {
        let wait = [Some(wait_name(bar.typical.split.wait, lang)), mode_word(shown, bar.mode)];
        let wait = wait.into_iter().flatten().collect::<Vec<_>>().join(", ");
        let sum = millis(bar.typical.split.total.0, shown.step);
        let rows = bar
            .lines
            .iter()
            .map(|line| row(line.role.code(), line.name.clone().into_any(), vec![line.ms.clone(), line.share.clone()]));
        view! {
            <tbody>
                <tr class="group"><th scope="rowgroup" colspan="3">{wait}</th></tr>
                {rows.collect_view()}
                {row("sum", Res::ColSum.get(lang).into_any(), vec![sum, "100".to_owned()])}
            </tbody>
        }
    };
    view! {
        <details>
            <summary>{Res::AsTable.get(lang)}</summary>
            <table class="plain">
                {columns(&[Res::ColPart.get(lang), "ms", "%"])}
                {bars.iter().map(rows).collect_view()}
            </table>
        </details>
    }
    .into_any()
}
