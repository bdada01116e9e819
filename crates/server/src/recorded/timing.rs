//! When the bytes of a recording were read.

use firstlight_core::Micros;
use serde::Deserialize;

use super::Unreadable;

/// `{"request": [lines], "reads": [{"ms", "off", "len"}], "end_ms"}`; times are milliseconds since the request was sent.
#[derive(Clone, Debug, Deserialize)]
pub struct Timing {
    #[serde(default)]
    request: Vec<String>,
    reads: Vec<Read>,
    end_ms: Option<f64>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct Read {
    ms: f64,
    #[serde(alias = "offset")]
    off: usize,
    #[serde(alias = "length")]
    len: usize,
}

impl Timing {
    /// Reads the file's text.
    pub fn parse(text: &str) -> Result<Timing, Unreadable> {
        let timing: Timing = serde_json::from_str(text).map_err(|e| Unreadable::Timing(e.to_string()))?;
        let mut at = 0;
        for read in &timing.reads {
            if read.off != at || !read.ms.is_finite() {
                return Err(Unreadable::Timing(format!("a read begins at byte {}, expected {at}", read.off)));
            }
            at += read.len;
        }
        Ok(timing)
    }

    /// The request asked for a stream, as far as its body tells.
    pub(super) fn stream_asked(&self) -> Option<bool> {
        let body: serde_json::Value = serde_json::from_str(self.request.last()?).ok()?;
        body.get("stream")?.as_bool()
    }

    /// The request was a preflight.
    pub(super) fn is_preflight(&self) -> bool {
        self.request.first().is_some_and(|line| line.starts_with("OPTIONS "))
    }

    /// The reads: their times and where each ends.
    pub(super) fn reads(&self, bytes: usize) -> Result<Vec<(Micros, usize)>, Unreadable> {
        let times = self.reads.last().map_or(0, |r| r.off + r.len);
        if times != bytes {
            return Err(Unreadable::TimingLength { times, bytes });
        }
        Ok(self.reads.iter().map(|r| (Micros::from_ms(r.ms), r.off + r.len)).collect())
    }

    /// When the socket was closed.
    pub(super) fn end(&self) -> Option<Micros> {
        self.end_ms.map(Micros::from_ms)
    }
}
