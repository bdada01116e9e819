//! JSON values one after another: one per line, or the elements of one list that is sent in pieces. A value is complete
//! with its last byte, whatever follows.

use super::{LIMIT, Part, Sink, text_of};

/// Where between or inside values the stream is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Between,
    /// Inside an object or list, at this depth.
    Nested(u32),
    /// Inside a string, at this depth; the flag: after a backslash.
    Quoted(u32, bool),
    /// Inside a number or a word.
    Scalar,
    /// After bytes that are no value, up to the next line.
    Lost,
}

/// Holds the value that is not complete yet.
#[derive(Default)]
pub(crate) struct Values {
    place: Place,
    value: Vec<u8>,
    begun: bool,
    in_list: bool,
    over: bool,
}

impl Values {
    /// Takes one read.
    pub(crate) fn push(&mut self, bytes: &[u8], sink: Sink<'_>) {
        for &byte in bytes {
            if self.over {
                return;
            }
            self.take(byte, sink);
        }
        if self.value.len() > LIMIT {
            self.over = true;
            sink(Part::TooLarge);
        }
    }

    /// The body ended.
    pub(crate) fn end(&mut self, sink: Sink<'_>) {
        match self.place {
            Place::Scalar => self.give(sink),
            Place::Nested(_) | Place::Quoted(..) => self.lose(sink),
            Place::Between | Place::Lost => {}
        }
    }

    fn take(&mut self, byte: u8, sink: Sink<'_>) {
        match (self.place, byte) {
            (Place::Between, _) => self.between(byte, sink),
            (Place::Lost, b'\n') => self.place = Place::Between,
            (Place::Lost, _) => {}
            // A raw line end can't stand inside a string: the value was cut, and a new one begins.
            (Place::Quoted(..), b'\n' | b'\r') => {
                self.lose(sink);
                self.place = Place::Between;
            }
            (Place::Quoted(depth, true), _) => self.keep(byte, Place::Quoted(depth, false)),
            (Place::Quoted(depth, false), b'\\') => self.keep(byte, Place::Quoted(depth, true)),
            (Place::Quoted(0, false), b'"') => self.close(byte, sink),
            (Place::Quoted(depth, false), b'"') => self.keep(byte, Place::Nested(depth)),
            (Place::Quoted(..), _) => self.value.push(byte),
            (Place::Nested(depth), b'"') => self.keep(byte, Place::Quoted(depth, false)),
            (Place::Nested(depth), b'{' | b'[') => self.keep(byte, Place::Nested(depth + 1)),
            (Place::Nested(1), b'}' | b']') => self.close(byte, sink),
            (Place::Nested(depth), b'}' | b']') => self.keep(byte, Place::Nested(depth - 1)),
            (Place::Nested(_), _) => self.value.push(byte),
            (Place::Scalar, b' ' | b'\t' | b'\r' | b'\n' | b',' | b']') => {
                self.give(sink);
                self.between(byte, sink);
            }
            (Place::Scalar, _) => self.value.push(byte),
        }
    }

    fn between(&mut self, byte: u8, sink: Sink<'_>) {
        match byte {
            // Space, the separators of a list and of JSON text sequences, and a BOM.
            b' ' | b'\t' | b'\r' | b'\n' | b',' | 0x1e | 0xef | 0xbb | 0xbf => {}
            b'[' if !self.begun => self.in_list = true,
            b']' if self.in_list => {
                self.over = true;
                sink(Part::End);
            }
            b'}' | b']' | b':' => {
                self.value.push(byte);
                self.lose(sink);
            }
            b'{' | b'[' => self.keep(byte, Place::Nested(1)),
            b'"' => self.keep(byte, Place::Quoted(0, false)),
            _ => self.keep(byte, Place::Scalar),
        }
        self.begun |= !matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x1e | 0xef | 0xbb | 0xbf);
    }

    fn keep(&mut self, byte: u8, place: Place) {
        self.value.push(byte);
        self.place = place;
    }

    fn close(&mut self, byte: u8, sink: Sink<'_>) {
        self.value.push(byte);
        self.give(sink);
    }

    fn give(&mut self, sink: Sink<'_>) {
        self.place = Place::Between;
        if self.value.len() > LIMIT {
            self.over = true;
            return sink(Part::TooLarge);
        }
        sink(Part::Event { name: "", data: &text_of(&self.value) });
        self.value.clear();
    }

    fn lose(&mut self, sink: Sink<'_>) {
        self.place = Place::Lost;
        sink(Part::Unreadable(&text_of(&self.value)));
        self.value.clear();
    }
}
