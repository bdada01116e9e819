//! A relay that keeps what passes: every byte goes on as it came, in both directions, and what was asked and answered can be read
//! from it afterwards.

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Result;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::raw_http::authority;
use crate::rt;

/// A listening relay; lives until the end of the process.
pub struct Tape {
    url: String,
    kept: Kept,
}

/// What passed over one connection.
#[derive(Default)]
struct Connection {
    asked: Vec<u8>,
    answered: Vec<u8>,
}

#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<Connection>>>);

impl Kept {
    fn all(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tape {
    /// Before a server, under the path of this address of it.
    pub fn before(url: &str) -> Result<Tape> {
        let upstream = authority(url)?.to_owned();
        let path = url.split_once(&upstream).map_or("/", |(_, path)| path);
        let listener = rt::block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))?;
        let tape = Tape { url: format!("http://127.0.0.1:{}{path}", listener.local_addr()?.port()), kept: Kept::default() };
        let kept = tape.kept.clone();
        rt::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(pass(stream, upstream.clone(), kept.clone()));
            }
        });
        Ok(tape)
    }

    /// Its address.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The bodies that were posted, of each connection in its order.
    pub fn asked(&self) -> Vec<Vec<u8>> {
        let all = self.kept.all();
        let messages = all.iter().flat_map(|connection| messages(&connection.asked));
        messages.filter(|(head, _)| head.starts_with("POST ")).map(|(_, body)| body).collect()
    }

    /// The bodies that came as streams and are whole, without the marks of their chunks.
    pub fn streams(&self) -> Vec<Vec<u8>> {
        let all = self.kept.all();
        let messages = all.iter().flat_map(|connection| messages(&connection.answered));
        messages.filter(|(head, _)| is_chunked(head)).map(|(_, body)| body).collect()
    }
}

async fn pass(mut browser: TcpStream, upstream: String, kept: Kept) {
    let Ok(mut server) = TcpStream::connect(&upstream).await else { return };
    // A byte that comes alone goes alone.
    let _ = (browser.set_nodelay(true), server.set_nodelay(true));
    let at = {
        let mut all = kept.all();
        all.push(Connection::default());
        all.len() - 1
    };
    let (mut from_browser, mut to_browser) = browser.split();
    let (mut from_server, mut to_server) = server.split();
    // Whoever of the two goes away ends it for both.
    tokio::select! {
        () = copy(&mut from_browser, &mut to_server, |bytes| kept.all()[at].asked.extend_from_slice(bytes)) => {}
        () = copy(&mut from_server, &mut to_browser, |bytes| kept.all()[at].answered.extend_from_slice(bytes)) => {}
    }
}

/// Kept first, so that nobody has read what is not on the tape.
async fn copy(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin, keep: impl Fn(&[u8])) {
    let mut buffer = vec![0; 65_536];
    while let Ok(n @ 1..) = from.read(&mut buffer).await {
        keep(&buffer[..n]);
        if to.write_all(&buffer[..n]).await.is_err() {
            return;
        }
    }
}

/// Head and body of each message of one direction that is whole.
fn messages(mut rest: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    while let Some((head, after)) = until(rest, b"\r\n\r\n") {
        let head = String::from_utf8_lossy(head).into_owned();
        let body = if is_chunked(&head) {
            chunks(after)
        } else {
            let length = header(&head, "content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
            after.split_at_checked(length).map(|(body, rest)| (body.to_vec(), rest))
        };
        let Some((body, after)) = body else { break };
        all.push((head, body));
        rest = after;
    }
    all
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = head.lines().filter_map(|line| line.split_once(':'));
    lines.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}

fn is_chunked(head: &str) -> bool {
    header(head, "transfer-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("chunked"))
}

/// A body that comes in chunks, and what stands behind it; none before its last chunk has come.
fn chunks(mut rest: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut body = Vec::new();
    loop {
        let (size, after) = until(rest, b"\r\n")?;
        let size = usize::from_str_radix(std::str::from_utf8(size).ok()?.trim(), 16).ok()?;
        let (chunk, after) = after.split_at_checked(size)?;
        body.extend_from_slice(chunk);
        rest = after.strip_prefix(b"\r\n")?;
        if size == 0 {
            return Some((body, rest));
        }
    }
}

/// What stands before and behind a mark.
fn until<'a>(bytes: &'a [u8], mark: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = bytes.windows(mark.len()).position(|window| window == mark)?;
    Some((&bytes[..at], &bytes[at + mark.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_far_as_they_are_whole() {
        let stream = b"HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na\r\n\r\n10\r\n0123456789abcdef\r\n0\r\n\r\n\
            HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n";
        let bodies: Vec<Vec<u8>> = messages(stream).into_iter().map(|(_, body)| body).collect();
        assert_eq!(bodies, [b"".to_vec(), b"a\r\n0123456789abcdef".to_vec(), b"ok".to_vec()]);
    }

    #[test]
    fn what_passes_is_kept_and_passed() {
        let reply = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\nhi\r\n0\r\n\r\n";
        let stub = crate::stub::Stub::start(reply).expect("a stub");
        let tape = Tape::before(stub.url()).expect("a tape");
        let got = crate::raw_http::post(tape.url(), "{\"a\":1}").expect("a reply");
        assert_eq!((got.status, got.body.as_str()), (200, "2\r\nhi\r\n0\r\n\r\n"));
        assert_eq!((tape.asked(), tape.streams()), (vec![b"{\"a\":1}".to_vec()], vec![b"hi".to_vec()]));
    }
}
