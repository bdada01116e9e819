//! Connections that note when they really write.
//!
//! A piece that hyper takes from a body is handed to the socket a little later, with others or alone. The body therefore
//! announces on its connection what comes next, and the connection stamps all that was announced just before the next
//! write that takes bytes: nothing of it can have left earlier.
//!
//! Over HTTP/1.1 that write is the piece's own, unless the socket is full. Over HTTP/2 the streams of a connection share its
//! writes, and the piece may leave in a later one: by as long as the connection takes to hand over what is before it, and
//! as long as the client grants the stream no more bytes. The stamp is then early, and never late.

use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

use crate::clock::Clock;
use crate::endpoint::Held;
use crate::truth::{Item, Record};

/// What is written next.
#[derive(Debug)]
struct Announced {
    item: Item,
    at_us: u64,
    /// Where it is written down, if anywhere.
    record: Option<Arc<Record>>,
    /// Given back with it.
    held: Option<Held>,
}

/// What was announced on one connection and not written yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wire(Arc<Mutex<Vec<Announced>>>);

impl Wire {
    /// The next write carries this.
    pub(crate) fn announce(&self, record: Option<Arc<Record>>, item: Item, at_us: u64, held: Option<Held>) {
        self.lock().push(Announced { item, at_us, record, held });
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Announced>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first so many: others may be announced, from another thread, while the write goes on.
    fn written(&self, count: usize, before_us: u64) {
        for Announced { item, at_us, record, held } in self.lock().drain(..count) {
            if let Some(record) = record {
                record.written(item, at_us, before_us);
            }
            // Only now: a slot is held until the last byte was written.
            drop(held);
        }
    }
}

impl Connected<IncomingStream<'_, Port>> for Wire {
    fn connect_info(stream: IncomingStream<'_, Port>) -> Wire {
        stream.io().wire()
    }
}

/// A port whose connections stamp their writes and send without delay.
pub(crate) struct Port {
    pub(crate) listener: TcpListener,
    pub(crate) clock: Clock,
}

impl Listener for Port {
    type Io = Stamped;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Stamped, SocketAddr) {
        loop {
            match self.listener.accept().await {
                Ok((stream, addr)) => {
                    // Without it a small piece may wait for the acknowledgement of the one before.
                    if stream.set_nodelay(true).is_ok() {
                        return (Stamped { stream, clock: self.clock, wire: Wire::default() }, addr);
                    }
                }
                // Too many open files, most often: others may close soon.
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that stamps its writes.
pub(crate) struct Stamped {
    stream: TcpStream,
    clock: Clock,
    wire: Wire,
}

impl Stamped {
    /// The connection itself.
    pub(crate) fn tcp(&self) -> &TcpStream {
        &self.stream
    }

    /// Where its writes are announced.
    pub(crate) fn wire(&self) -> Wire {
        self.wire.clone()
    }

    fn write(&mut self, write: impl FnOnce(Pin<&mut TcpStream>) -> Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        let announced = self.wire.lock().len();
        let before_us = self.clock.now_us();
        let written = write(Pin::new(&mut self.stream));
        if matches!(written, Poll::Ready(Ok(bytes)) if bytes > 0) {
            self.wire.written(announced, before_us);
        }
        written
    }
}

impl AsyncRead for Stamped {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Stamped {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        self.write(|stream| stream.poll_write(cx, buf))
    }

    fn poll_write_vectored(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bufs: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        self.write(|stream| stream.poll_write_vectored(cx, bufs))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
