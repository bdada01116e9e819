//! HTTP/1.1 as it was on the socket: head, and a body that is chunked, counted, or open to the end.

use super::Unreadable;

/// The head of a reply.
pub(super) struct Head {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    /// Where the body begins.
    pub length: usize,
}

impl Head {
    /// The head, if the bytes begin like HTTP.
    pub(super) fn parse(bytes: &[u8]) -> Result<Option<Head>, Unreadable> {
        if !bytes.starts_with(b"HTTP/1.") {
            return Ok(None);
        }
        let mut lines = [httparse::EMPTY_HEADER; 128];
        let mut response = httparse::Response::new(&mut lines);
        match response.parse(bytes).map_err(|e| Unreadable::Head(e.to_string()))? {
            httparse::Status::Partial => Err(Unreadable::CutHead),
            httparse::Status::Complete(length) => {
                let text = |value: &[u8]| value.iter().map(|b| char::from(*b)).collect();
                let headers = response.headers.iter().map(|h| (h.name.to_owned(), text(h.value))).collect();
                Ok(Some(Head { status: response.code.unwrap_or(0), headers, length }))
            }
        }
    }

    /// A header's values, joined as browsers do.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        let values: Vec<&str> =
            self.headers.iter().filter(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str()).collect();
        (!values.is_empty()).then(|| values.join(", "))
    }

    pub(super) fn framing(&self) -> Body {
        if self.get("transfer-encoding").is_some_and(|v| v.to_ascii_lowercase().contains("chunked")) {
            return Body::Chunked { rest: Vec::new(), left: 0, at: self.length, ended: false };
        }
        match self.get("content-length").and_then(|v| v.parse().ok()) {
            Some(left) => Body::Counted { left },
            None => Body::Open,
        }
    }
}

/// Takes the framing of HTTP off the bytes of a body.
pub(super) enum Body {
    /// Chunks.
    Chunked {
        /// Bytes of a size line or a trailer that is not over.
        rest: Vec<u8>,
        /// Bytes left of the chunk.
        left: u64,
        /// Where in the recording the next byte stands.
        at: usize,
        /// The last chunk came; what follows are trailers.
        ended: bool,
    },
    /// So many bytes.
    Counted {
        /// Bytes left.
        left: u64,
    },
    /// Up to the end.
    Open,
}

impl Body {
    /// Takes bytes; gives those of the body.
    pub(super) fn push(&mut self, mut bytes: &[u8]) -> Result<Vec<u8>, Unreadable> {
        let mut body = Vec::new();
        match self {
            Body::Open => body.extend_from_slice(bytes),
            Body::Counted { left } => {
                let take = bytes.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
                body.extend_from_slice(&bytes[..take]);
                *left -= take as u64;
            }
            Body::Chunked { rest, left, at, ended } => {
                while !bytes.is_empty() && !*ended {
                    if *left > 0 {
                        let take = bytes.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
                        body.extend_from_slice(&bytes[..take]);
                        (*left, *at, bytes) = (*left - take as u64, *at + take, &bytes[take..]);
                        continue;
                    }
                    rest.push(bytes[0]);
                    (*at, bytes) = (*at + 1, &bytes[1..]);
                    // The line end behind a chunk stands before the next size.
                    let line = rest.strip_prefix(b"\r\n").unwrap_or(rest);
                    match httparse::parse_chunk_size(line) {
                        Ok(httparse::Status::Complete((_, size))) => {
                            (*ended, *left) = (size == 0, size);
                            rest.clear();
                        }
                        Ok(httparse::Status::Partial) => {}
                        Err(_) if rest.as_slice() == b"\r" => {}
                        Err(_) => return Err(Unreadable::Chunk(*at)),
                    }
                }
                rest.extend_from_slice(bytes);
            }
        }
        Ok(body)
    }

    /// The body is known to be whole.
    pub(super) fn is_whole(&self) -> bool {
        match self {
            Body::Chunked { rest, ended, .. } => *ended && (rest == b"\r\n" || rest.ends_with(b"\r\n\r\n")),
            Body::Counted { left } => *left == 0,
            Body::Open => false,
        }
    }

    /// The body was cut: its framing promises more.
    pub(super) fn is_cut(&self) -> bool {
        !matches!(self, Body::Open) && !self.is_whole()
    }

    /// Trailers, once they came.
    pub(super) fn trailers(&self) -> Vec<(String, String)> {
        let Body::Chunked { rest, ended: true, .. } = self else { return Vec::new() };
        let text = String::from_utf8_lossy(rest);
        let lines = text.lines().filter_map(|line| line.split_once(':'));
        lines.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect()
    }
}
