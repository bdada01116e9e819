//! Two answers again, as they came.

use firstlight_core::Micros;
use firstlight_core::chart::{Replay, replay, to_watch};
use firstlight_core::format::millis;
use firstlight_core::text::{Cht, fill};
use leptos::prelude::*;

use super::{AFTER_CHARTS, Chosen};
use crate::app::view::results::Shown;
use crate::app::view::words::quiet;
use crate::browser::{clock, frames, prefers_little_motion};

/// Letters of a word that stands for others: lengths of words in running text, over and over.
const WORDS: [usize; 11] = [3, 5, 2, 8, 4, 6, 3, 9, 2, 5, 7];
/// What a replay shows at most: more would not fit, and nobody reads it.
const MOST: usize = 1_200;

/// The section; nothing where no answer came.
pub fn watch(shown: &Shown, chosen: Chosen) -> AnyView {
    let lang = shown.lang;
    let shown_for = shown.clone();
    let marked = chosen.selection.following(AFTER_CHARTS, || false);
    let places = Memo::new_with_compare(
        move |_| {
            let ranked = to_watch(&shown_for.summary, chosen.mode.get());
            let named = ranked.into_iter().map(|(p, id)| (fill(Cht::WatchRank.get(lang), &[p.name(), &id.to_string()]), id));
            let selected = marked.get();
            let picked = selected.iter().take(4).map(|id| (fill(Cht::WatchSelected.get(lang), &[&id.to_string()]), *id));
            let all: Vec<(String, u32)> = named.chain(picked).collect();
            let there = |id: u32| shown_for.run.request(id).and_then(replay);
            all.into_iter().filter_map(|(name, id)| Some((name, there(id)?))).collect::<Vec<(String, Replay)>>()
        },
        |old, new| old != new,
    );
    // Since when it plays, and the time that is shown.
    let begun = RwSignal::new(None::<f64>);
    let at = RwSignal::new(None::<Micros>);
    let picks = [RwSignal::new(0usize), RwSignal::new(1)];
    let longest = move || {
        let replays = places.get_untracked();
        picks.iter().filter_map(|pick| replays.get(pick.get_untracked())).map(|(_, r)| r.end).max().unwrap_or_default()
    };
    let play = move |_| {
        if begun.get_untracked().is_some() {
            return begun.set(None);
        }
        let now = clock::now_ms();
        begun.set(Some(now));
        tick(begun, at, now, longest());
    };
    let word = move || if begun.get().is_some() { Cht::WatchStop } else { Cht::WatchPlay }.get(lang);
    let step = shown.step;
    let pane = |n: usize| pane(n, places, picks[n], at, step, lang);
    let hidden = move || places.with(Vec::is_empty);
    view! {
        <section id="watch" hidden=hidden aria-labelledby="watch-title">
            <h2 id="watch-title">{Cht::WatchTitle.get(lang)}</h2>
            {quiet(Cht::WatchHint.get(lang).to_owned())}
            <div class="buttons"><button type="button" id="watch-play" on:click=play>{word}</button></div>
            <div class="panes">{pane(0)}{pane(1)}</div>
        </section>
    }
    .into_any()
}

/// Goes on frame by frame until the longer answer is whole, or somebody stops it.
fn tick(begun: RwSignal<Option<f64>>, at: RwSignal<Option<Micros>>, mine: f64, end: Micros) {
    // The section may be gone with its run.
    if begun.try_get_untracked() != Some(Some(mine)) {
        return;
    }
    let passed = Micros::from_ms(clock::now_ms() - mine);
    at.set(Some(passed.min(end)));
    if passed >= end {
        return begun.set(None);
    }
    frames::next(move |_| tick(begun, at, mine, end));
}

fn pane(
    n: usize,
    places: Memo<Vec<(String, Replay)>>,
    pick: RwSignal<usize>,
    at: RwSignal<Option<Micros>>,
    step: Micros,
    lang: firstlight_core::text::Lang,
) -> AnyView {
    let id = format!("watch-{n}");
    let options = move || {
        let option = |(place, (name, _)): (usize, &(String, Replay))| {
            view! { <option value=place selected=move || pick.get() == place>{name.clone()}</option> }.into_any()
        };
        places.with(|all| all.iter().enumerate().map(option).collect::<Vec<_>>())
    };
    let mine = move |all: &Vec<(String, Replay)>| all.get(pick.get()).or(all.last()).map(|(_, r)| r.clone());
    let replay = Memo::new(move |_| places.with(mine));
    let stands = Memo::new(move |_| {
        let replay = replay.get()?;
        Some(at.get().map_or(replay.chars, |at| replay.at(at)))
    });
    let text = move || stands.get().map(|chars| words(chars as usize));
    let little = prefers_little_motion();
    let clock_text = move || {
        let replay = replay.get()?;
        let now = at.get().unwrap_or(replay.end);
        let first = replay.shown.first().map_or(replay.end, |(at, _)| *at);
        let part = |key: Cht, time: Micros, seen: bool| {
            let text = fill(key.get(lang), &[&millis(time.0, step)]);
            if seen { text } else { format!("{text} {}", Cht::WatchReceived.get(lang)) }
        };
        let mut parts = Vec::new();
        if now < first {
            parts.push(Cht::WatchWaiting.get(lang).to_owned());
        } else {
            parts.push(part(Cht::WatchSeen, first, replay.seen.0));
        }
        if now >= replay.end {
            parts.push(part(Cht::WatchDone, replay.end, replay.seen.1));
        } else if !little {
            parts.push(format!("{:.1} s", now.as_secs()));
        }
        Some(parts.join(" · "))
    };
    view! {
        <div class="pane">
            <label for=id.clone() class="sr">{Cht::WatchOf.get(lang)}</label>
            <select id=id.clone() on:change=move |event| pick.set(event_target_value(&event).parse().unwrap_or(0))>{options}</select>
            <p class="watch-clock">{clock_text}</p>
            <p class="watch-text" aria-hidden="true">{text}</p>
        </div>
    }
    .into_any()
}

/// As many characters as stand there, as words of blocks; of a long answer the end.
fn words(chars: usize) -> String {
    let (mut left, mut text) = (chars.min(MOST), String::new());
    for length in WORDS.iter().cycle() {
        if left == 0 {
            break;
        }
        let here = (*length).min(left);
        text.extend(std::iter::repeat_n('▬', here));
        left -= here;
        if left > 0 {
            text.push(' ');
            left -= 1;
        }
    }
    text
}
