//! Geometry of charts: scales, ticks and boxes, in numbers; no DOM.

mod scale;
mod waterfall;

pub use scale::{Scale, labelled_ticks, ticks};
pub use waterfall::{Lane, LaneKind, Segment, Waterfall, waterfall};
