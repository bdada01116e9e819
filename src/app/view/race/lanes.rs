//! The lanes: each answer as a chat shows it, with its clocks; then what this one race showed.

use firstlight_core::race::{Lane, arms, competing, lane_lines, lane_name, press_lines, sentence};
use firstlight_core::text::{Rac, fill};
use leptos::prelude::*;

use super::{measuring_pairs, rac};
use crate::app::race::{Doing, Stage};
use crate::app::state::{Phase, State};
use crate::app::view::words::{item, quiet};

/// The prompt, and a lane for each request. What is inside `.answer` belongs to the runner: nothing here changes it, and it
/// stays until the next race.
pub fn lanes(state: State) -> AnyView {
    // Fresh ones for each race, even if it has the same lanes.
    let race = Memo::new(move |_| (state.race.begun.get(), state.race.lanes.get()));
    let hidden = Memo::new(move |_| measuring_pairs(state));
    view! {
        <div class="lanes-frame" hidden=hidden>
            <p class="asked"><span class="sr">{rac(state, Rac::Prompt)}": "</span>{move || state.form.prompt.get()}</p>
            <div id="lanes" role="group" aria-label=rac(state, Rac::Lanes)>
                {move || race.get().1.into_iter().map(|of| lane(state, of, hidden)).collect::<Vec<_>>()}
            </div>
        </div>
    }
    .into_any()
}

fn lane(state: State, lane: Lane, hidden: Memo<bool>) -> AnyView {
    let code = format!("{}-{}", lane.mode.code(), lane.arm);
    let title = format!("lane-{code}-title");
    // While pairs are measured, the places are theirs.
    let id = move || format!("{}-{}", if hidden.get() { "lane" } else { "slot" }, lane.id);
    let named = move || lane_name(lane, state.race.lanes.with(Vec::len), state.lang.get());
    view! {
        <article class="lane" data-lane=code aria-labelledby=title>
            <h3 id=title.clone()>{named}</h3>
            <p class="lane-clock">{move || clock(state, lane)}</p>
            <div class="slot" id=id><div class="answer" data-empty=rac(state, Rac::LaneEmpty)></div></div>
            {move || figures(state, lane)}
        </article>
    }
    .into_any()
}

/// The running clock: whole seconds, until the figures are there.
fn clock(state: State, lane: Lane) -> String {
    let lang = state.lang.get();
    let racing = state.phase.get() == Phase::Running && state.race.doing.get() == Some(Doing::Lanes);
    let live = state.race.live.with(|live| live.get(lane.id as usize).copied().flatten());
    let seconds = |key: Rac, seconds: i64| fill(key.get(lang), &[&seconds.to_string()]);
    match (racing, live) {
        (true, Some((Stage::Waiting, s))) => seconds(Rac::Waiting, s),
        (true, Some((Stage::Answering, s))) => seconds(Rac::Answering, s),
        (true, None) => Rac::Preparing.get(lang).to_owned(),
        (true, Some((Stage::Over, _))) => Rac::Over.get(lang).to_owned(),
        (false, _) if state.race.run.with(Option::is_some) => Rac::Over.get(lang).to_owned(),
        _ => Rac::Ready.get(lang).to_owned(),
    }
}

/// The clocks as they stopped.
fn figures(state: State, lane: Lane) -> Option<AnyView> {
    let run = state.race.run.get()?;
    let lang = state.lang.get();
    let line = |line: firstlight_core::race::LaneLine| {
        let class = if line.metric.is_seen() { "seen" } else { "received" };
        let (code, value) = (
            line.metric.code(),
            match line.time {
                Ok(ms) => view! { <strong>{fill(Rac::Ms.get(lang), &[&ms])}</strong> }.into_any(),
                Err(why) => quiet(fill(Rac::LaneMissing.get(lang), &[why])),
            },
        );
        view! { <div class=class data-metric=code><dt>{line.name}</dt><dd>{value}</dd></div> }.into_any()
    };
    let lines = lane_lines(&run, lane, lang).into_iter().map(line).collect::<Vec<_>>();
    Some(view! { <dl class="clocks">{lines}</dl> }.into_any())
}

/// What this one race showed, and what it can't.
pub fn showed(state: State) -> AnyView {
    let shown = move || {
        let run = state.race.run.get()?;
        let lang = state.lang.get();
        let arms = arms(&run.config);
        let named = |arm: u8| match (arms.len(), arm) {
            (1, _) => "",
            (_, 0) => Rac::AtFirst.get(lang),
            _ => Rac::AtSecond.get(lang),
        };
        let said = arms.iter().filter_map(|arm| Some((named(*arm), sentence(&run, *arm, lang)?)));
        let said = said.map(|(name, text)| {
            view! { <p class="seen-line">{(!name.is_empty()).then(|| view! { <small>{name}" "</small> })}{text}</p> }.into_any()
        });
        let lanes = run.traces.len();
        let press = state.race.pressed.get().map(|[to_paint, contentful]| {
            let lines = press_lines(&run, to_paint, contentful, lang).into_iter().map(item).collect::<Vec<_>>();
            view! { <details class="press"><summary>{Rac::PressTitle.get(lang)}</summary><ul class="notes">{lines}</ul></details> }
        });
        Some(view! {
            <h3>{Rac::ShowedTitle.get(lang)}</h3>
            {said.collect::<Vec<_>>()}
            {quiet(competing(lang, lanes))}
            {press}
        })
    };
    let hidden = move || state.race.run.with(Option::is_none) || measuring_pairs(state);
    view! { <div id="race-showed" hidden=hidden>{shown}</div> }.into_any()
}
