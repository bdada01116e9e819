//! `size`: what a visitor downloads, against its budget.

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use crate::{embed, page, setup, workspace::Workspace};

/// The most that wasm, JavaScript and styles may take together, in bytes after brotli.
pub const BUDGET: usize = 940_000;

/// Builds the page and prints its sizes; false over budget.
pub fn run(ws: &Workspace) -> Result<bool> {
    setup::run(ws, false)?;
    page::build(ws)?;
    embed::build(ws)?;
    let page_within = report(&ws.dist())?;
    Ok(embed::report(ws)? && page_within)
}

/// Prints the sizes of a built page; false over budget.
pub fn report(dist: &Path) -> Result<bool> {
    let mut files = Vec::new();
    collect(dist, &mut files)?;
    files.sort();
    println!("{:>10} {:>10} {:>10}  bytes", "raw", "gzip", "brotli");
    let mut total = [0; 3];
    for file in &files {
        let content = fs::read(file)?;
        let sizes = [content.len(), gzip(&content)?, brotli(&content)?];
        print_row(sizes, &file.strip_prefix(dist)?.to_string_lossy());
        for (sum, size) in total.iter_mut().zip(sizes) {
            *sum += size;
        }
    }
    print_row(total, "total");
    let within = total[2] <= BUDGET;
    println!("{} of {BUDGET} bytes of the budget{}", total[2], if within { "" } else { ": OVER BUDGET" });
    Ok(within)
}

fn print_row([raw, gzip, brotli]: [usize; 3], name: &str) {
    println!("{raw:>10} {gzip:>10} {brotli:>10}  {name}");
}

/// Size at brotli's quality 11, which the server uses for files it compresses once.
pub fn brotli(content: &[u8]) -> io::Result<usize> {
    let mut writer = brotli::CompressorWriter::new(Count(0), 1 << 16, 11, 22);
    writer.write_all(content)?;
    Ok(writer.into_inner().0)
}

fn gzip(content: &[u8]) -> io::Result<usize> {
    let mut writer = flate2::write::GzEncoder::new(Count(0), flate2::Compression::best());
    writer.write_all(content)?;
    Ok(writer.finish()?.0)
}

/// Counts what is written to it.
struct Count(usize);

impl io::Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(dir).with_context(|| format!("no built page in {}", dir.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            // Not loaded by the page: it has a budget of its own.
            if path.file_name().is_none_or(|name| name != embed::FRAME) {
                collect(&path, files)?;
            }
        } else if path.extension().is_some_and(|ext| ["wasm", "js", "css"].iter().any(|known| ext == *known)) {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_sizes_are_those_of_real_streams() {
        let text = b"latency ".repeat(1000);
        let gzip = gzip(&text).expect("counting does not fail");
        let brotli = brotli(&text).expect("counting does not fail");
        assert!((10..200).contains(&gzip), "{gzip}");
        assert!((5..gzip).contains(&brotli), "{brotli}");
    }
}
