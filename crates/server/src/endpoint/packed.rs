//! A body that is compressed on its way: flushed after every piece, or held by the compressor until it is full or the end
//! comes, as by a proxy that never flushes.

use std::io::{self, Write as _};

use firstlight_engine::{Encoding, Kind};
use flate2::Compression;
use flate2::write::GzEncoder;

/// A piece that was taken: its kind and length before it was compressed.
type Sent = (Kind, usize);

/// The compressor of one body.
pub(super) struct Packing {
    encoder: GzEncoder<Vec<u8>>,
    flushes: bool,
    /// Kinds and lengths of pieces that went in and can't have come out yet.
    held: Vec<Sent>,
}

impl Packing {
    pub(super) fn new(encoding: Encoding) -> Packing {
        let encoder = GzEncoder::new(Vec::new(), Compression::default());
        Packing { encoder, flushes: encoding == Encoding::GzipFlushed, held: Vec::new() }
    }

    /// Takes a piece; gives what comes out, and the pieces that are whole with it.
    pub(super) fn take(&mut self, kind: Kind, bytes: &[u8]) -> io::Result<(Vec<u8>, Vec<Sent>)> {
        self.held.push((kind, bytes.len()));
        self.encoder.write_all(bytes)?;
        if !self.flushes {
            return Ok((std::mem::take(self.encoder.get_mut()), Vec::new()));
        }
        self.encoder.flush()?;
        Ok((std::mem::take(self.encoder.get_mut()), std::mem::take(&mut self.held)))
    }

    /// The rest, and the pieces that are whole with it.
    pub(super) fn end(self) -> io::Result<(Vec<u8>, Vec<Sent>)> {
        Ok((self.encoder.finish()?, self.held))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;
    use std::io::Read as _;

    fn unpacked(bytes: &[u8]) -> String {
        let mut text = String::new();
        // A stream that is not over yet gives what it has, then an error.
        let _more_to_come = GzDecoder::new(bytes).read_to_string(&mut text);
        text
    }

    #[test]
    fn flushed_pieces_can_be_read_at_once_and_held_ones_at_the_end() {
        for encoding in [Encoding::GzipFlushed, Encoding::GzipHeld] {
            let mut packing = Packing::new(encoding);
            let mut sent = Vec::new();
            let mut so_far = String::new();
            for word in ["one ", "two ", "three"] {
                let (bytes, whole) = packing.take(Kind::Answer, word.as_bytes()).expect("packed");
                sent.extend(bytes);
                so_far.push_str(word);
                match encoding {
                    Encoding::GzipFlushed => {
                        assert_eq!((unpacked(&sent), whole), (so_far.clone(), vec![(Kind::Answer, word.len())]))
                    }
                    Encoding::GzipHeld => assert_eq!((unpacked(&sent), whole), (String::new(), Vec::new())),
                }
            }
            let (bytes, whole) = packing.end().expect("packed");
            sent.extend(bytes);
            assert_eq!(unpacked(&sent), "one two three");
            assert_eq!(whole.len(), if encoding == Encoding::GzipHeld { 3 } else { 0 });
        }
    }
}
