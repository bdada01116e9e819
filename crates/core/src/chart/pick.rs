//! Which spots does a pointer, an arrow key, a brush or a selection mean? Plain scans over plain numbers.

use std::cmp::Ordering;

use super::scene::{Figure, Glyph, Ink, Layer, Place, Rect, Shape, Size, Spot, Weight};

/// A way to go on from a spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// To the next one to the left.
    Left,
    /// To the next one to the right.
    Right,
    /// To the next one above.
    Up,
    /// To the next one below.
    Down,
    /// To the leftmost.
    First,
    /// To the rightmost.
    Last,
}

/// More rings than this lie over one another: then points are drawn over, which costs less.
const MANY: usize = 1_000;

/// Half the width of a dot.
const CELL: f64 = 2.0;

/// Of points in the same cell one is kept: its dot covers half of each of the others', and to paint thousands takes longer than a frame.
fn one_a_cell(points: &mut Vec<Place>, size: Size) {
    let (columns, rows) = ((size.width / CELL) as usize + 1, (size.height / CELL) as usize + 1);
    let mut taken = vec![false; columns * rows];
    points.retain(|(x, y)| {
        let cell = (y / CELL) as usize * columns + (x / CELL) as usize;
        !taken.get_mut(cell).is_some_and(|taken| std::mem::replace(taken, true))
    });
}

impl Spot {
    fn distance(&self, x: f64, y: f64) -> f64 {
        let (dx, dy) = ((self.x - x).abs() - self.reach.0, (self.y - y).abs() - self.reach.1);
        dx.max(0.0).powi(2) + dy.max(0.0).powi(2)
    }

    /// The rectangle that it reaches over.
    pub fn rect(&self) -> Rect {
        let (rx, ry) = self.reach;
        Rect { x: self.x - rx, y: self.y - ry, width: 2.0 * rx, height: 2.0 * ry }
    }
}

impl Figure {
    /// The spot nearest to a place; the nearer centre of two that reach over it.
    pub fn nearest(&self, x: f64, y: f64) -> Option<usize> {
        let centre = |s: &Spot| (s.x - x).powi(2) + (s.y - y).powi(2);
        let mut best: Option<(usize, f64, f64)> = None;
        for (at, spot) in self.spots.iter().enumerate() {
            let away = spot.distance(x, y);
            if best.is_none_or(|(_, d, c)| away < d || (away == d && centre(spot) < c)) {
                best = Some((at, away, centre(spot)));
            }
        }
        best.map(|(at, _, _)| at)
    }

    /// The requests of all spots that a rectangle touches, in order, each once.
    pub fn inside(&self, brush: Rect) -> Vec<u32> {
        let touched = |s: &Spot| {
            let r = s.rect();
            r.x <= brush.right() && r.right() >= brush.x && r.y <= brush.bottom() && r.bottom() >= brush.y
        };
        let spots = self.spots.iter().enumerate().filter(|(_, s)| touched(s));
        let mut requests: Vec<u32> = spots.flat_map(|(at, _)| self.requests(at)).copied().collect();
        requests.sort_unstable();
        requests.dedup();
        requests
    }

    /// The next spot in a direction; from none, the leftmost. At the end it stays where it is.
    pub fn step(&self, from: Option<usize>, direction: Direction) -> Option<usize> {
        let by_x = |a: usize, b: usize| {
            let (s, t) = (&self.spots[a], &self.spots[b]);
            s.x.total_cmp(&t.x).then(s.y.total_cmp(&t.y)).then(a.cmp(&b))
        };
        let by_y = |a: usize, b: usize| {
            let (s, t) = (&self.spots[a], &self.spots[b]);
            s.y.total_cmp(&t.y).then(s.x.total_cmp(&t.x)).then(a.cmp(&b))
        };
        let all = || 0..self.spots.len();
        let leftmost = || all().min_by(|a, b| by_x(*a, *b));
        let Some(from) = from.filter(|at| *at < self.spots.len()) else {
            return if direction == Direction::Last { all().max_by(|a, b| by_x(*a, *b)) } else { leftmost() };
        };
        let next = match direction {
            Direction::First => leftmost(),
            Direction::Last => all().max_by(|a, b| by_x(*a, *b)),
            Direction::Right => all().filter(|at| by_x(*at, from) == Ordering::Greater).min_by(|a, b| by_x(*a, *b)),
            Direction::Left => all().filter(|at| by_x(*at, from) == Ordering::Less).max_by(|a, b| by_x(*a, *b)),
            Direction::Down => all().filter(|at| by_y(*at, from) == Ordering::Greater).min_by(|a, b| by_y(*a, *b)),
            Direction::Up => all().filter(|at| by_y(*at, from) == Ordering::Less).max_by(|a, b| by_y(*a, *b)),
        };
        next.or(Some(from))
    }

    /// What marks these requests in the figure: rings around points, frames around larger spots.
    pub fn marks_of(&self, selected: &[u32]) -> Vec<Layer> {
        let mut wanted = selected.to_vec();
        wanted.sort_unstable();
        let chosen = |at: usize| self.requests(at).iter().any(|id| wanted.binary_search(id).is_ok());
        let (mut rings, mut frames) = (Vec::new(), Vec::new());
        for (_, spot) in self.spots.iter().enumerate().filter(|(at, _)| chosen(*at)) {
            if spot.reach == (0.0, 0.0) { rings.push((spot.x, spot.y)) } else { frames.push(spot.rect()) }
        }
        let corners = |r: &Rect| {
            let [a, b, c, d] = [(r.x, r.y), (r.right(), r.y), (r.right(), r.bottom()), (r.x, r.bottom())];
            [(a, b), (b, c), (c, d), (d, a)]
        };
        let strong = |shape| Layer { ink: Ink::Neutral, weight: Weight::Strong, shape };
        let glyph = if rings.len() > MANY { Glyph::Dot } else { Glyph::Ring };
        if rings.len() > MANY {
            one_a_cell(&mut rings, self.size);
        }
        let rings = (!rings.is_empty()).then(|| strong(Shape::Points(glyph, rings)));
        let frames = (!frames.is_empty()).then(|| strong(Shape::Strokes(frames.iter().flat_map(corners).collect())));
        frames.into_iter().chain(rings).collect()
    }
}
