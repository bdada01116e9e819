//! Which spots does a pointer, an arrow key, a brush or a selection mean? Plain scans over plain numbers.

use std::cmp::Ordering;

use super::scene::{Figure, Glyph, Ink, Layer, Place, Rect, Shape, Spot, Weight};

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

/// More rings than this lie over one another: then the cells are marked that hold points, which costs less.
const MANY: usize = 1_000;

/// The side of a cell, the width of a dot.
const CELL: f64 = 4.0;

/// The cells that hold points; neighbours in a row are one rectangle. To paint thousands of rings takes longer than a frame.
fn cells(points: &[Place]) -> Vec<Rect> {
    let mut taken: Vec<(i32, i32)> = points.iter().map(|(x, y)| ((y / CELL) as i32, (x / CELL) as i32)).collect();
    taken.sort_unstable();
    taken.dedup();
    let rows = taken.chunk_by(|(row, column), (next_row, next)| row == next_row && column + 1 == *next);
    let rect = |run: &[(i32, i32)]| {
        let (row, column) = run[0];
        Rect { x: f64::from(column) * CELL, y: f64::from(row) * CELL, width: run.len() as f64 * CELL, height: CELL }
    };
    rows.map(rect).collect()
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

    /// What marks these requests in the figure: rings around points, or the cells that hold them; frames around larger spots.
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
        let rings = (!rings.is_empty())
            .then(|| strong(if rings.len() > MANY { Shape::Rects(cells(&rings)) } else { Shape::Points(Glyph::Ring, rings) }));
        let frames = (!frames.is_empty()).then(|| strong(Shape::Strokes(frames.iter().flat_map(corners).collect())));
        frames.into_iter().chain(rings).collect()
    }
}
