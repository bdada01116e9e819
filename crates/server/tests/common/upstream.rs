//! An endpoint that refuses browsers, over a raw socket: a test sees exactly what it got and says what it writes and when.

use std::time::Instant;

use firstlight_server::{Forwards, Options, Running, Server};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::LIMIT;

/// A listening upstream.
pub struct Upstream {
    listener: TcpListener,
}

/// One request that it got, and the connection to answer it on.
pub struct Asked {
    socket: TcpStream,
    unread: Vec<u8>,
    /// The request line.
    pub line: String,
    pub headers: Vec<(String, String)>,
    /// When all of the head was there.
    pub at: Instant,
}

impl Upstream {
    pub async fn start() -> Upstream {
        Upstream { listener: TcpListener::bind("127.0.0.1:0").await.expect("a port") }
    }

    pub fn host(&self) -> String {
        self.listener.local_addr().expect("an address").to_string()
    }

    /// A server that forwards `up` to it.
    pub async fn behind(&self, path: &str) -> Running {
        forwarding(&[&format!("up=http://{}{path}", self.host())]).await
    }

    pub async fn connection(&self) -> TcpStream {
        let socket = within(self.listener.accept()).await.expect("a connection").0;
        socket.set_nodelay(true).expect("no delay");
        socket
    }

    /// The first request of the next connection.
    pub async fn asked(&self) -> Asked {
        Asked::read(self.connection().await, Vec::new()).await
    }

    /// Answers the next request with this once all of its body `{}` was read: what is left unread would become a reset.
    pub async fn answer_all(&self, reply: &str) -> Asked {
        let mut asked = self.asked().await;
        asked.body_until("{}").await;
        asked.write(reply).await;
        asked
    }

    /// Answers the next request with this, and gives what was asked.
    pub async fn answer(&self, reply: &str) -> Asked {
        let mut asked = self.asked().await;
        asked.write(reply).await;
        asked
    }
}

impl Asked {
    async fn read(mut socket: TcpStream, mut unread: Vec<u8>) -> Asked {
        let end = until(&mut socket, &mut unread, "\r\n\r\n").await;
        let at = Instant::now();
        let head = String::from_utf8(unread.drain(..end).collect()).expect("text");
        let mut lines = head.trim_end().split("\r\n");
        let line = lines.next().expect("a line").to_owned();
        let headers = lines.filter_map(|l| l.split_once(": ")).map(|(n, v)| (n.to_ascii_lowercase(), v.to_owned())).collect();
        Asked { socket, unread, line, headers, at }
    }

    /// The next request on the same connection.
    pub async fn again(self) -> Asked {
        Asked::read(self.socket, self.unread).await
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    pub async fn write(&mut self, text: &str) {
        self.socket.write_all(text.as_bytes()).await.expect("written");
    }

    pub async fn write_chunk(&mut self, text: &str) {
        self.write(&chunk(text)).await;
    }

    /// Reads the request's body until this text is in it.
    pub async fn body_until(&mut self, text: &str) -> String {
        let end = until(&mut self.socket, &mut self.unread, text).await;
        String::from_utf8(self.unread.drain(..end).collect()).expect("text")
    }

    /// Waits until the other side has gone away.
    pub async fn abandoned(&mut self) {
        let mut buffer = [0; 1024];
        while within(self.socket.read(&mut buffer)).await.is_ok_and(|n| n > 0) {}
    }

    /// Goes away with a reset instead of an end.
    pub fn reset(self) {
        self.socket.set_zero_linger().expect("no lingering");
    }
}

/// A server on free ports with these forwarders.
pub async fn forwarding(values: &[&str]) -> Running {
    let values: Vec<String> = values.iter().map(|&value| value.to_owned()).collect();
    let forwards = Forwards::parse(&values).expect("forwarders");
    Server::start(Options { forwards, ..Options::default() }).await.expect("a server")
}

/// One chunk of chunked framing, in the digits that hyper writes.
pub fn chunk(text: &str) -> String {
    format!("{:X}\r\n{text}\r\n", text.len())
}

/// Reads on until this text came; gives where it ends.
pub async fn until(socket: &mut TcpStream, bytes: &mut Vec<u8>, text: &str) -> usize {
    loop {
        if let Some(at) = bytes.windows(text.len()).position(|window| window == text.as_bytes()) {
            return at + text.len();
        }
        let n = within(socket.read_buf(bytes)).await.expect("read");
        assert!(n > 0, "ended before {text:?}: {}", String::from_utf8_lossy(bytes));
    }
}

/// Nothing of these tests waits longer.
pub async fn within<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(LIMIT, future).await.expect("within the limit")
}
