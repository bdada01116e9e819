//! What a page of a bench tells us and asks of us, beside the measurement: before it begins, and when it is over.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex, mpsc};

use firstlight_e2e::rt::{block_on, spawn};

/// The largest report of a page.
const MAX_POST: usize = 64 << 20;

/// A listener on a port of its own. A page posts JSON to it, and asks it with GET which page to open next.
pub struct Mailbox {
    port: u16,
    posts: mpsc::UnboundedReceiver<Value>,
    next: mpsc::UnboundedSender<String>,
}

/// What every connection needs.
#[derive(Clone)]
struct Ends {
    posts: mpsc::UnboundedSender<Value>,
    next: Arc<Mutex<mpsc::UnboundedReceiver<String>>>,
}

impl Mailbox {
    /// Listens until the end of the process.
    pub fn open() -> Result<Mailbox> {
        let listener = block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))?;
        let port = listener.local_addr()?.port();
        let (post, posts) = mpsc::unbounded_channel();
        let (next, asked) = mpsc::unbounded_channel();
        let ends = Ends { posts: post, next: Arc::new(Mutex::new(asked)) };
        spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let ends = ends.clone();
                // A page that goes away has nothing more to say.
                tokio::spawn(async move { drop(answer(stream, ends).await) });
            }
        });
        Ok(Mailbox { port, posts, next })
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Waits for what a page posts.
    pub fn wait(&mut self, limit: Duration) -> Result<Value> {
        let got = block_on(async { tokio::time::timeout(limit, self.posts.recv()).await });
        got.ok().flatten().with_context(|| format!("the page of the bench said nothing for {limit:?}"))
    }

    /// The page that now asks, or asks next, opens this.
    pub fn go_to(&self, url: &str) {
        // The other end lives as long as the listener.
        let _ = self.next.send(url.to_owned());
    }
}

async fn answer(mut stream: TcpStream, ends: Ends) -> Result<()> {
    let mut got = Vec::new();
    let head = loop {
        if let Some(end) = got.windows(4).position(|w| w == b"\r\n\r\n") {
            break end + 4;
        }
        anyhow::ensure!(got.len() < 65_536 && stream.read_buf(&mut got).await? > 0, "no request");
    };
    let text = String::from_utf8_lossy(got.get(..head).unwrap_or_default()).to_ascii_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
    let whole = head + length.unwrap_or(0).min(MAX_POST);
    while got.len() < whole {
        anyhow::ensure!(stream.read_buf(&mut got).await? > 0, "a request without its end");
    }
    let mut body = String::new();
    if text.starts_with("get ") {
        // Dropped with the connection if the page goes away first: the next one gets the address.
        let mut asked = ends.next.lock().await;
        let mut gone = [0; 1];
        tokio::select! {
            url = asked.recv() => body = url.unwrap_or_default(),
            _ = stream.read(&mut gone) => return Ok(()),
        }
    } else if let Ok(value) = serde_json::from_slice(got.get(head..).unwrap_or_default()) {
        ends.posts.send(value)?;
    }
    let reply = format!(
        "HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nCross-Origin-Resource-Policy: cross-origin\r\n\
         Cache-Control: no-store\r\nContent-Type: text/plain\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(reply.as_bytes()).await?;
    Ok(stream.shutdown().await?)
}
