//! Connections to upstreams: HTTP/1.1, or HTTP/2 where an encrypted upstream offers it. Nothing is unpacked, followed or
//! asked again, and no proxy of the environment comes between.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::http::Uri;
use http_body::Body as HttpBody;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::dns::Name;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::{ClientConfig, RootCertStore};
use tower_service::Service;

use super::passing::Sending;

/// The longest time for name, connection and encryption together.
const CONNECT_LIMIT: Duration = Duration::from_secs(15);

pub(super) type Client = legacy::Client<Connector, Sending>;

/// A client for requests of the program's own.
pub(crate) type Sender = legacy::Client<Connector, Body>;

/// Such a client.
pub(crate) fn sender() -> Result<Sender, rustls::Error> {
    Ok(with(tls(roots())?, CONNECT_LIMIT))
}

/// A client; certificates are only looked for if any target is encrypted.
pub(super) fn client(encrypted: bool) -> Result<Client, rustls::Error> {
    let roots = if encrypted { roots() } else { RootCertStore::empty() };
    Ok(with(tls(roots)?, CONNECT_LIMIT))
}

fn tls(roots: RootCertStore) -> Result<ClientConfig, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

fn with<B>(config: ClientConfig, limit: Duration) -> legacy::Client<Connector, B>
where
    B: HttpBody + Send,
    B::Data: Send,
{
    let mut tcp = HttpConnector::new_with_resolver(Resolver);
    tcp.enforce_http(false);
    // Without it a small piece may wait for the acknowledgement of the one before.
    tcp.set_nodelay(true);
    let connector = HttpsConnectorBuilder::new().with_tls_config(config).https_or_http().enable_all_versions();
    let connector = Connector { inner: connector.wrap_connector(tcp), limit };
    legacy::Client::builder(TokioExecutor::new()).pool_timer(TokioTimer::new()).build(connector)
}

/// The system's, so that a private authority counts; Mozilla's where the system has none, as in small containers.
fn roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    roots
}

type Boxed<T, E> = Pin<Box<dyn Future<Output = Result<T, E>> + Send>>;
type Https = HttpsConnector<HttpConnector<Resolver>>;
type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// No connection within the limit.
#[derive(Debug, thiserror::Error)]
#[error("no connection within {} s", .0.as_secs_f64())]
pub(crate) struct TooLong(pub(crate) Duration);

/// Makes connections, within a limit.
#[derive(Clone)]
pub(crate) struct Connector {
    inner: Https,
    limit: Duration,
}

impl Service<Uri> for Connector {
    type Response = <Https as Service<Uri>>::Response;
    type Error = BoxError;
    type Future = Boxed<Self::Response, BoxError>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let (connecting, limit) = (self.inner.call(uri), self.limit);
        Box::pin(async move { tokio::time::timeout(limit, connecting).await.map_err(|_| TooLong(limit))? })
    }
}

/// The system has no address for a name.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct NoAddress(io::Error);

/// The system's resolver, with an error of its own.
#[derive(Clone, Copy)]
pub(crate) struct Resolver;

impl Service<Name> for Resolver {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = NoAddress;
    type Future = Boxed<Self::Response, NoAddress>;

    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), NoAddress>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await.map_err(NoAddress)?;
            Ok(found.collect::<Vec<_>>().into_iter())
        })
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::http::Request;

    use super::super::reason::Reason;
    use super::*;

    #[tokio::test]
    async fn a_handshake_that_never_ends_runs_into_the_limit() {
        let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = silent.local_addr().expect("an address");
        let limit = Duration::from_millis(20);
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().expect("versions");
        let client: Client = with(config.with_root_certificates(RootCertStore::empty()).with_no_client_auth(), limit);
        let (body, _) = Sending::new(Body::empty());
        let request = Request::get(format!("https://{address}/")).body(body).expect("a request");
        let error = client.request(request).await.expect_err("no answer");
        assert_eq!(Reason::of(&error), Reason::TooLong(limit));
    }
}
