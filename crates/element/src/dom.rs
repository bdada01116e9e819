//! Elements by name, attributes and children: as much of a view library as a small view needs.

use firstlight_web::browser::window;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, Node};

const SVG: &str = "http://www.w3.org/2000/svg";

fn document() -> Document {
    // A module that draws has a window, and a window a document.
    window().document().unwrap_or_else(|| wasm_bindgen::JsValue::UNDEFINED.unchecked_into())
}

/// What can stand inside an element.
pub(crate) enum Child {
    Node(Node),
    Text(String),
    None,
}

impl From<Element> for Child {
    fn from(element: Element) -> Child {
        Child::Node(element.into())
    }
}

impl From<String> for Child {
    fn from(text: String) -> Child {
        Child::Text(text)
    }
}

impl From<&str> for Child {
    fn from(text: &str) -> Child {
        Child::Text(text.to_owned())
    }
}

impl<T: Into<Child>> From<Option<T>> for Child {
    fn from(child: Option<T>) -> Child {
        child.map_or(Child::None, Into::into)
    }
}

fn filled(element: Element, attributes: &[(&str, &str)], children: Vec<Child>) -> Element {
    for (name, value) in attributes {
        // The names are this crate's own.
        let _ = element.set_attribute(name, value);
    }
    for child in children {
        let node: Node = match child {
            Child::Node(node) => node,
            Child::Text(text) => document().create_text_node(&text).into(),
            Child::None => continue,
        };
        let _ = element.append_child(&node);
    }
    element
}

/// An element of HTML.
pub(crate) fn el(name: &str, attributes: &[(&str, &str)], children: Vec<Child>) -> Element {
    let made = document().create_element(name);
    filled(made.unwrap_or_else(|broken| broken.unchecked_into()), attributes, children)
}

/// An element of SVG.
pub(crate) fn svg(name: &str, attributes: &[(&str, &str)], children: Vec<Child>) -> Element {
    let made = document().create_element_ns(Some(SVG), name);
    filled(made.unwrap_or_else(|broken| broken.unchecked_into()), attributes, children)
}

/// Text in an element.
pub(crate) fn text(name: &str, class: &str, text: impl Into<String>) -> Element {
    let attributes: &[(&str, &str)] = if class.is_empty() { &[] } else { &[("class", class)] };
    el(name, attributes, vec![Child::Text(text.into())])
}

/// Several of the same.
pub(crate) fn all(elements: impl IntoIterator<Item = Element>) -> Vec<Child> {
    elements.into_iter().map(Child::from).collect()
}
