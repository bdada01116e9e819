//! Ids of traces and spans: from a run's seed, its begin and a request's number in it, so that whoever exports a run twice, or
//! merged with others, names the same request the same way.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::report::Origin;

/// The ids of one request.
pub(super) struct Ids {
    origin: String,
    hash: [u8; 32],
}

impl Ids {
    /// Of a request, by its number in the run that holds it.
    pub(super) fn of(origin: &Origin<'_>, id: u32) -> Ids {
        let origin = format!("firstlight\n{}\n{}\n{}", origin.seed, origin.created, id.saturating_sub(origin.first));
        let hash = Sha256::digest(&origin).into();
        Ids { origin, hash }
    }

    /// Of its trace: 16 bytes in hexadecimal.
    pub(super) fn trace(&self) -> String {
        hexadecimal(&self.hash[..16])
    }

    /// Of its span: 8 bytes in hexadecimal.
    pub(super) fn span(&self) -> String {
        hexadecimal(&self.hash[16..24])
    }

    /// Of a span that the server reported, by its place in the report.
    pub(super) fn child(&self, at: usize) -> String {
        let hash: [u8; 32] = Sha256::digest(format!("{}\n{at}", self.origin)).into();
        hexadecimal(&hash[..8])
    }
}

/// An id may not be all zeros; of a hash that happens once in 2^64.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing into a text can't fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
