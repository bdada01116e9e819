//! Servers that do one thing that no sound server does: a fixed reply to whatever is asked.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::Result;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::engine::free_port;
use crate::rt;

/// A listening stub; lives until the end of the process.
pub struct Stub {
    url: String,
    asked: Arc<AtomicU32>,
}

impl Stub {
    /// Answers every request with these bytes and closes the connection.
    pub fn start(reply: impl Into<Vec<u8>>) -> Result<Stub> {
        let reply: Arc<[u8]> = reply.into().into();
        let listener = rt::block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))?;
        let url = format!("http://127.0.0.1:{}/v1/chat/completions", listener.local_addr()?.port());
        let asked = Arc::new(AtomicU32::new(0));
        let counter = Arc::clone(&asked);
        rt::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, Arc::clone(&reply), Arc::clone(&counter)));
            }
        });
        Ok(Stub { url, asked })
    }

    /// A page of HTML under every path.
    pub fn page(html: &str) -> Result<Stub> {
        let length = html.len();
        Stub::start(format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{html}"
        ))
    }

    /// Its address.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// How many requests came, preflights among them.
    pub fn asked(&self) -> u32 {
        self.asked.load(Ordering::SeqCst)
    }
}

/// The address of a port that nothing listens on.
pub fn refused() -> Result<String> {
    Ok(format!("http://127.0.0.1:{}/v1/chat/completions", free_port()?))
}

async fn answer(mut stream: TcpStream, reply: Arc<[u8]>, asked: Arc<AtomicU32>) {
    let mut head = Vec::new();
    while !head.windows(4).any(|w| w == b"\r\n\r\n") && head.len() < 65_536 {
        match stream.read_buf(&mut head).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
    }
    asked.fetch_add(1, Ordering::SeqCst);
    // The other side may have gone: that is its business.
    if stream.write_all(&reply).await.is_ok() {
        let _ = stream.shutdown().await;
        // Until the other side closes: unread bytes of its body would turn the close into a reset.
        let mut rest = [0; 4096];
        while stream.read(&mut rest).await.is_ok_and(|n| n > 0) {}
    }
}
