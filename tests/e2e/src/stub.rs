//! Servers that do one thing that no sound server does: a fixed reply to whatever is asked.

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::ports::free_port;
use crate::rt;

/// A listening stub; lives until the end of the process.
pub struct Stub {
    url: String,
    inner: Arc<Inner>,
}

/// What a request is answered with, by its body.
type Reply = Box<dyn Fn(&str) -> Vec<u8> + Send + Sync>;

struct Inner {
    reply: Reply,
    /// So long after it has come.
    after: Duration,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    heads: Vec<String>,
    /// Of requests that are no preflight.
    bodies: Vec<String>,
    /// What a preflight is answered with, where that is not what everything is answered with.
    preflight: Option<&'static [u8]>,
}

impl Inner {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tokens of input and output that [`Stub::chat`] reports for each request.
pub const USAGE: (u64, u64) = (1_000, 100);

const PREFLIGHT: &[u8] = b"HTTP/1.1 204 No Content\r\nAccess-Control-Allow-Origin: *\r\nAccess-Control-Allow-Methods: POST\r\n\
    Access-Control-Allow-Headers: authorization, content-type\r\nConnection: close\r\n\r\n";

impl Stub {
    /// Answers every request with these bytes and closes the connection.
    pub fn start(reply: impl Into<Vec<u8>>) -> Result<Stub> {
        let reply: Vec<u8> = reply.into();
        Stub::answering(Duration::ZERO, move |_| reply.clone())
    }

    /// Answers every request by its body, so long after it has come, and closes the connection.
    fn answering(after: Duration, reply: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Result<Stub> {
        let listener = rt::block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))?;
        let url = format!("http://127.0.0.1:{}/v1/chat/completions", listener.local_addr()?.port());
        let inner = Arc::new(Inner { reply: Box::new(reply), after, kept: Mutex::default() });
        let shared = Arc::clone(&inner);
        rt::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, Arc::clone(&shared)));
            }
        });
        Ok(Stub { url, inner })
    }

    /// A chat endpoint for pages of any origin: it streams what `words` says to a body, so long after that has come, and
    /// reports [`USAGE`].
    pub fn chat(after: Duration, words: impl Fn(&Value) -> String + Send + Sync + 'static) -> Result<Stub> {
        let stub = Stub::answering(after, move |body| stream(&words(&serde_json::from_str(body).unwrap_or_default())))?;
        Ok(stub.allowing())
    }

    fn allowing(self) -> Stub {
        self.inner.kept().preflight = Some(PREFLIGHT);
        self
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
        Ok(Stub::start(reply)?.allowing())
    }

    /// Sends every request on to another address; a preflight is answered here.
    pub fn redirect(to: &str) -> Result<Stub> {
        let redirect = format!(
            "HTTP/1.1 307 Temporary Redirect\r\nAccess-Control-Allow-Origin: *\r\nLocation: {to}\r\nContent-Length: 0\r\n\
             Connection: close\r\n\r\n"
        );
        Ok(Stub::start(redirect)?.allowing())
    }

    /// Its address.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The heads of the requests that came, preflights among them.
    pub fn heads(&self) -> Vec<String> {
        self.inner.kept().heads.clone()
    }

    /// The JSON bodies of the requests that came, preflights left out, in the order in which they were whole.
    pub fn bodies(&self) -> Vec<Value> {
        self.inner.kept().bodies.iter().map(|body| serde_json::from_str(body).unwrap_or_default()).collect()
    }
}

/// The address of a port that nothing listens on.
pub fn refused() -> Result<String> {
    Ok(format!("http://127.0.0.1:{}/v1/chat/completions", free_port()?))
}

/// A streamed chat completion of these words, in several events.
fn stream(words: &str) -> Vec<u8> {
    let letters: Vec<char> = words.chars().collect();
    let mut deltas = vec![json!({"role": "assistant", "content": ""})];
    deltas.extend(
        letters.chunks(letters.len().div_ceil(3).max(1)).map(|part| json!({"content": part.iter().collect::<String>()})),
    );
    let (input, output) = USAGE;
    let events = deltas
        .into_iter()
        .map(|delta| json!({"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta}]}))
        .chain([
            json!({"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}),
            json!({"object": "chat.completion.chunk", "choices": [],
                "usage": {"prompt_tokens": input, "completion_tokens": output}}),
        ]);
    let events: String = events.map(|event| format!("data: {event}\n\n")).collect();
    format!(
        "HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Type: text/event-stream\r\n\
         Connection: close\r\n\r\n{events}data: [DONE]\n\n"
    )
    .into_bytes()
}

/// The length of the body that a head announces.
fn length(head: &str) -> usize {
    let value = |line: &str| line.to_ascii_lowercase().strip_prefix("content-length:").map(|n| n.trim().parse().ok());
    head.lines().find_map(value).flatten().unwrap_or(0)
}

/// Head and body of a request; none if the other side went before it was whole.
pub(crate) async fn request(stream: &mut TcpStream) -> Option<(String, String)> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|w| w == b"\r\n\r\n") {
            break at + 4;
        }
        if bytes.len() > 65_536 || stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let whole = end + length(&head);
    while bytes.len() < whole {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    Some((head, String::from_utf8_lossy(&bytes[end..]).into_owned()))
}

async fn answer(mut stream: TcpStream, inner: Arc<Inner>) {
    let Some((head, body)) = request(&mut stream).await else { return };
    let preflight = {
        let mut kept = inner.kept();
        let asks_first = head.starts_with("OPTIONS ");
        kept.heads.push(head);
        if !asks_first {
            kept.bodies.push(body.clone());
        }
        kept.preflight.filter(|_| asks_first)
    };
    let reply = match preflight {
        Some(reply) => reply.to_vec(),
        None => {
            tokio::time::sleep(inner.after).await;
            (inner.reply)(&body)
        }
    };
    // The other side may have gone: that is its business.
    if stream.write_all(&reply).await.is_ok() {
        let _ = stream.shutdown().await;
        // Until the other side closes: unread bytes would turn the close into a reset.
        let mut rest = [0; 4096];
        while stream.read(&mut rest).await.is_ok_and(|n| n > 0) {}
    }
}
