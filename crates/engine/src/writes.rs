//! How pieces become writes: line ends, a byte order mark, bursts, and cuts.

use crate::fault::Fault;
use crate::format::Format;
use crate::piece::{Kind, Piece};
use crate::plan::Plan;

/// The least time between two writes of a body that is cut.
const CUT_APART_US: u64 = 1_000;
/// Between two bytes of a trickle.
const TRICKLE_APART_US: u64 = 2_000;

/// Pieces as they are written.
pub(crate) fn written(plan: &Plan, mut pieces: Vec<Piece>) -> Vec<Piece> {
    if has_crlf(plan) {
        pieces.iter_mut().for_each(|p| p.bytes = with_crlf(&p.bytes));
    }
    if let Some(first) = pieces.first_mut().filter(|_| plan.bom) {
        first.bytes.splice(0..0, *b"\xEF\xBB\xBF");
    }
    if let Some(last) = pieces.last().map(|p| p.at_us).filter(|_| plan.burst) {
        pieces.iter_mut().for_each(|p| p.at_us = last);
    }
    let text = plan.format == Format::Text;
    match plan.split {
        _ if plan.fault == Some(Fault::Trickle) => cut(pieces, 1, TRICKLE_APART_US, text),
        Some(size) => cut(pieces, size, CUT_APART_US, text),
        None => pieces,
    }
}

impl Plan {
    /// The least time between two writes of a body that is cut, in µs.
    pub fn apart_us(&self) -> u64 {
        match self.split {
            _ if self.fault == Some(Fault::Trickle) => TRICKLE_APART_US,
            Some(_) => CUT_APART_US,
            None => 0,
        }
    }
}

/// Lines end in CR LF: where that is asked for, and always in Gemini's streams.
pub(crate) fn has_crlf(plan: &Plan) -> bool {
    plan.crlf && plan.format.is_chat() || plan.format == Format::Gemini
}

/// Line ends as CR LF.
pub(crate) fn with_crlf(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + 4);
    for &byte in bytes {
        if byte == b'\n' {
            out.push(b'\r');
        }
        out.push(byte);
    }
    out
}

/// Cuts pieces into writes of `size` bytes, so far apart at least. Text is output from its first byte on; an event only with its last.
fn cut(pieces: Vec<Piece>, size: usize, apart_us: u64, text: bool) -> Vec<Piece> {
    let mut writes: Vec<Piece> = Vec::new();
    for piece in pieces {
        let count = piece.bytes.len().div_ceil(size);
        for (n, bytes) in piece.bytes.chunks(size).enumerate() {
            let earliest = writes.last().map_or(0, |w| w.at_us + apart_us);
            let kind = if text || n + 1 == count { piece.kind } else { Kind::Fragment };
            writes.push(Piece { at_us: piece.at_us.max(earliest), bytes: bytes.to_vec(), kind });
        }
    }
    writes
}
