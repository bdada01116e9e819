//! How the requests ended, what it means, and what to do next.

use firstlight_core::format::count;
use firstlight_core::outcome::Outcome;
use firstlight_core::server_report::Access;
use firstlight_core::summary::{CircumstanceLine, circumstance_lines, expose_lines, notes, server_timing_access};
use firstlight_core::text::{Res, Sum, fill, outcome, outcome_advice};
use firstlight_core::trace::Mode;
use firstlight_core::validity::Effect;
use leptos::prelude::*;

use super::Shown;
use super::copy::copyable;
use crate::app::view::words::{item, quiet, subtitle, tag, title};

/// Counts, advice, notes, and what the server may show.
pub fn outcomes(shown: &Shown) -> AnyView {
    let lang = shown.lang;
    let both = shown.run.config.modes().len() > 1;
    let end = |(mode, ended, n): &(Mode, Outcome, u32)| {
        let word = if *mode == Mode::Streaming { Sum::Streaming } else { Sum::NotStreaming };
        let fine = *ended == Outcome::Complete;
        view! {
            <li data-outcome=ended.code() data-mode=mode.code() class=if fine { "" } else { "warn" }>
                <span aria-hidden="true">{shape(ended)}</span>
                <b>{count(*n as usize)}</b>
                <span>{outcome(lang, ended)}</span>
                {both.then(|| tag(word.get(lang)))}
            </li>
        }
    };
    let warmup =
        (shown.summary.warmup > 0).then(|| quiet(fill(Res::Warmups.get(lang), &[&count(shown.summary.warmup as usize)])));
    view! {
        <section id="outcomes">
            {title(Res::OutcomesTitle.get(lang))}
            <ul class="ends">{shown.summary.outcomes.iter().map(end).collect_view()}</ul>
            {warmup}
            {advice(shown)}
            {said(shown)}
            {circumstances(shown)}
            {timing(shown)}
        </section>
    }
    .into_any()
}

/// The shape that stands for an end, so that colour says nothing alone.
pub fn shape(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Complete => "●",
        Outcome::Cancelled | Outcome::Cut => "■",
        _ => "▲",
    }
}

/// Advice for each kind of end that has any, once.
pub fn advice(shown: &Shown) -> AnyView {
    let mut ends: Vec<&Outcome> = shown.summary.outcomes.iter().map(|(_, o, _)| o).collect();
    ends.sort();
    ends.dedup();
    let line = |end: &Outcome| {
        let advice = outcome_advice(shown.lang, end)?;
        Some(view! { <li><b>{outcome(shown.lang, end)}</b>" — "{advice}</li> })
    };
    let lines: Vec<_> = ends.into_iter().filter_map(line).collect();
    (!lines.is_empty()).then(|| view! { <ul class="advice">{lines}</ul> }).into_any()
}

fn said(shown: &Shown) -> AnyView {
    let notes = notes(&shown.run, shown.lang);
    let list = notes.iter().take(10).cloned().map(item).collect_view();
    (!notes.is_empty()).then(|| view! { {subtitle(Res::NotesTitle.get(shown.lang))}<ul class="notes">{list}</ul> }).into_any()
}

/// What was met on the way, in how many requests, and what it does to the figures.
fn circumstances(shown: &Shown) -> AnyView {
    let lang = shown.lang;
    let line = |line: CircumstanceLine| {
        let effect = match line.effect {
            Effect::Kept => Res::CircKept,
            Effect::Bounded => Res::CircBounded,
            Effect::Excluded => Res::CircExcluded,
        };
        view! {
            <div data-circumstance=line.circumstance.code()>
                <dt>{line.name}" "{tag(effect.get(lang))}</dt>
                <dd><b>{line.how_many}</b>". "{line.meaning}</dd>
            </div>
        }
    };
    let lines: Vec<_> = circumstance_lines(&shown.run, lang).into_iter().map(line).collect();
    (!lines.is_empty()).then(|| view! { {subtitle(Res::CircTitle.get(lang))}<dl id="circumstances">{lines}</dl> }).into_any()
}

fn timing(shown: &Shown) -> AnyView {
    let lang = shown.lang;
    if let Some(lines) = expose_lines(&shown.run) {
        return view! {
            <div id="server-timing">
                {subtitle(Res::TimingTitle.get(lang))}
                <p>{Res::TimingHint.get(lang)}</p>
                {copyable(shown.state, lines)}
            </div>
        }
        .into_any();
    }
    let not_sent = server_timing_access(&shown.run) == Access::NotSent;
    not_sent.then(|| view! { <p id="server-timing" class="quiet">{Res::TimingNotSent.get(lang)}</p> }).into_any()
}
