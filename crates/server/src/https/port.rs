//! A port whose connections are encrypted. Writes are stamped below the encryption, where they go to the socket.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::AsyncWriteExt as _;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::Certificate;
use crate::wire::{Port, Stamped, Wire};

/// A client that takes longer to agree on keys is let go.
const HANDSHAKE_LIMIT: Duration = Duration::from_secs(10);
/// The first byte of every TLS connection: a handshake record.
const HANDSHAKE: u8 = 22;

type Accepted = (TlsStream<Stamped>, SocketAddr);

/// A port that speaks TLS.
pub(crate) struct TlsPort {
    port: Port,
    acceptor: TlsAcceptor,
    /// Many at once: one slow client keeps nobody waiting.
    handshakes: JoinSet<Option<Accepted>>,
}

impl TlsPort {
    pub(crate) fn new(port: Port, certificate: &Certificate) -> Result<TlsPort, rustls::Error> {
        let acceptor = TlsAcceptor::from(Arc::new(certificate.config()?));
        Ok(TlsPort { port, acceptor, handshakes: JoinSet::new() })
    }
}

impl Listener for TlsPort {
    type Io = TlsStream<Stamped>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> Accepted {
        loop {
            tokio::select! {
                (stream, addr) = self.port.accept() => {
                    let acceptor = self.acceptor.clone();
                    self.handshakes.spawn(async move {
                        let agreed = tokio::time::timeout(HANDSHAKE_LIMIT, agree(acceptor, stream)).await.ok()??;
                        Some((agreed, addr))
                    });
                }
                Some(agreed) = self.handshakes.join_next() => {
                    if let Ok(Some(agreed)) = agreed {
                        return agreed;
                    }
                }
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.port.local_addr()
    }
}

/// None if the client does not agree: that is its affair.
async fn agree(acceptor: TlsAcceptor, mut stream: Stamped) -> Option<TlsStream<Stamped>> {
    let mut first = [0];
    if stream.tcp().peek(&mut first).await.ok()? == 1 && first[0] != HANDSHAKE {
        let text = "This port speaks https: write https:// instead of http://.\n";
        let reply = format!(
            "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
            text.len()
        );
        // Whether it is read is the client's affair too.
        let _sent = stream.write_all(reply.as_bytes()).await;
        let _closed = stream.shutdown().await;
        return None;
    }
    acceptor.accept(stream).await.ok()
}

impl Connected<IncomingStream<'_, TlsPort>> for Wire {
    fn connect_info(stream: IncomingStream<'_, TlsPort>) -> Wire {
        stream.io().get_ref().0.wire()
    }
}
