//! The page of lessons: claims that can be tried out, one unfolded at a time.

mod card;
mod findings;

use firstlight_core::lesson::Lesson;
use firstlight_core::text::{Lang, Les, Ui, fill};
use leptos::prelude::*;

use super::{running, setup, waterfall};
use crate::app::state::{Phase, State};

/// The page: the list, or the run that is under way.
pub fn face(state: State) -> AnyView {
    let measuring = Memo::new(move |_| state.phase.get() == Phase::Running);
    Effect::new(move |before: Option<bool>| {
        let now = measuring.get();
        // The button that had the focus is gone with its list.
        if before.is_some_and(|before| before != now) {
            let unfolded = state.lessons.unfolded.get_untracked().filter(|_| !now);
            waterfall::focus_on(unfolded.map_or("main".to_owned(), card::result_id));
        }
        now
    });
    (move || if measuring.get() { under_way(state) } else { list(state) }).into_any()
}

fn list(state: State) -> AnyView {
    let all = move || all(state, state.lang.get());
    view! { {setup::problems(state, || 0)}{all} }.into_any()
}

fn all(state: State, lang: Lang) -> AnyView {
    let cards: Vec<AnyView> = Lesson::ALL.into_iter().map(|lesson| card::card(state, lesson, lang)).collect();
    view! {
        <section class="lessons" aria-labelledby="lessons-title">
            <h2 id="lessons-title">{Les::Title.get(lang)}</h2>
            <p class="quiet">{Les::Lead.get(lang)}</p>
            <ol>{cards}</ol>
        </section>
    }
    .into_any()
}

fn under_way(state: State) -> AnyView {
    let line = move || {
        let lang = state.lang.get();
        let (lesson, at) = state.lessons.under_way.get()?;
        let steps = lesson.plan().steps;
        let name = steps.get(at)?.name.get(lang);
        let numbers = [lesson.number(), at + 1, steps.len()].map(|n| n.to_string());
        Some(fill(Les::RunUnderWay.get(lang), &[&numbers[0], &numbers[1], &numbers[2], name]))
    };
    let claim = move || state.lessons.under_way.get().map(|(lesson, _)| lesson.claim(state.lang.get()));
    view! {
        <div id="lesson-under-way"><p class="strong">{claim}</p><p class="quiet">{line}</p></div>
        {running::face(state)}
    }
    .into_any()
}

/// The page's state in one word, as the measuring page has one.
pub fn code(phase: Phase) -> &'static str {
    if phase == Phase::Running { phase.code() } else { "lessons" }
}

/// What a screen reader is told when something begins or is over.
pub fn said(state: State, phase: Phase) -> &'static str {
    let lang = state.lang.get();
    if phase == Phase::Running { Ui::SaidRunning.get(lang) } else { "" }
}
