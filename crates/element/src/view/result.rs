//! A run that is over: the sentence, where the wait passed, the figures with their intervals, and how the requests ended.

use firstlight_core::format::count;
use firstlight_core::outcome::Outcome;
use firstlight_core::report::Run;
use firstlight_core::summary::{Headline, Summary, circumstance_lines, context_line, environment_line, headline, notes};
use firstlight_core::text::{Lang, Res, Sum, fill, outcome, outcome_advice};
use firstlight_core::trace::Mode;
use firstlight_core::validity::Effect;
use web_sys::Element;

use super::metrics::metrics;
use super::picture::picture;
use crate::dom::{Child, all, el, text};

/// Notes of the requests that are listed.
const NOTES: usize = 10;

/// The face. `again` and `change` are the words of its buttons; without the second there is nothing to change.
pub(crate) fn result(run: &Run, summary: &Summary, lang: Lang, again: &str, change: Option<&str>) -> Element {
    let failed = all_failed(summary);
    let sentences = if failed {
        vec![nothing(run, summary, lang).into()]
    } else {
        all(headline(run, summary, lang).into_iter().map(sentence))
    };
    let stopped = run.stopped.then(|| text("p", "notice", format!("■ {}", stopped(run, summary, lang))));
    let head = vec![stopped.into(), el("div", &[], sentences).into(), text("p", "context", environment_line(run, lang)).into()];
    let head = el("section", &[("part", "headline")], head);
    let pictured = (!failed).then(|| picture(run, summary, lang));
    let parts = vec![
        head.into(),
        pictured.into(),
        metrics(run, summary, lang).into(),
        outcomes(run, summary, lang).into(),
        buttons(again, change).into(),
    ];
    el("div", &[("class", "results"), ("part", "result")], parts)
}

/// What can be done next.
pub(crate) fn buttons(again: &str, change: Option<&str>) -> Element {
    let button = |act: &str, class: &str, words: &str| {
        el("button", &[("type", "button"), ("data-act", act), ("class", class), ("part", act)], vec![words.into()])
    };
    let change = change.map(|words| button("change", "", words));
    el("div", &[("class", "buttons")], vec![button("again", "primary", again).into(), change.into()])
}

/// No measured request gave an answer.
fn all_failed(summary: &Summary) -> bool {
    let measured = summary.measured();
    measured > 0 && measured == summary.failed() && summary.rows.iter().all(|row| row.distribution.n() == 0)
}

fn nothing(run: &Run, summary: &Summary, lang: Lang) -> Element {
    let said = fill(Res::AllFailed.get(lang), &[&count(summary.measured() as usize)]);
    let line = context_line(run, lang, None, "", "");
    el("div", &[], vec![text("p", "seen-line", format!("▲ {said}")).into(), text("p", "context", line).into()])
}

fn stopped(run: &Run, summary: &Summary, lang: Lang) -> String {
    let planned = run.config.requests * run.config.modes().len() as u32;
    let finished: u32 = summary.outcomes.iter().filter(|(_, o, _)| o.ended() || o.is_failure()).map(|(_, _, n)| n).sum();
    fill(Res::Stopped.get(lang), &[&count(finished as usize), &count(planned as usize)])
}

fn sentence(line: Headline) -> Element {
    let figure = line.figure.map(|(role, figure)| (role.code(), figure));
    let has_figure = figure.is_some();
    let seen = el("p", &[("class", "seen-line")], with_figure(&line.seen, figure));
    let outside = line.outside.map(|figure| ("outside", figure));
    let against = has_figure.then(|| el("p", &[("class", "against")], with_figure(&line.against_server, outside)));
    let context = text("p", "context", line.context);
    el("div", &[("class", "sentence"), ("data-mode", line.mode.code())], vec![seen.into(), against.into(), context.into()])
}

/// A text with one figure in it set apart, in the colour of its role.
fn with_figure(words: &str, figure: Option<(&str, String)>) -> Vec<Child> {
    let split = figure.and_then(|(role, figure)| {
        let (before, after) = words.split_once(&figure)?;
        let strong = el("strong", &[("class", role)], vec![figure.clone().into()]);
        Some(vec![before.into(), strong.into(), after.into()])
    });
    split.unwrap_or_else(|| vec![words.into()])
}

/// The shape that stands for an end, so that colour says nothing alone.
fn shape(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Complete => "●",
        Outcome::Cancelled | Outcome::Cut => "■",
        _ => "▲",
    }
}

fn outcomes(run: &Run, summary: &Summary, lang: Lang) -> Element {
    let both = run.config.modes().len() > 1;
    let end = |(mode, ended, n): &(Mode, Outcome, u32)| {
        let words = if both { format!("{} ({})", outcome(lang, ended), mode_word(*mode, lang)) } else { outcome(lang, ended) };
        let class = if *ended == Outcome::Complete { "" } else { "warn" };
        let line = format!("{} {} {words}", shape(ended), count(*n as usize));
        el("li", &[("data-outcome", ended.code()), ("class", class)], vec![line.into()])
    };
    let ends = el("ul", &[("class", "ends")], all(summary.outcomes.iter().map(end)));
    let warmup =
        (summary.warmup > 0).then(|| text("p", "quiet", fill(Res::Warmups.get(lang), &[&count(summary.warmup as usize)])));
    let mut kinds: Vec<&Outcome> = summary.outcomes.iter().map(|(_, outcome, _)| outcome).collect();
    kinds.sort();
    kinds.dedup();
    let advice = kinds.into_iter().filter_map(|end| Some(format!("{} — {}", outcome(lang, end), outcome_advice(lang, end)?)));
    let said: Vec<String> = advice.chain(notes(run, lang).into_iter().take(NOTES)).collect();
    let notes =
        (!said.is_empty()).then(|| el("ul", &[("class", "notes")], all(said.into_iter().map(|line| text("li", "", line)))));
    let effect = |effect: Effect| match effect {
        Effect::Kept => Res::CircKept,
        Effect::Bounded => Res::CircBounded,
        Effect::Excluded => Res::CircExcluded,
    };
    let met: Vec<Element> = circumstance_lines(run, lang)
        .into_iter()
        .flat_map(|line| {
            let name = format!("{} ({})", line.name, effect(line.effect).get(lang));
            [text("dt", "", name), text("dd", "", format!("{}. {}", line.how_many, line.meaning))]
        })
        .collect();
    let met = (!met.is_empty()).then(|| {
        let title = text("summary", "", Res::CircTitle.get(lang));
        el("details", &[], vec![title.into(), el("dl", &[], all(met)).into()])
    });
    let title = text("h2", "", Res::OutcomesTitle.get(lang));
    el("section", &[("part", "outcomes")], vec![title.into(), ends.into(), warmup.into(), notes.into(), met.into()])
}

/// How requests of a mode were asked for, in a word.
pub(crate) fn mode_word(mode: Mode, lang: Lang) -> &'static str {
    if mode == Mode::Streaming { Sum::Streaming } else { Sum::NotStreaming }.get(lang)
}
