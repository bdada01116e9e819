//! A layer as one SVG path: how many points it has is no number of elements.

use std::fmt::Write;

use super::scene::{Figure, Form, Glyph, Layer, Place, Rect, Shape, Weight};

/// How a path is to be painted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brush {
    /// Its inside is filled with the ink.
    pub fill: bool,
    /// Its line has the ink's colour and this width, in pixels.
    pub stroke: Option<f64>,
    /// Ends of lines are round: points are lines of no length.
    pub round: bool,
    /// The line is dashed.
    pub dashed: bool,
    /// Neighbours are kept apart by a line in the paper's colour.
    pub apart: bool,
    /// Opacity.
    pub opacity: f64,
}

impl Shape {
    /// Its form in a legend.
    pub fn form(&self) -> Form {
        match self {
            Shape::Line(_) => Form::Line,
            Shape::Area(_) => Form::Band,
            Shape::Rects(_) => Form::Box,
            Shape::Points(glyph, _) => Form::Point(*glyph),
            Shape::Strokes(_) => Form::Stroke,
            Shape::Rule { .. } => Form::Rule,
        }
    }
}

impl Form {
    /// How it is painted.
    pub fn brush(self, weight: Weight) -> Brush {
        let opacity = if weight == Weight::Faint { 0.25 } else { 1.0 };
        let wide = if weight == Weight::Strong { 2.0 } else { 1.0 };
        let line = |width| Brush { fill: false, stroke: Some(width), round: false, dashed: false, apart: false, opacity };
        let filled = Brush { fill: true, stroke: None, ..line(0.0) };
        match self {
            Form::Line => line(2.0),
            Form::Band => Brush { opacity: 0.2, ..filled },
            Form::Box => Brush { apart: weight == Weight::Plain, ..filled },
            Form::Point(Glyph::Dot) => Brush { round: true, ..line(4.0) },
            Form::Point(Glyph::Ring | Glyph::Cross | Glyph::Diamond) => line(1.5 * wide),
            Form::Point(Glyph::Triangle | Glyph::Square) => filled,
            Form::Stroke => line(wide),
            Form::Rule => Brush { dashed: true, ..line(1.0) },
        }
    }
}

impl Layer {
    /// How it is painted.
    pub fn brush(&self) -> Brush {
        self.shape.form().brush(self.weight)
    }

    /// There is nothing in it.
    pub fn is_empty(&self) -> bool {
        match &self.shape {
            Shape::Line(p) | Shape::Area(p) | Shape::Points(_, p) => p.is_empty(),
            Shape::Rects(r) => r.is_empty(),
            Shape::Strokes(s) => s.is_empty(),
            Shape::Rule { .. } => false,
        }
    }

    /// The data of its path.
    pub fn path(&self) -> String {
        let mut d = String::new();
        match &self.shape {
            Shape::Line(points) => polyline(&mut d, points),
            Shape::Area(points) => {
                polyline(&mut d, points);
                d.push('Z');
            }
            Shape::Rects(rects) => rects.iter().for_each(|r| rect(&mut d, r)),
            Shape::Points(glyph, points) => points.iter().for_each(|p| point(&mut d, *glyph, *p)),
            Shape::Strokes(strokes) => strokes.iter().for_each(|(a, b)| polyline(&mut d, &[*a, *b])),
            Shape::Rule { from, to, .. } => polyline(&mut d, &[*from, *to]),
        }
        d
    }
}

impl Figure {
    /// The data of the path of the lines behind the data.
    pub fn grid(&self) -> String {
        let (left, right) = (short(self.plot.x), short(self.plot.right()));
        self.y.ticks.iter().map(|tick| format!("M{left} {}H{right}", short(tick.at))).collect()
    }

    /// The data of the path of the lower edge, with its ticks.
    pub fn edge(&self) -> String {
        let (left, right, bottom) = (short(self.plot.x), short(self.plot.right()), short(self.plot.bottom()));
        let ticks = self.x.ticks.iter().map(|tick| format!("M{} {bottom}v5", short(tick.at)));
        ticks.chain([format!("M{left} {bottom}H{right}")]).collect()
    }
}

/// A number with two decimals at most.
pub(super) fn short(value: f64) -> String {
    let mut d = String::new();
    number(&mut d, value);
    d
}

/// The same at the end of a text. By whole numbers: to format a float takes several times as long, and a selection of ten
/// thousand requests has as many places in every chart.
fn number(d: &mut String, value: f64) {
    let hundredths = (value * 100.0).round() as i64;
    if hundredths < 0 {
        d.push('-');
    }
    let (whole, rest) = (hundredths.unsigned_abs() / 100, hundredths.unsigned_abs() % 100);
    let _ = match (rest % 10, rest) {
        (_, 0) => write!(d, "{whole}"),
        (0, tenths) => write!(d, "{whole}.{}", tenths / 10),
        _ => write!(d, "{whole}.{rest:02}"),
    };
}

/// Two numbers of a place, after the letter of what is done there.
fn place(d: &mut String, letter: char, (x, y): Place) {
    d.push(letter);
    number(d, x);
    d.push(' ');
    number(d, y);
}

fn polyline(d: &mut String, points: &[Place]) {
    for (at, point) in points.iter().enumerate() {
        place(d, if at == 0 { 'M' } else { 'L' }, *point);
    }
}

fn rect(d: &mut String, r: &Rect) {
    let (x, y, w, h) = (short(r.x), short(r.y), short(r.width), short(r.height));
    let _ = write!(d, "M{x} {y}h{w}v{h}h-{w}Z");
}

/// Around its place, from 6 to 8 pixels wide.
pub(super) fn point(d: &mut String, glyph: Glyph, (x, y): Place) {
    let ((dx, dy), rest) = match glyph {
        // Not quite without length: engines differ in whether they draw that.
        Glyph::Dot => ((0.0, 0.0), "h.01"),
        Glyph::Ring => ((-4.0, 0.0), "a4 4 0 1 0 8 0a4 4 0 1 0-8 0"),
        Glyph::Cross => ((-3.0, -3.0), "l6 6m0-6l-6 6"),
        Glyph::Triangle => ((0.0, -4.0), "l4 7h-8Z"),
        Glyph::Diamond => ((0.0, -4.0), "l4 4l-4 4l-4-4Z"),
        Glyph::Square => ((-3.0, -3.0), "h6v6h-6Z"),
    };
    place(d, 'M', (x + dx, y + dy));
    d.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_have_no_more_digits_than_they_need() {
        let all = [0.0, -0.0, -0.004, 7.0, 7.5, 7.25, 7.05, -3.999, 1234.56, 100.0];
        assert_eq!(all.map(short), ["0", "0", "0", "7", "7.5", "7.25", "7.05", "-4", "1234.56", "100"]);
        let mut d = String::new();
        point(&mut d, Glyph::Dot, (3.333, 10.0));
        assert_eq!(d, "M3.33 10h.01");
    }

    proptest! {
        #[test]
        fn numbers_are_right_to_half_a_hundredth(value in -50_000.0f64..50_000.0) {
            let read: f64 = short(value).parse().expect("a number");
            prop_assert!((read - value).abs() <= 0.005 + 1e-9, "{value} {read}");
        }
    }
}
