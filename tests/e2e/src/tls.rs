//! TLS in front of a server of plain HTTP, as a reverse proxy puts it there: the same page, over https.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use anyhow::{Context, Result};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer;

use crate::{raw_http, rt};

/// A listening proxy; lives until the end of the process.
pub struct Tls {
    port: u16,
}

impl Tls {
    /// In front of the server at an `http://` address, with a fresh certificate that it signed itself.
    pub fn before(url: &str) -> Result<Tls> {
        let server: SocketAddr = raw_http::authority(url)?.parse().with_context(|| format!("no address in {url}"))?;
        let acceptor = TlsAcceptor::from(Arc::new(config()?));
        let listener = rt::block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))?;
        let port = listener.local_addr()?.port();
        rt::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(pass(acceptor.clone(), stream, server));
            }
        });
        Ok(Tls { port })
    }

    /// The address of the page behind it, with a slash at the end.
    pub fn url(&self) -> String {
        format!("https://127.0.0.1:{}/", self.port)
    }
}

fn config() -> Result<ServerConfig> {
    let own = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).context("no certificate")?;
    let key = PrivatePkcs8KeyDer::from(own.signing_key.serialize_der());
    let config =
        ServerConfig::builder_with_provider(Arc::new(ring::default_provider())).with_safe_default_protocol_versions()?;
    Ok(config.with_no_client_auth().with_single_cert(vec![own.cert.der().clone()], key.into())?)
}

/// Carries one connection; how it ends is the business of its two sides.
async fn pass(acceptor: TlsAcceptor, stream: TcpStream, server: SocketAddr) {
    // Small pieces go on at once on both sides.
    let Ok(()) = stream.set_nodelay(true) else { return };
    let Ok(mut outside) = acceptor.accept(stream).await else { return };
    let Ok(mut inside) = TcpStream::connect(server).await else { return };
    let Ok(()) = inside.set_nodelay(true) else { return };
    let _ = copy_bidirectional(&mut outside, &mut inside).await;
}
