//! What does a chart consist of? Shapes with a meaning at places in pixels; whoever draws them only adds colours.

use crate::Micros;
use crate::metrics::Metric;
use crate::scrape::Quantity;
use crate::sections::Table;

/// A place in the figure, x to the right and y down, in pixels.
pub type Place = (f64, f64);

/// How large the figure is drawn, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// A rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width, not below 0.
    pub width: f64,
    /// Height, not below 0.
    pub height: f64,
}

impl Rect {
    /// Between two corners, whichever they are.
    pub fn between(a: Place, b: Place) -> Rect {
        Rect { x: a.0.min(b.0), y: a.1.min(b.1), width: (a.0 - b.0).abs(), height: (a.1 - b.1).abs() }
    }

    /// The right edge.
    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    /// The lower edge.
    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }
}

/// What a shape means; the colour follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ink {
    /// The server reported it.
    Server,
    /// The browser received it.
    Received,
    /// The user saw it.
    Seen,
    /// Nothing explains it: hatched.
    Unattributed,
    /// The client's own time before the request went out.
    Before,
    /// From arrival to the screen.
    Render,
    /// On the way between two clocks that are joined.
    Way,
    /// Neither of the three: a difference, a count.
    Neutral,
    /// A failure, or something to look at; never by colour alone.
    Warn,
    /// Beside the figures: warm-up, help lines.
    Muted,
}

impl Ink {
    /// Every ink.
    pub const ALL: [Ink; 10] = [
        Ink::Server,
        Ink::Received,
        Ink::Seen,
        Ink::Unattributed,
        Ink::Before,
        Ink::Render,
        Ink::Way,
        Ink::Neutral,
        Ink::Warn,
        Ink::Muted,
    ];

    /// The stable name, also of its style.
    pub fn code(self) -> &'static str {
        match self {
            Ink::Server => "server",
            Ink::Received => "received",
            Ink::Seen => "seen",
            Ink::Unattributed => "rest",
            Ink::Before => "before",
            Ink::Render => "render",
            Ink::Way => "way",
            Ink::Neutral => "neutral",
            Ink::Warn => "warn",
            Ink::Muted => "muted",
        }
    }

    /// Of a metric's samples: what the user saw, or what was received.
    pub fn of(metric: Metric) -> Ink {
        if metric.is_seen() { Ink::Seen } else { Ink::Received }
    }
}

/// The shape of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Glyph {
    /// A filled disc: complete.
    Dot,
    /// An open circle: selected.
    Ring,
    /// A diagonal cross: failed.
    Cross,
    /// A filled triangle pointing up: at least this much.
    Triangle,
    /// An open diamond: stopped or interrupted from outside.
    Diamond,
    /// A filled square.
    Square,
}

/// How strongly a shape is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Weight {
    /// Behind everything: bands, help lines.
    Faint,
    /// As it is.
    Plain,
    /// Above everything: the selection.
    Strong,
}

/// The geometry of a layer.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// One open line.
    Line(Vec<Place>),
    /// One closed area: a band.
    Area(Vec<Place>),
    /// Filled rectangles.
    Rects(Vec<Rect>),
    /// Points of one glyph.
    Points(Glyph, Vec<Place>),
    /// Short straight strokes: a barcode's ticks, bounds of an instant.
    Strokes(Vec<(Place, Place)>),
    /// A reference line, dashed, with its name.
    Rule {
        /// Begin.
        from: Place,
        /// End.
        to: Place,
        /// What it stands for; may be empty.
        label: String,
    },
}

/// Shapes of one meaning; drawn as one path.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// What it means.
    pub ink: Ink,
    /// How strongly it is drawn.
    pub weight: Weight,
    /// Where.
    pub shape: Shape,
}

impl Layer {
    /// Of plain weight.
    pub fn new(ink: Ink, shape: Shape) -> Layer {
        Layer { ink, weight: Weight::Plain, shape }
    }

    /// Behind everything.
    pub fn faint(ink: Ink, shape: Shape) -> Layer {
        Layer { ink, weight: Weight::Faint, shape }
    }
}

/// A mark of an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Its place along the axis, in pixels of the figure.
    pub at: f64,
    /// Its text.
    pub label: String,
}

/// An axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What it measures.
    pub title: String,
    /// In which unit; empty if none.
    pub unit: &'static str,
    /// Its ticks, thinned out so that labels don't touch.
    pub ticks: Vec<Tick>,
}

/// A sample of a shape in the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// A line.
    Line,
    /// A band.
    Band,
    /// A filled box.
    Box,
    /// A point.
    Point(Glyph),
    /// A short stroke.
    Stroke,
    /// A dashed line.
    Rule,
}

/// One line of the legend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyLine {
    /// Its meaning.
    pub ink: Ink,
    /// Its shape.
    pub form: Form,
    /// Its name.
    pub name: String,
}

/// Something that hover and keyboard focus stop at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Where it stands.
    pub x: f64,
    /// Where it stands.
    pub y: f64,
    /// How far it reaches to both sides of its place, to the left and right and up and down: 0 of a point.
    pub reach: (f64, f64),
    /// Its requests, as a range of [`Figure::members`].
    pub members: (u32, u32),
}

/// Where the text of a spot comes from: texts of few spots are ready, those of many are made when they are asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// One text a spot.
    Texts(Vec<String>),
    /// Each spot is one request's figure of this metric.
    Samples(Metric),
    /// Each spot is one request's wait against what the server reported.
    Waits(crate::gap::Wait),
    /// Each spot is a pair: these metrics, with how many spots each, in order.
    Pairs(Vec<(Metric, usize)>),
    /// Each spot is a value that the server told of itself, as it is drawn, and when, since the first request was sent.
    Told(Vec<(Quantity, f64, Micros)>),
}

/// A chart, whole: what is drawn, what it says, the table behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// A stable name.
    pub id: &'static str,
    /// Its title.
    pub title: String,
    /// What it shows with its exact figures, for those who don't see it.
    pub about: String,
    /// Its size.
    pub size: Size,
    /// Where data is drawn; axes and their texts stand around it.
    pub plot: Rect,
    /// From left to right.
    pub x: Axis,
    /// From bottom to top.
    pub y: Axis,
    /// Names of parts of the drawing, each beginning at its place.
    pub names: Vec<(Place, String)>,
    /// Shapes, the lowest first. Empty if there is nothing to draw: then a note says why.
    pub layers: Vec<Layer>,
    /// What hover and keyboard stop at.
    pub spots: Vec<Spot>,
    /// Numbers of requests, one stretch a spot.
    pub members: Vec<u32>,
    /// The texts of spots.
    pub reading: Reading,
    /// The legend.
    pub key: Vec<KeyLine>,
    /// The table behind it.
    pub table: Table,
    /// What to know: what was left out, which method, why there is nothing.
    pub notes: Vec<String>,
    /// The context of its figures.
    pub context: String,
}

impl Figure {
    /// There is nothing to draw; the notes say why.
    pub fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }

    /// The requests that a spot stands for.
    pub fn requests(&self, spot: usize) -> &[u32] {
        let range = self.spots.get(spot).map(|s| s.members.0 as usize..s.members.1 as usize);
        range.and_then(|range| self.members.get(range)).unwrap_or_default()
    }

    /// Adds a spot.
    pub(super) fn spot(&mut self, (x, y): Place, reach: (f64, f64), requests: &[u32]) {
        let from = self.members.len() as u32;
        self.members.extend_from_slice(requests);
        self.spots.push(Spot { x, y, reach, members: (from, self.members.len() as u32) });
    }

    /// Adds a line to the legend.
    pub(super) fn key(&mut self, ink: Ink, form: Form, name: impl Into<String>) {
        self.key.push(KeyLine { ink, form, name: name.into() });
    }
}
