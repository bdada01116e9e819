//! Where the wait of the request in the middle passed: one bar a wait, on one scale.

use firstlight_core::Micros;
use firstlight_core::chart::Scale;
use firstlight_core::format::{count, millis};
use firstlight_core::report::Run;
use firstlight_core::summary::{PartLine, Role, Summary, Typical, part_lines, parts_sentence, typical_waits, wait_name};
use firstlight_core::text::{Lang, Res, fill};
use firstlight_core::trace::Mode;
use web_sys::Element;

use super::result::mode_word;
use crate::dom::{Child, all, el, svg, text};

pub(crate) fn picture(run: &Run, summary: &Summary, lang: Lang) -> Element {
    let modes = run.config.modes();
    let waits: Vec<(Mode, Typical)> =
        modes.iter().flat_map(|mode| typical_waits(run, summary, *mode).into_iter().map(move |wait| (*mode, wait))).collect();
    let longest = waits.iter().map(|(_, wait)| wait.split.total.as_ms()).fold(0.0, f64::max);
    let scale = Scale { from: 0.0, to: longest, length: 100.0 };
    let both = modes.len() > 1;
    let bars = waits.iter().map(|(mode, wait)| bar(run, both.then_some(*mode), wait, scale, lang));
    let body = if waits.is_empty() { text("p", "quiet", Res::PictureNone.get(lang)) } else { el("div", &[], all(bars)) };
    let (title, hint) = (text("h2", "", Res::PictureTitle.get(lang)), text("p", "quiet", Res::PictureHint.get(lang)));
    el("section", &[("part", "picture")], vec![title.into(), hint.into(), hatch().into(), body.into()])
}

fn bar(run: &Run, mode: Option<Mode>, typical: &Typical, scale: Scale, lang: Lang) -> Element {
    let step = Micros(run.clock.step_us);
    let split = &typical.split;
    let lines = part_lines(split, step, lang);
    let part = |line: &PartLine| {
        let (from, to) = (scale.at(line.from.as_ms()), scale.at(line.to.as_ms()));
        let (x, width) = (format!("{from:.3}%"), format!("{:.3}%", (to - from).max(0.0)));
        svg("rect", &[("x", &x), ("width", &width), ("y", "0"), ("height", "32"), ("class", line.role.code())], Vec::new())
    };
    let sentence = parts_sentence(split, step, lang);
    let attributes = [("width", "100%"), ("height", "32"), ("role", "img"), ("aria-label", sentence.as_str())];
    let drawn = svg("svg", &attributes, all(lines.iter().map(part)));
    let item = |line: &PartLine| {
        let words = format!(" {} ", line.name);
        let figure = text("b", "", format!("{} ms", line.ms));
        let share = text("span", "quiet", format!(" {} %", line.share));
        el("li", &[], vec![swatch(line.role).into(), words.into(), figure.into(), share.into()])
    };
    let of = fill(Res::PictureBar.get(lang), &[&typical.id.to_string(), &count(typical.of)]);
    let name = [Some(wait_name(split.wait, lang)), mode.map(|mode| mode_word(mode, lang))];
    let name = name.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let total = text("b", "", format!("{name}: {} ms ", millis(split.total.0, step)));
    let caption: Vec<Child> = vec![total.into(), text("span", "quiet", of).into()];
    let parts = el("ul", &[("class", "parts")], all(lines.iter().map(item)));
    el("figure", &[], vec![el("figcaption", &[], caption).into(), drawn.into(), parts.into()])
}

fn swatch(role: Role) -> Element {
    let rect = svg("rect", &[("width", "12"), ("height", "12"), ("class", role.code())], Vec::new());
    svg("svg", &[("class", "swatch"), ("width", "12"), ("height", "12"), ("aria-hidden", "true")], vec![rect.into()])
}

/// The hatch of what nothing explains.
fn hatch() -> Element {
    let ground = svg("rect", &[("width", "6"), ("height", "6"), ("class", "hatch-ground")], Vec::new());
    let line = svg("rect", &[("width", "2"), ("height", "6"), ("class", "hatch-line")], Vec::new());
    let attributes = [
        ("id", "hatch"),
        ("width", "6"),
        ("height", "6"),
        ("patternUnits", "userSpaceOnUse"),
        ("patternTransform", "rotate(45)"),
    ];
    let pattern = svg("pattern", &attributes, vec![ground.into(), line.into()]);
    let defs = svg("defs", &[], vec![pattern.into()]);
    svg("svg", &[("class", "definitions"), ("width", "0"), ("height", "0"), ("aria-hidden", "true")], vec![defs.into()])
}
