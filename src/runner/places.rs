//! The places in which answers appear: text in, the paint of its first and its last piece out.
//!
//! A piece of text is put into a fresh block of its own, since a paint can only be observed on an element that is new when
//! it gets its text. Once it is painted and followed by more, it is merged into the text before it. The first piece is put
//! in at once; later ones once per frame, just before the frame is made, so that none is drawn later for it.

use std::cell::RefCell;
use std::rc::Rc;

use firstlight_core::config::Rendering;
use firstlight_core::decode::{drawn_tail, has_visible};
use firstlight_core::paint::Probe;
use firstlight_core::trace::Covered;
use firstlight_core::{ById, Micros};
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlElement, Text};

use super::message::Seen;
use super::sheet::Sheet;
use crate::browser::cover::Cover;
use crate::browser::paint::{IDENTIFIER, Observer, Painted, frames_are_bounds, observe, supported};
use crate::browser::{frames, window};

/// Of an answer, this much of the end is in the document: more than any place shows, and little enough to lay out again in
/// every frame of several streams.
const DRAWN: u32 = 2_000;

/// A piece of text on its way to the screen.
struct Piece {
    number: u32,
    element: Element,
    /// The clock in the first frame callback at or after its insertion, where frames are what there is.
    first_frame: Option<Micros>,
    probe: Option<Probe>,
}

impl Piece {
    fn found(&mut self, probe: Probe) {
        self.probe = Some(probe);
    }
}

/// Elements of the document for one answer at a time.
pub struct Room {
    /// What clips it: what is outside is not seen.
    pub place: Element,
    /// Inside it; everything in here belongs to the runner.
    pub answer: Element,
    /// The class of `answer`.
    pub class: &'static str,
    /// The class of a piece whose paint is observed: its style must make it a block or an inline block, since browsers report
    /// nothing of anything else. Empty: the styles stand on the elements themselves, stronger than any that a host's page has.
    pub piece: &'static str,
}

/// The styles of a piece whose paint is observed, and of one that flows like any text, where a host's page is to change nothing.
const GUARDED: [&str; 2] =
    ["all:unset!important", "all:unset!important;display:inline-block!important;max-width:100%!important"];

struct Place {
    cover: Cover,
    room: Room,
    drawing: Drawing,
    request: Option<u32>,
    waiting: String,
    pieces: Vec<Piece>,
    next_number: u32,
    closed: bool,
    reported_first: bool,
}

/// How the answer is drawn.
enum Drawing {
    /// As text: what is no piece any more.
    Plain(Text),
    /// As Markdown.
    Markdown(Box<Sheet>),
}

struct Inner {
    rendering: Rendering,
    places: Vec<Place>,
    by_request: ById<usize>,
    element_timing: bool,
    bounds: bool,
    frame_asked: bool,
}

/// All places of a run.
pub(super) struct Places {
    inner: Rc<RefCell<Inner>>,
    seen: Rc<dyn Fn(u32, Seen)>,
    _observer: Option<Observer>,
}

impl Places {
    /// Takes places that are in the document.
    pub fn new(rooms: Vec<Room>, rendering: Rendering, seen: impl Fn(u32, Seen) + 'static) -> Places {
        // Nothing is reported of what is in a shadow tree.
        let element_timing = supported() && !rooms.iter().any(Room::is_shadowed);
        let places = rooms.into_iter().map(Place::new).collect();
        let inner = Rc::new(RefCell::new(Inner {
            rendering,
            places,
            by_request: ById::default(),
            element_timing,
            bounds: frames_are_bounds(),
            frame_asked: false,
        }));
        let seen: Rc<dyn Fn(u32, Seen)> = Rc::new(seen);
        let observer = element_timing.then(|| {
            let (inner, seen) = (Rc::clone(&inner), Rc::clone(&seen));
            observe(move |painted| on_painted(&inner, &seen, painted))
        });
        Places { inner, seen, _observer: observer.flatten() }
    }

    /// A request gets a place.
    pub fn open(&self, place: u32, request: u32) {
        let mut inner = self.inner.borrow_mut();
        let rendering = inner.rendering;
        if let Some(found) = inner.places.get_mut(place as usize) {
            found.clear(request, rendering);
            inner.by_request.insert(request, place as usize);
        }
    }

    /// Text of its answer, in the callback in which it came.
    pub fn show(&self, request: u32, text: &str) {
        let mut inner = self.inner.borrow_mut();
        let by_frames = !inner.element_timing;
        let Some(place) = inner.place_of(request) else { return };
        place.waiting.push_str(text);
        let first = place.next_number == 0 && has_visible(&place.waiting);
        if first {
            // In Markdown there may be nothing to see of it yet.
            place.insert();
        }
        if !first || by_frames {
            self.ask_frame(&mut inner);
        }
    }

    /// The server took back what is shown. What was found out of the first piece stands.
    pub fn withdraw(&self, request: u32) {
        if let Some(place) = self.inner.borrow_mut().place_of(request) {
            place.waiting.clear();
            place.blank();
        }
    }

    /// No more text will come.
    pub fn close(&self, request: u32) {
        let mut inner = self.inner.borrow_mut();
        let by_frames = !inner.element_timing;
        let Some(place) = inner.place_of(request) else { return };
        place.closed = true;
        if !place.waiting.is_empty() {
            place.insert();
        }
        if !by_frames {
            place.give_up_unseen();
        }
        let reports = if place.next_number == 0 { vec![Seen::All] } else { place.reports() };
        if by_frames {
            self.ask_frame(&mut inner);
        }
        drop(inner);
        reports.into_iter().for_each(|report| (self.seen)(request, report));
    }

    /// The place may be used again; what it shows stays until then.
    pub fn free(&self, request: u32) {
        let mut inner = self.inner.borrow_mut();
        if let Some(place) = inner.place_of(request) {
            place.request = None;
        }
        inner.by_request.remove(request);
    }

    fn ask_frame(&self, inner: &mut Inner) {
        ask_frame(&self.inner, &self.seen, inner);
    }
}

fn ask_frame(shared: &Rc<RefCell<Inner>>, seen: &Rc<dyn Fn(u32, Seen)>, inner: &mut Inner) {
    if !std::mem::replace(&mut inner.frame_asked, true) {
        let (shared, seen) = (Rc::clone(shared), Rc::clone(seen));
        frames::next(move |at| on_frame(&shared, &seen, Micros::from_ms(at)));
    }
}

fn on_frame(shared: &Rc<RefCell<Inner>>, seen: &Rc<dyn Fn(u32, Seen)>, at: Micros) {
    let mut inner = shared.borrow_mut();
    inner.frame_asked = false;
    let (by_frames, bounds) = (!inner.element_timing, inner.bounds);
    let mut found = Vec::new();
    let mut more = false;
    for place in inner.places.iter_mut() {
        let Some(request) = place.request else { continue };
        if by_frames {
            // Before anything is changed, so that asking where an element is costs no second layout.
            place.advance(at, bounds);
        }
        if !place.waiting.is_empty() && (place.next_number > 0 || has_visible(&place.waiting)) {
            place.insert();
            if by_frames {
                // Put in inside this callback: not on the screen before it.
                place.pieces.iter_mut().filter(|p| p.first_frame.is_none()).for_each(|p| p.first_frame = Some(at));
            }
        }
        more |= by_frames && place.pieces.iter().any(|p| p.probe.is_none());
        found.extend(place.reports().into_iter().map(|report| (request, report)));
    }
    if more {
        ask_frame(shared, seen, &mut inner);
    }
    drop(inner);
    found.into_iter().for_each(|(request, report)| seen(request, report));
}

fn on_painted(shared: &Rc<RefCell<Inner>>, seen: &Rc<dyn Fn(u32, Seen)>, painted: Painted) {
    let Some((request, number)) = request_and_number(&painted.identifier) else { return };
    let reports = {
        let mut inner = shared.borrow_mut();
        let Some(place) = inner.place_of(request) else { return };
        let Place { cover, pieces, .. } = place;
        for piece in pieces.iter_mut().filter(|p| p.number == number) {
            let covered = cover.of(&piece.element);
            let in_view = painted.in_view && !cover.is_outside();
            piece.found(Probe::Element { presented: painted.presented, in_view, covered });
        }
        place.reports()
    };
    reports.into_iter().for_each(|report| seen(request, report));
}

/// The request and the number that the name of a piece holds.
fn request_and_number(name: &str) -> Option<(u32, u32)> {
    let (request, number) = name.strip_prefix("firstlight-")?.split_once('-')?;
    Some((request.parse().ok()?, number.parse().ok()?))
}

/// The request whose first piece has this name.
pub(super) fn request_of_first(name: &str) -> Option<u32> {
    request_and_number(name).filter(|(_, number)| *number == 0).map(|(request, _)| request)
}

impl Inner {
    fn place_of(&mut self, request: u32) -> Option<&mut Place> {
        let at = *self.by_request.get(request)?;
        self.places.get_mut(at)
    }
}

impl Room {
    /// It is in a shadow tree, or in no document.
    fn is_shadowed(&self) -> bool {
        !self.place.get_root_node().has_type::<Document>()
    }

    fn is_in_view(&self, element: &Element) -> bool {
        is_in_view(element, &self.place)
    }

    /// Gives an element the style of a piece that is observed, or of one that is not any more.
    fn dress(&self, element: &Element, observed: bool) {
        if self.piece.is_empty() {
            element.unchecked_ref::<HtmlElement>().style().set_css_text(GUARDED[usize::from(observed)]);
        } else {
            element.set_class_name(if observed { self.piece } else { "" });
        }
    }
}

impl Place {
    fn new(room: Room) -> Place {
        Place {
            cover: Cover::watch(&room.place),
            drawing: Drawing::Markdown(Box::new(Sheet::new(DRAWN as usize, room.piece))),
            room,
            request: None,
            waiting: String::new(),
            pieces: Vec::new(),
            next_number: 0,
            closed: false,
            reported_first: false,
        }
    }

    fn clear(&mut self, request: u32, rendering: Rendering) {
        let answer = &self.room.answer;
        answer.set_text_content(None);
        self.drawing = match (rendering, window().document()) {
            (Rendering::Plain, Some(document)) => {
                let text = document.create_text_node("");
                // The document accepts its own node.
                let _ = answer.append_child(&text);
                Drawing::Plain(text)
            }
            _ => Drawing::Markdown(Box::new(Sheet::new(DRAWN as usize, self.room.piece))),
        };
        let more = if rendering == Rendering::Plain { "" } else { " markdown" };
        answer.set_class_name(&format!("{}{more}", self.room.class));
        self.request = Some(request);
        self.waiting.clear();
        self.pieces.clear();
        self.next_number = 0;
        self.closed = false;
        self.reported_first = false;
    }

    /// Nothing of what is shown stands any more.
    fn blank(&mut self) {
        self.waiting.clear();
        match &mut self.drawing {
            Drawing::Plain(text) => {
                text.set_data("");
                self.pieces.retain(|piece| piece.probe.is_none());
                self.pieces.iter().for_each(|piece| piece.element.set_text_content(None));
            }
            Drawing::Markdown(sheet) => {
                self.pieces.retain(|piece| piece.number == 0 && piece.probe.is_none());
                sheet.blank(self.pieces.first().map(|piece| &piece.element));
            }
        }
    }

    /// Puts the waiting text into the document: as a fresh piece if a person can see it.
    fn insert(&mut self) {
        let text = std::mem::take(&mut self.waiting);
        let Some(request) = self.request else { return };
        let number = self.next_number;
        let name = format!("firstlight-{request}-{number}");
        let fresh = match &mut self.drawing {
            Drawing::Plain(_) => self.insert_plain(&text, &name),
            Drawing::Markdown(sheet) => {
                let pinned = self.pieces.iter().find(|p| p.number == 0 && p.probe.is_none()).map(|p| &p.element);
                sheet.insert(&self.room.answer, &text, &name, pinned)
            }
        };
        if let Some(element) = fresh {
            self.cover.look();
            self.pieces.retain(|piece| piece.number == 0);
            self.pieces.push(Piece { number, element, first_frame: None, probe: None });
            self.next_number += 1;
        }
    }

    fn insert_plain(&mut self, text: &str, name: &str) -> Option<Element> {
        let document = window().document()?;
        if !has_visible(text) {
            // Behind the last piece, which is still to be seen.
            let node = document.create_text_node(text);
            match (self.pieces.last().filter(|p| p.number > 0), &self.drawing) {
                (Some(last), _) => drop(last.element.append_child(&node)),
                (None, Drawing::Plain(merged)) => merged.append_data(text).unwrap_or_default(),
                (None, Drawing::Markdown(_)) => {}
            }
            return None;
        }
        self.merge_older();
        let text = drawn_tail(text, DRAWN as usize);
        let element = document.create_element(if self.room.piece.is_empty() { "firstlight-text" } else { "span" }).ok()?;
        self.room.dress(&element, true);
        // Both before it gets into the document: later, no paint would be reported.
        let _ = element.set_attribute(IDENTIFIER, name);
        element.set_text_content(Some(text));
        // The first piece stands before the merged text, the others behind it.
        let before: Option<&web_sys::Node> = match &self.drawing {
            Drawing::Plain(merged) if self.next_number == 0 => Some(merged),
            _ => None,
        };
        let _ = self.room.answer.insert_before(&element, before);
        Some(element)
    }

    /// Later pieces had their frame: their text becomes part of the text before them. The first piece stays where it is, and
    /// flows like any text from now on. Not before more text comes: it would be drawn again for it.
    fn merge_older(&mut self) {
        let Drawing::Plain(merged) = &self.drawing else { return };
        for piece in self.pieces.iter().filter(|p| p.number == 0 && p.probe.is_some()) {
            self.room.dress(&piece.element, false);
        }
        for piece in self.pieces.extract_if(.., |p| p.number > 0) {
            let content = piece.element.text_content().unwrap_or_default();
            piece.element.remove();
            merged.append_data(&content).unwrap_or_default();
        }
        // Twice as much before it is cut, so that the cut is rare.
        let length = merged.length();
        if length > 2 * DRAWN {
            merged.delete_data(0, length - DRAWN).unwrap_or_default();
        }
    }

    /// No paint is reported of what is outside the viewport, so none is waited for. Of what had to be made anew none is
    /// reported either, but where it would have stood is not known.
    fn give_up_unseen(&mut self) {
        let (room, outside) = (&self.room, self.cover.is_outside());
        let unseen =
            |p: &&mut Piece| p.probe.is_none() && p.element.is_connected() && (outside || !room.is_in_view(&p.element));
        for piece in self.pieces.iter_mut().filter(unseen) {
            piece.found(Probe::Element { presented: Micros::ZERO, in_view: false, covered: Covered::Unknown });
        }
    }

    /// A frame was made: what was put in before has its first frame, what had one has its second.
    fn advance(&mut self, at: Micros, bounded: bool) {
        for piece in self.pieces.iter_mut().filter(|p| p.probe.is_none()) {
            match piece.first_frame {
                None => piece.first_frame = Some(at),
                Some(first) => {
                    // What had to be made anew is somewhere in the answer.
                    let element = if piece.element.is_connected() { &piece.element } else { &self.room.answer };
                    let in_view = self.room.is_in_view(element) && !self.cover.is_outside();
                    let covered = self.cover.of(element);
                    piece.found(Probe::Frames { first, second: at, in_view, covered, bounded });
                }
            }
        }
    }

    /// What can be said now and was not said before.
    fn reports(&mut self) -> Vec<Seen> {
        let mut reports = Vec::new();
        let probe_of = |number: u32| self.pieces.iter().find(|p| p.number == number).and_then(|p| p.probe);
        if !self.reported_first
            && let Some(probe) = probe_of(0)
        {
            self.reported_first = true;
            reports.push(Seen::First(probe));
        }
        let last = self.next_number.checked_sub(1).filter(|_| self.closed && self.waiting.is_empty());
        if let Some(probe) = last.and_then(probe_of) {
            reports.push(Seen::Complete(probe));
            if self.reported_first {
                reports.push(Seen::All);
            }
        }
        reports
    }
}

/// Some of the element is inside the viewport and inside its place.
fn is_in_view(element: &Element, place: &Element) -> bool {
    let viewport = window();
    let size = |v: Result<wasm_bindgen::JsValue, _>| v.ok().and_then(|v| v.as_f64()).unwrap_or(0.0);
    let (width, height) = (size(viewport.inner_width()), size(viewport.inner_height()));
    let (piece, place) = (element.get_bounding_client_rect(), place.get_bounding_client_rect());
    let left = piece.left().max(place.left()).max(0.0);
    let right = piece.right().min(place.right()).min(width);
    let top = piece.top().max(place.top()).max(0.0);
    let bottom = piece.bottom().min(place.bottom()).min(height);
    right > left && bottom > top
}
