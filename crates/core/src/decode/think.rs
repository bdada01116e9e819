//! Splits `<think>…</think>` off an answer, also when a tag comes in pieces.

use std::collections::BTreeMap;

use super::{Channel, Event};

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// Where one choice stands.
#[derive(Default)]
struct Place {
    thinking: bool,
    /// What may be the beginning of a tag.
    held: String,
}

/// One reply's splitter.
#[derive(Default)]
pub(crate) struct Splitter {
    places: BTreeMap<u32, Place>,
}

impl Splitter {
    /// Takes the events of one frame, which begin at `from`; only answers change.
    pub(crate) fn take(&mut self, from: usize, events: &mut Vec<Event>) {
        for event in events.split_off(from) {
            match event {
                Event::Output { channel: Channel::Answer, choice, text } => self.split(choice, &text, events),
                // Nothing more of the text comes after these.
                Event::Finish(_) | Event::End => {
                    self.end(events);
                    events.push(event);
                }
                other => events.push(other),
            }
        }
    }

    /// No more comes: what was held is text.
    pub(crate) fn end(&mut self, events: &mut Vec<Event>) {
        for (choice, place) in &mut self.places {
            give(*choice, place.thinking, &std::mem::take(&mut place.held), events);
        }
    }

    fn split(&mut self, choice: u32, text: &str, events: &mut Vec<Event>) {
        let place = self.places.entry(choice).or_default();
        place.held.push_str(text);
        let text = std::mem::take(&mut place.held);
        let mut rest = text.as_str();
        loop {
            let tag = if place.thinking { CLOSE } else { OPEN };
            if let Some(at) = rest.find(tag) {
                give(choice, place.thinking, &rest[..at], events);
                rest = &rest[at + tag.len()..];
                place.thinking = !place.thinking;
                continue;
            }
            let sure = rest.len() - begun(rest, tag);
            give(choice, place.thinking, &rest[..sure], events);
            place.held = rest[sure..].to_owned();
            return;
        }
    }
}

/// How many bytes at the end of a text may be the beginning of a tag.
fn begun(text: &str, tag: &str) -> usize {
    (1..tag.len()).rev().find(|n| text.ends_with(&tag[..*n])).unwrap_or(0)
}

fn give(choice: u32, thinking: bool, text: &str, events: &mut Vec<Event>) {
    if !text.is_empty() {
        let channel = if thinking { Channel::Reasoning } else { Channel::Answer };
        events.push(Event::Output { channel, choice, text: text.to_owned() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(pieces: &[&str]) -> String {
        let mut splitter = Splitter::default();
        let mut all = Vec::new();
        for piece in pieces {
            let from = all.len();
            all.push(Event::Output { channel: Channel::Answer, choice: 0, text: (*piece).to_owned() });
            splitter.take(from, &mut all);
        }
        splitter.end(&mut all);
        let one = |event: &Event| match event {
            Event::Output { channel: Channel::Reasoning, text, .. } => format!("({text})"),
            Event::Output { text, .. } => text.clone(),
            _ => String::new(),
        };
        all.iter().map(one).collect::<String>().replace(")(", "")
    }

    #[test]
    fn a_tag_in_any_pieces_is_a_tag() {
        let whole = "<think>hm < 3</think>Hi <b> <think>more</think>!";
        let want = "(hm < 3)Hi <b> (more)!";
        assert_eq!(said(&[whole]), want);
        for at in 0..whole.len() {
            assert_eq!(said(&[&whole[..at], &whole[at..]]), want, "{at}");
        }
        let letters: Vec<String> = whole.chars().map(String::from).collect();
        assert_eq!(said(&letters.iter().map(String::as_str).collect::<Vec<_>>()), want);
        assert_eq!(said(&["a <thi"]), "a <thi");
        assert_eq!(said(&["<think>", "never closed </th"]), "(never closed </th)");
    }
}
