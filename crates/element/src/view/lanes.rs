//! The race: a lane for each way of asking, its clocks as they stopped, and what this one race showed.

use firstlight_core::race::{Lane, competing, lane_lines, sentence};
use firstlight_core::report::Run;
use firstlight_core::summary::environment_line;
use firstlight_core::text::{Lang, Rac, fill};
use firstlight_core::trace::Mode;
use web_sys::Element;

use super::result::buttons;
use crate::dom::{all, el, text};

/// The lanes, each with the slot through which its answer is seen.
pub(crate) fn lanes(lanes: &[Lane], lang: Lang, slot: impl Fn(u32) -> String) -> Element {
    let lane = |lane: &Lane| {
        let name = if lane.mode == Mode::Streaming { Rac::LaneStreaming } else { Rac::LaneWhole }.get(lang);
        let slot = el("slot", &[("name", &slot(lane.id))], Vec::new());
        let figures = el("dl", &[("class", "clocks"), ("data-lane", &lane.id.to_string())], Vec::new());
        let attributes = [("class", "lane"), ("part", "lane"), ("data-mode", lane.mode.code()), ("aria-label", name)];
        el("article", &attributes, vec![text("h2", "", name).into(), slot.into(), figures.into()])
    };
    el("div", &[("class", "lanes"), ("role", "group"), ("aria-label", Rac::Lanes.get(lang))], all(lanes.iter().map(lane)))
}

/// A race that is over: the lanes with their clocks as they stopped, and what it showed.
pub(crate) fn race_result(
    run: &Run,
    of: &[Lane],
    lang: Lang,
    slot: impl Fn(u32) -> String,
    change: Option<&str>,
) -> Vec<Element> {
    let lanes = lanes(of, lang, slot);
    for lane in of {
        let place = lanes.query_selector(&format!("[data-lane='{}']", lane.id)).ok().flatten();
        for line in figures(run, *lane, lang) {
            let _ = place.as_ref().map(|place| place.append_child(&line));
        }
    }
    let context = text("p", "context", environment_line(run, lang));
    vec![lanes, showed(run, lang), context, buttons(Rac::Start.get(lang), change)]
}

/// The clocks of a lane.
fn figures(run: &Run, lane: Lane, lang: Lang) -> Vec<Element> {
    let line = |line: firstlight_core::race::LaneLine| {
        let class = if line.metric.is_seen() { "seen" } else { "received" };
        let value = match line.time {
            Ok(ms) => text("strong", "", fill(Rac::Ms.get(lang), &[&ms])),
            Err(why) => text("span", "quiet", fill(Rac::LaneMissing.get(lang), &[why])),
        };
        let inside = vec![text("dt", "", line.name).into(), el("dd", &[], vec![value.into()]).into()];
        el("div", &[("class", class), ("data-metric", line.metric.code())], inside)
    };
    lane_lines(run, lane, lang).into_iter().map(line).collect()
}

/// What this one race showed, and what it can't.
fn showed(run: &Run, lang: Lang) -> Element {
    let said = sentence(run, 0, lang).map(|words| text("p", "seen-line", words));
    let can_not = text("p", "quiet", competing(lang, run.traces.len()));
    let title = text("h2", "", Rac::ShowedTitle.get(lang));
    el("section", &[("part", "showed"), ("role", "status")], vec![title.into(), said.into(), can_not.into()])
}
