//! A run under way. Only the texts of its counters change, at most once a second and in idle time.

use firstlight_core::Micros;
use firstlight_core::format::{count, millis, rough, significant};
use firstlight_core::session::Progress;
use firstlight_core::text::{Emb, Lang, Ui, fill};
use web_sys::Element;

use crate::dom::{Child, all, el, text};

/// What changes.
pub(crate) struct Running {
    lang: Lang,
    bar: Element,
    counts: Element,
    live: Element,
}

/// The face without the places of its answers.
pub(crate) fn running(lang: Lang, stop: &str) -> (Element, Running) {
    let title = text("h2", "", Ui::Running.get(lang));
    let stop = el("button", &[("type", "button"), ("data-act", "stop"), ("part", "stop")], vec![stop.into()]);
    let bar = el("progress", &[("aria-label", Ui::Running.get(lang)), ("max", "1"), ("value", "0")], Vec::new());
    let (counts, live) = (text("p", "counts", Ui::Preparing.get(lang)), el("p", &[("class", "live quiet")], Vec::new()));
    let head = el("div", &[("class", "bar")], vec![title.into(), stop.into()]);
    let children = [&head, &bar, &counts, &live].map(|element| Child::from(element.clone())).into();
    (el("section", &[("part", "progress"), ("aria-live", "off")], children), Running { lang, bar, counts, live })
}

/// The slot through which the answers are seen: they themselves are children of the host, in its document.
pub(crate) fn places(lang: Lang, slot: &str) -> Element {
    let slot = el("slot", &[("name", slot)], Vec::new());
    let shown = el(
        "div",
        &[("class", "answers"), ("part", "answers"), ("role", "group"), ("aria-label", Ui::AnswersTitle.get(lang))],
        vec![slot.into()],
    );
    let hint = text("p", "quiet hint", Emb::KeepInView.get(lang));
    el("div", &[], vec![shown.into(), hint.into()])
}

impl Running {
    /// Shows how far it is.
    pub(crate) fn show(&self, progress: &Progress) {
        let all_of = (progress.measured.1 + progress.warmup.1).max(1);
        let _ = self.bar.set_attribute("max", &all_of.to_string());
        let _ = self.bar.set_attribute("value", &(progress.measured.0 + progress.warmup.0).to_string());
        put(&self.counts, counts(progress, self.lang));
        put(&self.live, live(progress, self.lang));
    }
}

fn put(line: &Element, texts: Vec<String>) {
    line.set_text_content(None);
    for child in all(texts.into_iter().map(|words| text("span", "", words))) {
        if let Child::Node(node) = child {
            let _ = line.append_child(&node);
        }
    }
}

fn counts(progress: &Progress, lang: Lang) -> Vec<String> {
    let say = |key: Ui, values: &[&str]| fill(key.get(lang), values);
    if progress.measured.1 == 0 {
        return vec![Ui::Preparing.get(lang).to_owned()];
    }
    let number = |n: u32| count(n as usize);
    let warming = progress.warmup.0 < progress.warmup.1;
    let (key, (done, of)) =
        if warming { (Ui::ProgressWarmUp, progress.warmup) } else { (Ui::ProgressMeasured, progress.measured) };
    let rate = |rate: f64| significant(rate, 1);
    let some = [
        Some(say(key, &[&number(done), &number(of)])),
        Some(say(Ui::InFlight, &[&number(progress.in_flight)])),
        (progress.failed > 0).then(|| format!("▲ {}", say(Ui::ProgressFailed, &[&number(progress.failed)]))),
        progress.stage.map(|(at, of)| say(Ui::ProgressStage, &[&number(at), &number(of)])),
        progress.rates.map(|(due, sent)| say(Ui::ProgressRate, &[&rate(due), &rate(sent)])),
        (progress.queued > 0).then(|| say(Ui::ProgressQueued, &[&number(progress.queued)])),
        Some(progress.time_left.map_or_else(|| Ui::TimeLeftUnknown.get(lang).to_owned(), |time| time_left(time, lang))),
        progress.paused.then(|| format!("▲ {}", Ui::Paused.get(lang))),
    ];
    some.into_iter().flatten().collect()
}

fn live(progress: &Progress, lang: Lang) -> Vec<String> {
    // Whole milliseconds: the run's own figures come when it is over.
    let whole = |time: Micros| millis(time.0, Micros::ms(1));
    let figures =
        |key: Ui, pair: Option<(Micros, Micros)>| pair.map(|(p50, p95)| fill(key.get(lang), &[&whole(p50), &whole(p95)]));
    let found: Vec<String> =
        [figures(Ui::LiveFirst, progress.first), figures(Ui::LiveComplete, progress.complete)].into_iter().flatten().collect();
    if found.is_empty() { vec![Ui::LiveWait.get(lang).to_owned()] } else { found }
}

fn time_left(time: Micros, lang: Lang) -> String {
    let (minutes, seconds) = rough(time);
    let length = match minutes {
        0 => fill(Ui::Seconds.get(lang), &[&seconds.to_string()]),
        _ => fill(Ui::MinutesSeconds.get(lang), &[&minutes.to_string(), &seconds.to_string()]),
    };
    fill(Ui::TimeLeft.get(lang), &[&length])
}
