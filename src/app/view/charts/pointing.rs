//! Hover, arrow keys and brush: from events to spots and requests, which core finds.

use std::sync::Arc;

use firstlight_core::chart::{Direction, Figure, Place, Rect};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent, PointerEvent};

use super::Selection;

/// A stretch of fewer pixels is a click, not a brush.
const BRUSH: f64 = 4.0;

/// What the pointer and the keys do in one figure.
#[derive(Clone, Copy)]
pub struct Pointing {
    /// The spot that is read out.
    pub at: RwSignal<Option<usize>>,
    /// The corners of the rectangle that is being drawn.
    brush: RwSignal<Option<(Place, Place)>>,
    selection: Selection,
}

/// Where in the drawing an event happened.
fn place(event: &PointerEvent) -> Option<Place> {
    let target = event.current_target()?.dyn_into::<Element>().ok()?;
    let edge = target.get_bounding_client_rect();
    Some((f64::from(event.client_x()) - edge.left(), f64::from(event.client_y()) - edge.top()))
}

fn is_click(brush: &Rect) -> bool {
    brush.width < BRUSH && brush.height < BRUSH
}

impl Pointing {
    pub fn new(selection: Selection) -> Pointing {
        Pointing { at: RwSignal::new(None), brush: RwSignal::new(None), selection }
    }

    /// The rectangle that is being drawn, once it is more than a click.
    pub fn brushed(self) -> Option<Rect> {
        let (from, to) = self.brush.get()?;
        Some(Rect::between(from, to)).filter(|brush| !is_click(brush))
    }

    pub fn down(self, event: &PointerEvent) {
        let Some(place) = place(event).filter(|_| event.is_primary() && event.button() == 0) else { return };
        self.brush.set(Some((place, place)));
        // So that a brush may end outside; a pointer that is gone already ends nowhere.
        let target = event.current_target().and_then(|t| t.dyn_into::<Element>().ok());
        let _ = target.map(|target| target.set_pointer_capture(event.pointer_id()));
    }

    pub fn moved(self, figure: &Figure, event: &PointerEvent) {
        let Some(place) = place(event) else { return };
        match self.brush.get_untracked() {
            Some((from, _)) => self.brush.set(Some((from, place))),
            None => {
                let near = figure.nearest(place.0, place.1);
                if near != self.at.get_untracked() {
                    self.at.set(near);
                }
            }
        }
    }

    pub fn up(self, figure: &Figure, event: &PointerEvent) {
        let Some((from, _)) = self.brush.get_untracked() else { return };
        self.brush.set(None);
        let Some(to) = place(event) else { return };
        let brush = Rect::between(from, to);
        if is_click(&brush) {
            let near = figure.nearest(to.0, to.1);
            self.at.set(near);
            self.selection.set(near.map(|at| figure.requests(at).to_vec()).unwrap_or_default());
        } else {
            self.selection.set(figure.inside(brush));
        }
    }

    pub fn left(self) {
        if self.brush.get_untracked().is_none() {
            self.at.set(None);
        }
    }

    pub fn cancelled(self) {
        self.brush.set(None);
    }

    /// Arrows go from spot to spot, Home and End to the ends, Enter selects, Escape lets go.
    pub fn key(self, figure: &Arc<Figure>, event: &KeyboardEvent) {
        let direction = match event.key().as_str() {
            "ArrowLeft" => Direction::Left,
            "ArrowRight" => Direction::Right,
            "ArrowUp" => Direction::Up,
            "ArrowDown" => Direction::Down,
            "Home" => Direction::First,
            "End" => Direction::Last,
            "Enter" | " " => {
                if let Some(at) = self.at.get_untracked() {
                    event.prevent_default();
                    self.selection.set(figure.requests(at).to_vec());
                }
                return;
            }
            "Escape" => {
                self.at.set(None);
                return self.selection.set(Vec::new());
            }
            _ => return,
        };
        event.prevent_default();
        self.at.set(figure.step(self.at.get_untracked(), direction));
    }
}
