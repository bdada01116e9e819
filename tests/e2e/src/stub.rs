//! Servers that do one thing that no sound server does: a fixed reply to whatever is asked.

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::engine::free_port;
use crate::rt;

/// A listening stub; lives until the end of the process.
pub struct Stub {
    url: String,
    heads: Arc<Mutex<Vec<String>>>,
    /// What a preflight is answered with, where that is not what everything is answered with.
    preflight: Preflight,
}

type Preflight = Arc<Mutex<Option<Arc<[u8]>>>>;

const PREFLIGHT: &[u8] = b"HTTP/1.1 204 No Content\r\nAccess-Control-Allow-Origin: *\r\nAccess-Control-Allow-Methods: POST\r\n\
    Access-Control-Allow-Headers: authorization, content-type\r\nConnection: close\r\n\r\n";

impl Stub {
    /// Answers every request with these bytes and closes the connection.
    pub fn start(reply: impl Into<Vec<u8>>) -> Result<Stub> {
        let reply: Arc<[u8]> = reply.into().into();
        let listener = rt::block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))?;
        let url = format!("http://127.0.0.1:{}/v1/chat/completions", listener.local_addr()?.port());
        let heads = Arc::new(Mutex::new(Vec::new()));
        let preflight = Preflight::default();
        let (kept, before) = (Arc::clone(&heads), Arc::clone(&preflight));
        rt::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, Arc::clone(&reply), Arc::clone(&before), Arc::clone(&kept)));
            }
        });
        Ok(Stub { url, heads, preflight })
    }

    /// A page of HTML under every path.
    pub fn page(html: &str) -> Result<Stub> {
        let length = html.len();
        Stub::start(format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{html}"
        ))
    }

    /// A JSON body that a page of another origin may ask for with any of the headers that the tests use.
    pub fn json(body: &str) -> Result<Stub> {
        let length = body.len();
        Stub::start(format!(
            "HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\n\
             Access-Control-Allow-Headers: authorization, content-type, x-secret\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        ))
    }

    /// A recorded reply to a page of any origin, and a preflight that allows everything.
    pub fn recording(raw: &[u8]) -> Result<Stub> {
        let end = raw.windows(4).position(|w| w == b"\r\n\r\n").unwrap_or(raw.len());
        let (head, body) = raw.split_at(end);
        let head = String::from_utf8_lossy(head).into_owned();
        let kept = head.lines().filter(|line| !line.to_ascii_lowercase().starts_with("access-control-"));
        let mut reply = kept.collect::<Vec<_>>().join("\r\n").into_bytes();
        reply.extend_from_slice(b"\r\nAccess-Control-Allow-Origin: *");
        reply.extend_from_slice(body);
        let stub = Stub::start(reply)?;
        *stub.preflight.lock().unwrap_or_else(PoisonError::into_inner) = Some(PREFLIGHT.into());
        Ok(stub)
    }

    /// Sends every request on to another address; a preflight is answered here.
    pub fn redirect(to: &str) -> Result<Stub> {
        let stub = Stub::start(format!(
            "HTTP/1.1 307 Temporary Redirect\r\nAccess-Control-Allow-Origin: *\r\nLocation: {to}\r\nContent-Length: 0\r\n\
             Connection: close\r\n\r\n"
        ))?;
        *stub.preflight.lock().unwrap_or_else(PoisonError::into_inner) = Some(PREFLIGHT.into());
        Ok(stub)
    }

    /// Its address.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The heads of the requests that came, preflights among them.
    pub fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The address of a port that nothing listens on.
pub fn refused() -> Result<String> {
    Ok(format!("http://127.0.0.1:{}/v1/chat/completions", free_port()?))
}

async fn answer(mut stream: TcpStream, reply: Arc<[u8]>, preflight: Preflight, heads: Arc<Mutex<Vec<String>>>) {
    let mut head = Vec::new();
    while !head.windows(4).any(|w| w == b"\r\n\r\n") && head.len() < 65_536 {
        match stream.read_buf(&mut head).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
    }
    heads.lock().unwrap_or_else(PoisonError::into_inner).push(String::from_utf8_lossy(&head).into_owned());
    let preflight = preflight.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let reply = preflight.filter(|_| head.starts_with(b"OPTIONS ")).unwrap_or(reply);
    // The other side may have gone: that is its business.
    if stream.write_all(&reply).await.is_ok() {
        let _ = stream.shutdown().await;
        // Until the other side closes: unread bytes of its body would turn the close into a reset.
        let mut rest = [0; 4096];
        while stream.read(&mut rest).await.is_ok_and(|n| n > 0) {}
    }
}
