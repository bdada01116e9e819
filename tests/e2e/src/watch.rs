//! How the harness learns that something happened in a page without asking it: the page tells a tiny listener.
//!
//! A driver that waits for a script is free to look into the page meanwhile, and versions differ; a listener costs the page
//! one request, after the fact.

use std::net::Ipv4Addr;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::rt;

/// Readable by a page of any origin, also by an isolated one.
const REPLY: &[u8] = b"HTTP/1.1 204 No Content\r\nAccess-Control-Allow-Origin: *\r\n\
    Cross-Origin-Resource-Policy: cross-origin\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n";

/// Listens for words from pages.
pub struct Watch {
    url: String,
    words: Receiver<String>,
}

impl Watch {
    /// Begins to listen on a free port.
    pub fn start() -> Result<Watch> {
        let listener = rt::block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))?;
        let url = format!("http://127.0.0.1:{}/", listener.local_addr()?.port());
        let (sender, words) = channel();
        rt::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let sender = sender.clone();
                tokio::spawn(async move {
                    if let Some(word) = answer(stream).await {
                        // The watch may be gone; the task ends with its listener at the end of the process.
                        let _ = sender.send(word);
                    }
                });
            }
        });
        Ok(Watch { url, words })
    }

    /// Where a page sends a word: this, with the word behind it.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Waits for this word; others are passed over.
    pub fn wait_for(&self, word: &str, limit: Duration) -> Result<()> {
        let end = std::time::Instant::now() + limit;
        loop {
            let left = end.saturating_duration_since(std::time::Instant::now());
            let heard = self.words.recv_timeout(left).with_context(|| format!("no “{word}” within {limit:?}"))?;
            if heard == word {
                return Ok(());
            }
        }
    }
}

/// Reads one request's head, answers it and returns its path without the slash.
async fn answer(mut stream: TcpStream) -> Option<String> {
    let mut head = Vec::new();
    while !head.windows(4).any(|w| w == b"\r\n\r\n") && head.len() < 16_384 {
        if stream.read_buf(&mut head).await.ok()? == 0 {
            return None;
        }
    }
    stream.write_all(REPLY).await.ok()?;
    let text = String::from_utf8_lossy(&head);
    let path = text.split(' ').nth(1)?;
    Some(path.trim_start_matches('/').to_owned())
}
