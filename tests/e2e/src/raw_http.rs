//! The smallest HTTP client: sends one request over a fresh connection and reads everything, also what is broken.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context, Result};

/// What came back, as it came.
#[derive(Debug)]
pub struct Reply {
    /// The status; 0 if no status line came.
    pub status: u16,
    /// The head.
    pub head: String,
    /// Everything behind the head, chunked framing included.
    pub body: String,
    /// The connection was reset.
    pub reset: bool,
}

/// A request under way.
pub struct Exchange {
    stream: TcpStream,
    got: Vec<u8>,
}

/// The host and port of an `http://host:port/…` address.
pub fn authority(url: &str) -> Result<&str> {
    let rest = url.strip_prefix("http://").context("only http:")?;
    Ok(rest.split('/').next().unwrap_or(rest))
}

/// Sends a request with a JSON body, or none if it is empty.
pub fn send(method: &str, url: &str, body: &str) -> Result<Exchange> {
    let authority = authority(url)?;
    let path = url.split_once(authority).map_or("/", |(_, path)| path);
    let address: SocketAddr = authority.parse().with_context(|| format!("{authority} is no address"))?;
    let mut stream = TcpStream::connect(address).with_context(|| format!("cannot connect to {authority}"))?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {authority}\r\nOrigin: http://page.test\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())?;
    Ok(Exchange { stream, got: Vec::new() })
}

impl Exchange {
    /// Reads until the text has come.
    pub fn read_until(&mut self, text: &str) -> Result<()> {
        let mut buffer = [0; 16_384];
        while !String::from_utf8_lossy(&self.got).contains(text) {
            let n = self.stream.read(&mut buffer)?;
            anyhow::ensure!(n > 0, "the connection ended before “{text}”: {}", String::from_utf8_lossy(&self.got));
            self.got.extend_from_slice(buffer.get(..n).unwrap_or_default());
        }
        Ok(())
    }

    /// Reads to the end of the connection.
    pub fn finish(mut self) -> Reply {
        let reset = self.stream.read_to_end(&mut self.got).is_err();
        let text = String::from_utf8_lossy(&self.got).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        Reply { status, head: head.to_owned(), body: body.to_owned(), reset }
    }
}

/// Posts a JSON body and reads everything.
pub fn post(url: &str, body: &str) -> Result<Reply> {
    Ok(send("POST", url, body)?.finish())
}
