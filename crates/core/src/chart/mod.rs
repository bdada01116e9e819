//! Geometry of charts: scales and boxes, no DOM.
