//! The file in which Xvfb keeps its picture: an X window dump that changes while it is looked at.
//!
//! Xvfb maps the file, so what it has drawn is what a read of the file gives. Reading needs no mapping of our own.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use anyhow::{Context, Result};

/// Bytes of the fixed part of the header.
const HEADER: usize = 100;
/// Bytes of an entry of the colour table.
const COLOUR: u64 = 12;

/// An open picture.
pub struct Picture {
    file: File,
    /// Where the first pixel is.
    first: u64,
    /// Bytes of a row.
    row: u64,
    size: (u32, u32),
}

impl Picture {
    /// Reads the header.
    pub fn open(path: &Path) -> Result<Picture> {
        let file = File::open(path)?;
        let mut header = [0; HEADER];
        file.read_exact_at(&mut header, 0)?;
        Picture::read(file, &header)
    }

    fn read(file: File, header: &[u8; HEADER]) -> Result<Picture> {
        let field = |n: usize| {
            let bytes = header.get(4 * n..4 * n + 4).and_then(|b| b.try_into().ok()).unwrap_or_default();
            u32::from_be_bytes(bytes)
        };
        let (length, width, height, depth, row, colours) = (field(0), field(4), field(5), field(11), field(12), field(19));
        anyhow::ensure!(field(1) == 7 && length as usize >= HEADER, "this is no X window dump");
        anyhow::ensure!(depth == 32, "a pixel has {depth} bits, not 32");
        let first = u64::from(length) + u64::from(colours) * COLOUR;
        Ok(Picture { file, first, row: u64::from(row), size: (width, height) })
    }

    /// Width and height.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// The pixels of a row from `x` on, four bytes each, as many as the buffer takes.
    pub fn row(&self, x: u32, y: u32, pixels: &mut [u8]) -> Result<()> {
        let at = self.first + u64::from(y) * self.row + u64::from(x) * 4;
        self.file.read_exact_at(pixels, at).context("the screen's picture can't be read")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn pixels_are_found_behind_header_and_colours() {
        let mut header = [0; HEADER];
        for (n, value) in [(0, 104u32), (1, 7), (4, 2), (5, 2), (11, 32), (12, 8), (19, 1)] {
            header[4 * n..4 * n + 4].copy_from_slice(&value.to_be_bytes());
        }
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        file.write_all(&header).expect("written");
        file.write_all(&[0; 4 + 12]).expect("written");
        file.write_all(&(0..16).collect::<Vec<u8>>()).expect("written");
        let picture = Picture::open(file.path()).expect("a picture");
        assert_eq!(picture.size(), (2, 2));
        let mut pixel = [0; 4];
        picture.row(1, 1, &mut pixel).expect("a pixel");
        assert_eq!(pixel, [12, 13, 14, 15]);
    }
}
