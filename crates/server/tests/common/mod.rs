//! A small HTTP/1.1 client over a raw socket, so that tests see exactly what is on the wire and when.

#![allow(dead_code, reason = "each test target uses a part of it")]

#[cfg(unix)]
pub mod binary;
pub mod upstream;

use std::time::{Duration, Instant};

use firstlight_server::{Options, Running, Server};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// No reply of these tests takes longer.
const LIMIT: Duration = Duration::from_secs(20);

/// A reply as it came.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    /// The body with its chunked framing taken off.
    pub body: Vec<u8>,
    /// The final chunk, or all of the announced length, came.
    pub ended_well: bool,
    /// When each part of the body came, in ms since the request was sent.
    pub reads: Vec<(f64, usize)>,
    /// When the headers came, in ms since the request was sent.
    pub headers_ms: f64,
}

impl Reply {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
    }

    pub fn all(&self, name: &str) -> Vec<&str> {
        self.headers.iter().filter(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str()).collect()
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.text()))
    }
}

/// A server on free ports without a page.
pub async fn start() -> Running {
    Server::start(Options::default()).await.expect("a server")
}

/// The host and port of an origin.
pub fn host(origin: &str) -> String {
    origin.trim_start_matches("http://").trim_end_matches('/').to_owned()
}

/// One request on a connection of its own.
pub async fn send(host: &str, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
    let (mut socket, sent) = open(host, method, path, headers, body).await;
    let mut bytes = Vec::new();
    let mut arrivals = Vec::new();
    let reading = async {
        let mut buffer = vec![0; 1 << 16];
        loop {
            match socket.read(&mut buffer).await {
                Ok(0) | Err(_) => break,
                Ok(n) => {
                    arrivals.push((sent.elapsed().as_secs_f64() * 1000.0, n));
                    bytes.extend_from_slice(&buffer[..n]);
                    if complete(&bytes) {
                        break;
                    }
                }
            }
        }
    };
    tokio::time::timeout(LIMIT, reading).await.expect("the reply ends");
    parse(&bytes, arrivals)
}

/// Sends a request and leaves the reply unread.
pub async fn open(host: &str, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> (TcpStream, Instant) {
    let mut socket = TcpStream::connect(host).await.expect("a connection");
    socket.set_nodelay(true).expect("no delay");
    let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {}\r\n", body.len());
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    let sent = Instant::now();
    socket.write_all(format!("{head}\r\n{body}").as_bytes()).await.expect("sent");
    (socket, sent)
}

/// Asks the endpoint with these parameters.
pub async fn ask(host: &str, query: &str, stream: bool) -> Reply {
    let body = format!(r#"{{"stream": {stream}, "messages": [{{"role": "user", "content": "Hi there"}}]}}"#);
    send(host, "POST", &format!("/v1/chat/completions?{query}"), &[("Content-Type", "application/json")], &body).await
}

pub fn head_end(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|w| w == b"\r\n\r\n").map(|at| at + 4)
}

pub fn complete(bytes: &[u8]) -> bool {
    let Some(start) = head_end(bytes) else { return false };
    let head = String::from_utf8_lossy(&bytes[..start]).to_ascii_lowercase();
    if head.contains("transfer-encoding: chunked") {
        return dechunk(&bytes[start..]).1;
    }
    match content_length(&head) {
        Some(length) => bytes.len() - start >= length,
        // 204 and the like have no body.
        None => true,
    }
}

fn content_length(head: &str) -> Option<usize> {
    head.lines().find_map(|l| l.strip_prefix("content-length: ")).and_then(|v| v.trim().parse().ok())
}

pub fn dechunk(mut bytes: &[u8]) -> (Vec<u8>, bool) {
    let mut body = Vec::new();
    loop {
        let Some(line) = bytes.windows(2).position(|w| w == b"\r\n") else { return (body, false) };
        let size = usize::from_str_radix(&String::from_utf8_lossy(&bytes[..line]), 16).expect("a chunk size");
        let rest = &bytes[line + 2..];
        if size == 0 {
            return (body, true);
        }
        if rest.len() < size + 2 {
            body.extend_from_slice(&rest[..rest.len().min(size)]);
            return (body, false);
        }
        body.extend_from_slice(&rest[..size]);
        bytes = &rest[size + 2..];
    }
}

fn parse(bytes: &[u8], arrivals: Vec<(f64, usize)>) -> Reply {
    let start = head_end(bytes).expect("a head");
    let head = String::from_utf8_lossy(&bytes[..start]).into_owned();
    let mut lines = head.lines();
    let status = lines.next().and_then(|l| l.split(' ').nth(1)).and_then(|s| s.parse().ok()).expect("a status");
    let headers: Vec<(String, String)> =
        lines.filter_map(|l| l.split_once(": ")).map(|(n, v)| (n.to_owned(), v.to_owned())).collect();
    let chunked = headers.iter().any(|(n, v)| n.eq_ignore_ascii_case("transfer-encoding") && v == "chunked");
    let (body, ended_well) = match chunked {
        true => dechunk(&bytes[start..]),
        false => {
            let length = content_length(&head.to_ascii_lowercase()).unwrap_or(0);
            (bytes[start..].to_vec(), bytes.len() - start == length)
        }
    };
    let headers_ms = arrivals.first().map(|(at, _)| *at).expect("an arrival");
    Reply { status, headers, body, ended_well, reads: arrivals, headers_ms }
}
