//! The second face: a run under way. Only text counters change, at most once a second.

use firstlight_core::Micros;
use firstlight_core::format::{count, millis, rough, significant};
use firstlight_core::session::Progress;
use firstlight_core::text::{Lang, Ui, fill};
use leptos::prelude::*;

use super::words::ui;
use crate::app::state::State;
use crate::runner;

/// The face: the count on top, the answers below it, all within the first screen.
pub fn face(state: State) -> AnyView {
    let stop = view! { <button type="button" id="stop" on:click=move |_| runner::stop(state)>{ui(state, Ui::Stop)}</button> };
    whole(state, stop.into_any())
}

/// The same without a button.
pub fn progress_and_answers(state: State) -> AnyView {
    whole(state, ().into_any())
}

fn whole(state: State, stop: AnyView) -> AnyView {
    let done = move || state.progress.with(|p| (p.measured.0 + p.warmup.0).to_string());
    let all = move || state.progress.with(|p| (p.measured.1 + p.warmup.1).max(1).to_string());
    let lines = move || lines(&state.progress.get(), state.lang.get());
    view! {
        <div class="running">
            <section id="progress" aria-live="off">
                <div class="bar">
                    <h2>{ui(state, Ui::Running)}</h2>
                    {stop}
                </div>
                <progress aria-label=ui(state, Ui::Running) max=all value=done></progress>
                {lines}
            </section>
            {answers(state)}
        </div>
    }
    .into_any()
}

fn lines(progress: &Progress, lang: Lang) -> AnyView {
    let say = |key: Ui, values: &[&str]| fill(key.get(lang), values);
    let of = |(done, all): (u32, u32)| [count(done as usize), count(all as usize)];
    if progress.measured.1 == 0 {
        return view! { <p class="counts">{Ui::Preparing.get(lang)}</p> }.into_any();
    }
    let [done, all] = of(progress.measured);
    let [warm, warm_all] = of(progress.warmup);
    let failed = (progress.failed > 0).then(|| say(Ui::ProgressFailed, &[&count(progress.failed as usize)]));
    let warming = progress.warmup.0 < progress.warmup.1;
    let left = progress.time_left.map_or_else(|| Ui::TimeLeftUnknown.get(lang).to_owned(), |time| time_left(time, lang));
    let figures = |key: Ui, pair: Option<(Micros, Micros)>| {
        // Whole milliseconds: the run's own figures come when it is over.
        pair.map(|(p50, p95)| say(key, &[&millis(p50.0, Micros::ms(1)), &millis(p95.0, Micros::ms(1))]))
    };
    let stage = progress.stage.map(|(at, of)| say(Ui::ProgressStage, &[&count(at as usize), &count(of as usize)]));
    let rate = |r: f64| significant(r, 1);
    let rates = progress.rates.map(|(due, sent)| say(Ui::ProgressRate, &[&rate(due), &rate(sent)]));
    let queued = (progress.queued > 0).then(|| say(Ui::ProgressQueued, &[&count(progress.queued as usize)]));
    let schedule = [stage, rates, queued].into_iter().flatten().map(|text| view! { <span>{text}</span> }).collect_view();
    let first = figures(Ui::LiveFirst, progress.first);
    let complete = figures(Ui::LiveComplete, progress.complete);
    let wait = (first.is_none() && complete.is_none()).then(|| Ui::LiveWait.get(lang).to_owned());
    view! {
        <p class="counts">
            <span>{if warming { say(Ui::ProgressWarmUp, &[&warm, &warm_all]) } else { say(Ui::ProgressMeasured, &[&done, &all]) }}</span>
            <span>{say(Ui::InFlight, &[&count(progress.in_flight as usize)])}</span>
            {failed.map(|text| view! { <span class="warn">"▲ "{text}</span> })}
            {schedule}
            <span>{left}</span>
        </p>
        <p class="live quiet">{[first, complete, wait].into_iter().flatten().map(|t| view! { <span>{t}</span> }).collect_view()}</p>
        {progress.paused.then(|| view! { <p class="notice">"▲ "{Ui::Paused.get(lang)}</p> })}
    }
    .into_any()
}

fn time_left(time: Micros, lang: Lang) -> String {
    let (minutes, seconds) = rough(time);
    let length = match minutes {
        0 => fill(Ui::Seconds.get(lang), &[&seconds.to_string()]),
        _ => fill(Ui::MinutesSeconds.get(lang), &[&minutes.to_string(), &seconds.to_string()]),
    };
    fill(Ui::TimeLeft.get(lang), &[&length])
}

/// The places of the answers. What is inside `.answer` belongs to the runner: nothing here renders or removes it.
fn answers(state: State) -> AnyView {
    let places = Memo::new(move |_| state.slots.get());
    let place = move |n: u32| {
        let name = move || fill(Ui::SlotName.get(state.lang.get()), &[&(n + 1).to_string()]);
        view! { <article class="slot" id=format!("slot-{n}") aria-label=name><div class="answer" data-empty=ui(state, Ui::SlotEmpty)></div></article> }
    };
    view! {
        <section id="slots" aria-label=ui(state, Ui::AnswersTitle) data-places=move || places.get().to_string()>
            {move || (0..places.get()).map(place).collect_view()}
        </section>
        <p class="quiet hint">{ui(state, Ui::AnswersHint)}</p>
    }
    .into_any()
}
