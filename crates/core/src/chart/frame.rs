//! Where axes, ticks and texts stand around the data, so that nothing touches and nothing hangs out at phone width.

use super::scale::{Scale, range_ticks};
use super::scene::{Axis, Figure, Place, Rect, Shape, Size, Tick};

/// The height of a line of text, in pixels.
pub const LINE: f64 = 16.0;

/// How wide a text is at 12 px, estimated from above: 7 px a character, 12 px one of Hangul and the like.
pub fn text_width(text: &str) -> f64 {
    text.chars().map(|c| if c < '\u{1100}' || ('\u{2000}'..'\u{2E80}').contains(&c) { 7.0 } else { 12.0 }).sum()
}

/// Which side of a text stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Anchor {
    /// Its begin.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

impl Anchor {
    /// The value of the attribute `text-anchor`.
    pub fn code(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// What a text belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A tick's number.
    Tick,
    /// An axis's name.
    Title,
    /// A reference line's name.
    Rule,
}

/// A text in the figure; its place is on its base line.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// Where.
    pub x: f64,
    /// Where.
    pub y: f64,
    /// Which side of it stands there.
    pub anchor: Anchor,
    /// What it belongs to.
    pub role: Role,
    /// The words.
    pub text: String,
}

impl Text {
    /// The rectangle it takes up, estimated.
    pub fn rect(&self) -> Rect {
        let width = text_width(&self.text);
        let x = match self.anchor {
            Anchor::Start => self.x,
            Anchor::Middle => self.x - width / 2.0,
            Anchor::End => self.x - width,
        };
        Rect { x, y: self.y - 11.0, width, height: 14.0 }
    }
}

/// From data to pixels along one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Along {
    pub scale: Scale,
    pub start: f64,
    /// Pixels grow against the data: upwards.
    pub up: bool,
}

impl Along {
    pub fn right(plot: Rect, from: f64, to: f64) -> Along {
        Along { scale: Scale { from, to, length: plot.width }, start: plot.x, up: false }
    }

    pub fn up(plot: Rect, from: f64, to: f64) -> Along {
        Along { scale: Scale { from, to, length: plot.height }, start: plot.bottom(), up: true }
    }

    pub fn at(&self, value: f64) -> f64 {
        let along = self.scale.at(value);
        if self.up { self.start - along } else { self.start + along }
    }

    /// Ticks at round values.
    pub fn ticks(&self) -> Vec<Tick> {
        let wanted = (self.scale.length / if self.up { 40.0 } else { 72.0 }).max(2.0) as usize;
        let marks = range_ticks(self.scale.from, self.scale.to, wanted);
        marks.into_iter().map(|(value, label)| Tick { at: self.at(value), label }).collect()
    }

    /// Ticks at whole numbers, for counts from 0 on.
    pub fn whole_ticks(&self) -> Vec<Tick> {
        let wanted = (self.scale.length / 40.0).max(2.0).min(self.scale.to) as usize;
        let marks = range_ticks(0.0, self.scale.to, wanted.max(1));
        marks.into_iter().map(|(value, label)| Tick { at: self.at(value), label }).collect()
    }
}

/// The data's place, where the texts of the vertical axis need this width.
pub(super) fn plot(size: Size, labels: f64) -> Rect {
    let (left, right, top, bottom) = (labels + 10.0, 16.0, 28.0, 44.0);
    Rect { x: left, y: top, width: (size.width - left - right).max(1.0), height: (size.height - top - bottom).max(1.0) }
}

/// The data's place and the vertical scale of a range of data: labels come first, since they take width away.
pub(super) fn upright(size: Size, from: f64, to: f64) -> (Rect, Along, Vec<Tick>) {
    let along = Along::up(plot(size, 0.0), from, to);
    let ticks = along.ticks();
    let widest = ticks.iter().map(|t| text_width(&t.label)).fold(0.0, f64::max);
    (plot(size, widest), along, ticks)
}

/// The ticks whose labels don't touch the one before, at this distance.
fn spaced(ticks: Vec<Tick>, extent: impl Fn(&Tick) -> (f64, f64)) -> Vec<Tick> {
    let mut end = f64::NEG_INFINITY;
    let mut kept = Vec::new();
    for tick in ticks {
        let (from, to) = extent(&tick);
        if from >= end {
            end = to;
            kept.push(tick);
        }
    }
    kept
}

/// The middle of a label of this width near a place, moved so that it does not hang out.
fn inside(at: f64, width: f64, size: Size) -> f64 {
    at.min(size.width - width / 2.0).max(width / 2.0)
}

/// An axis from left to right. Where two labels would touch, the later one is left out.
pub(super) fn across(title: &str, unit: &'static str, mut ticks: Vec<Tick>, size: Size) -> Axis {
    ticks.sort_by(|a, b| a.at.total_cmp(&b.at));
    let extent = |t: &Tick| {
        let width = text_width(&t.label);
        let middle = inside(t.at, width, size);
        (middle - width / 2.0, middle + width / 2.0 + 6.0)
    };
    Axis { title: title.to_owned(), unit, ticks: spaced(ticks, extent) }
}

/// An axis from bottom to top. Where two labels would touch, the upper one is left out.
pub(super) fn along_side(title: &str, unit: &'static str, mut ticks: Vec<Tick>) -> Axis {
    ticks.sort_by(|a, b| b.at.total_cmp(&a.at));
    Axis { title: title.to_owned(), unit, ticks: spaced(ticks, |t| (-t.at - 7.0, -t.at + 7.0)) }
}

/// A step line of thousands of points in at most two a half pixel: the first and the last of each.
pub(super) fn thin(points: Vec<Place>) -> Vec<Place> {
    let column = |p: &Place| (p.0 * 2.0).floor();
    let edge = |at: usize| {
        let same = |other: Option<usize>| other.and_then(|o| points.get(o)).is_some_and(|p| column(p) == column(&points[at]));
        !same(at.checked_sub(1)) || !same(Some(at + 1))
    };
    (0..points.len()).filter(|at| edge(*at)).map(|at| points[at]).collect()
}

impl Figure {
    /// Every text of the drawing itself: ticks, axes, reference lines.
    pub fn texts(&self) -> Vec<Text> {
        let (plot, size) = (self.plot, self.size);
        let titled = |axis: &Axis| match axis.unit {
            "" => axis.title.clone(),
            unit => format!("{} ({unit})", axis.title),
        };
        let x_tick = |t: &Tick| {
            let x = inside(t.at, text_width(&t.label), size);
            Text { x, y: plot.bottom() + 18.0, anchor: Anchor::Middle, role: Role::Tick, text: t.label.clone() }
        };
        let y_tick =
            |t: &Tick| Text { x: plot.x - 6.0, y: t.at + 4.0, anchor: Anchor::End, role: Role::Tick, text: t.label.clone() };
        let title = |x, y, anchor, axis| Text { x, y, anchor, role: Role::Title, text: titled(axis) };
        let mut texts: Vec<Text> = self.x.ticks.iter().map(x_tick).chain(self.y.ticks.iter().map(y_tick)).collect();
        texts.push(title(0.0, 12.0, Anchor::Start, &self.y));
        let end = plot.right().max(text_width(&titled(&self.x)));
        texts.push(title(end, size.height - 6.0, Anchor::End, &self.x));
        let name = |((x, y), text): &(Place, String)| {
            let text = text.clone();
            Text { x: *x, y: *y, anchor: Anchor::Start, role: Role::Title, text }
        };
        texts.extend(self.names.iter().map(name));
        texts.retain(|t| !t.text.is_empty());
        let mut rules: Vec<Text> = Vec::new();
        for layer in &self.layers {
            let Shape::Rule { from, to, label } = &layer.shape else { continue };
            if !label.is_empty() {
                rules.push(self.rule_text(*from, *to, label, &rules));
            }
        }
        texts.extend(rules);
        texts
    }

    /// The name of a reference line: beside an upright one, below the end of a slanted one; a line lower where one stands already.
    fn rule_text(&self, from: Place, to: Place, label: &str, others: &[Text]) -> Text {
        let width = text_width(label);
        let upright = from.0 == to.0;
        let (x, y, anchor) = match upright {
            true if from.0 + 4.0 + width <= self.size.width => (from.0 + 4.0, self.plot.y + 12.0, Anchor::Start),
            true => (from.0 - 4.0, self.plot.y + 12.0, Anchor::End),
            // Below a slanted line, where that has moved out of the way.
            false => (from.0.max(to.0), from.1.min(to.1) + 36.0, Anchor::End),
        };
        let mut text = Text { x, y, anchor, role: Role::Rule, text: label.to_owned() };
        let touches = |t: &Text| {
            let (a, b) = (t.rect(), text.rect());
            a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom()
        };
        let taken = others
            .iter()
            .filter(|t| touches(t))
            .map(|t| t.y)
            .fold(None, |lowest: Option<f64>, y| Some(lowest.map_or(y, |l| l.max(y))));
        if let Some(lowest) = taken {
            text.y = lowest + LINE;
        }
        text
    }
}
