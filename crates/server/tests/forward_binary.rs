//! The forwarder in the real binary: mistakes at start, what is never printed, and encrypted upstreams.

#![cfg(unix)]

mod common;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use common::binary::{Binary, refused};
use common::upstream::{Upstream, chunk, until, within};
use common::{open, send};
use h2::server::{Connection, SendResponse};
use h2::{Reason, RecvStream, SendStream};
use tokio::io::AsyncReadExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::server::TlsStream;

#[test]
fn mistakes_are_all_told_and_give_exit_code_2() {
    let args = [
        "--forward",
        "a=https://k-secret@h",
        "--forward",
        "b b=http://h",
        "--forward",
        "c=http://h",
        "--forward",
        "c=http://h",
    ];
    let output = refused(&args);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    for part in ["--forward a: ", "--forward number 2: ", "--forward c: the name is used twice"] {
        assert!(stderr.contains(part), "{part}: {stderr}");
    }
    assert!(!stderr.contains("k-secret"), "{stderr}");
    for wrong in
        ["http://h", "a=h", "a=ftp://h", "a=http://h/?q", "a=http://h/#f", "a=http://h/../x", "a/b=http://h", "=http://h"]
    {
        let output = refused(&["--forward", wrong]);
        assert_eq!(output.status.code(), Some(2), "{wrong}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[tokio::test]
async fn nothing_of_a_request_is_printed() {
    const KEYS: [&str; 6] = ["sk-key", "own-key", "query-key", "body-key", "reply-key", "head-key"];
    let upstream = Upstream::start().await;
    let (up, dead) = (format!("up=http://{}/base", upstream.host()), "dead=http://127.0.0.1:1");
    let server = Binary::start(&["--forward", &up, "--forward", dead], &[("RUST_LOG", "trace"), ("RUST_BACKTRACE", "1")]);
    let origin = server.origin();
    let ask = async |path: &str, origin: &str| {
        let headers = [("Origin", origin), ("Authorization", "Bearer sk-key"), ("x-api-key", "own-key")];
        let path = format!("{path}?key=query-key");
        let (mut socket, _) = open(&server.second, "POST", &path, &headers, r#"{"a":"body-key"}"#).await;
        let mut head = Vec::new();
        // No more is read: some of these replies never end well.
        until(&mut socket, &mut head, "\r\n\r\n").await;
        String::from_utf8_lossy(&head).split(' ').nth(1).expect("a status").to_owned()
    };
    let answer = async |reply: &str| {
        let mut asked = upstream.asked().await;
        assert_eq!(asked.line, "POST /base/v1?key=query-key HTTP/1.1");
        asked.body_until("body-key").await;
        asked.write(reply).await;
    };
    let ok = "HTTP/1.1 200 OK\r\nX-Own: head-key\r\nContent-Length: 9\r\nConnection: close\r\n\r\nreply-key";
    let moved = "HTTP/1.1 307 X\r\nLocation: /head-key\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    let broken = "HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\nreply-key";
    for (reply, status) in [(ok, "200"), (moved, "502"), (broken, "200"), ("head-key reply-key\r\n\r\n", "502")] {
        let (got, ()) = tokio::join!(ask("/forward/up/v1", &origin), answer(reply));
        assert_eq!(got, status, "{reply}");
    }
    for (path, from, status) in [
        ("/forward/dead/x", origin.as_str(), "502"),
        ("/forward/none/x", &origin, "404"),
        ("/forward/up/../x", &origin, "400"),
        ("/forward/up/x", "http://evil.example", "403"),
    ] {
        assert_eq!(ask(path, from).await, status, "{path}");
    }
    let printed = server.stop();
    assert!(printed.contains(&format!("/forward/up/ to http://{}/base/", upstream.host())), "{printed}");
    for key in KEYS {
        assert!(!printed.contains(key), "{key} in {printed}");
    }
    assert_eq!(printed.lines().count(), 5, "one line for each address, and how to stop it: {printed}");
}

/// An encrypted upstream with a certificate that nobody knows but who reads its file.
struct Encrypted {
    listener: TcpListener,
    acceptor: TlsAcceptor,
    dir: tempfile::TempDir,
}

impl Encrypted {
    async fn start(protocols: &[&str]) -> Encrypted {
        let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).expect("a certificate");
        let dir = tempfile::tempdir().expect("a directory");
        std::fs::write(dir.path().join("ca.pem"), made.cert.pem()).expect("written");
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).expect("a key");
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let config = config.with_safe_default_protocol_versions().expect("versions").with_no_client_auth();
        let mut config = config.with_single_cert(vec![made.cert.der().clone()], key).expect("usable");
        config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        Encrypted { listener, acceptor: TlsAcceptor::from(Arc::new(config)), dir }
    }

    fn host(&self) -> String {
        self.listener.local_addr().expect("an address").to_string()
    }

    fn certificate(&self) -> std::path::PathBuf {
        self.dir.path().join("ca.pem")
    }

    /// A server that forwards `up` to it and trusts this certificate.
    fn behind(&self, trusted: &Path) -> Binary {
        let trusted = trusted.to_str().expect("text");
        Binary::start(&["--forward", &format!("up=https://{}/base", self.host())], &[("SSL_CERT_FILE", trusted)])
    }

    async fn connection(&self) -> std::io::Result<TlsStream<TcpStream>> {
        self.late_connection(Duration::ZERO).await
    }

    /// A connection whose encryption begins late.
    async fn late_connection(&self, late: Duration) -> std::io::Result<TlsStream<TcpStream>> {
        let socket = within(self.listener.accept()).await.expect("a connection").0;
        tokio::time::sleep(late).await;
        within(self.acceptor.accept(socket)).await
    }
}

async fn ask(server: &Binary) -> TcpStream {
    let headers = [("Origin", &*server.origin()), ("Authorization", "Bearer k"), ("Connection", "keep-alive")];
    open(&server.second, "POST", "/forward/up/v1?a=b", &headers, "{}").await.0
}

/// Begins an answer to the next request of a connection of HTTP/2.
async fn begin(
    connection: &mut Connection<TlsStream<TcpStream>, Bytes>,
) -> (axum::http::Request<RecvStream>, SendStream<Bytes>) {
    let (request, mut respond): (_, SendResponse<Bytes>) =
        within(connection.accept()).await.expect("a request").expect("of HTTP/2");
    let head = axum::http::Response::builder().header("x-own-ms", "7").body(()).expect("a head");
    let body = respond.send_response(head, false).expect("sent");
    (request, body)
}

#[tokio::test]
async fn http_2_streams_piece_by_piece_and_both_ends_go_away() {
    let upstream = Encrypted::start(&["h2", "http/1.1"]).await;
    let server = upstream.behind(&upstream.certificate());
    let (mut client, connection) = tokio::join!(ask(&server), upstream.connection());
    let connection = connection.expect("encrypted");
    assert_eq!(connection.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
    let mut connection = within(h2::server::handshake(connection)).await.expect("a handshake");

    let (request, mut body) = begin(&mut connection).await;
    // From here on somebody must drive the connection; it hands over the requests to come.
    let (requests, mut coming) = tokio::sync::mpsc::unbounded_channel();
    let driving = tokio::spawn(async move {
        while let Some(Ok(request)) = connection.accept().await {
            requests.send(request).expect("heard");
        }
    });
    assert_eq!(request.uri().to_string(), format!("https://{}/base/v1?a=b", upstream.host()));
    assert_eq!(request.headers().get("authorization").expect("the key"), "Bearer k");
    assert!(request.headers().get("origin").is_none() && request.headers().get("host").is_none());
    let mut bytes = Vec::new();
    let end = until(&mut client, &mut bytes, "\r\n\r\n").await;
    let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
    assert!(head.contains("x-own-ms: 7\r\n") && head.contains("expose-headers: x-own-ms, server-timing"), "{head}");
    bytes.drain(..end);
    for n in 0..50 {
        let piece = format!("data: {n}\n\n");
        body.send_data(Bytes::from(piece.clone()), false).expect("sent");
        let end = until(&mut client, &mut bytes, &chunk(&piece)).await;
        assert_eq!(end, bytes.len(), "nothing else came with it");
        bytes.clear();
    }
    body.send_reset(Reason::INTERNAL_ERROR);
    let _ended = within(client.read_to_end(&mut bytes)).await;
    assert!(bytes.is_empty(), "no final chunk");

    let client = ask(&server).await;
    let (_, mut respond) = within(coming.recv()).await.expect("a request on the same connection");
    drop(client);
    let reset = within(std::future::poll_fn(|cx| respond.poll_reset(cx))).await.expect("a reset");
    assert_eq!(reset, Reason::CANCEL);
    drop(server);
    within(driving).await.expect("driven to its end");
}

#[tokio::test]
async fn encrypted_http_1_and_the_time_to_connect_is_a_span_of_its_own() {
    use tokio::io::AsyncWriteExt as _;
    const LATE: Duration = Duration::from_millis(40);
    let upstream = Encrypted::start(&["http/1.1"]).await;
    let server = upstream.behind(&upstream.certificate());
    let before = Instant::now();
    let (mut client, connection) = tokio::join!(ask(&server), upstream.late_connection(LATE));
    let mut connection = connection.expect("encrypted");
    connection.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").await.expect("written");
    connection.flush().await.expect("written");
    let mut bytes = Vec::new();
    until(&mut client, &mut bytes, "\r\n\r\nok").await;
    let whole_ms = before.elapsed().as_secs_f64() * 1000.0;
    let mut asked = vec![0; 32];
    let n = within(connection.read(&mut asked)).await.expect("a request");
    assert!(asked[..n].starts_with(b"POST /base/v1?a=b HTTP/1.1\r\n"));
    let head = String::from_utf8_lossy(&bytes);
    let span = |name: &str| {
        let value = head.split(&format!("{name};dur=")).nth(1).and_then(|rest| rest.split(';').next());
        value.and_then(|value| value.parse::<f64>().ok()).unwrap_or_else(|| panic!("no {name} in {head}"))
    };
    let (connect, rest) = (span("connect"), span("forward") + span("upstream"));
    assert!(connect >= 40.0, "{connect} ms");
    // Three roundings to a µs.
    assert!(connect + rest <= whole_ms + 0.003, "{connect} {rest} {whole_ms}");
}

#[tokio::test]
async fn a_certificate_that_is_not_trusted_is_named() {
    let (upstream, other) = (Encrypted::start(&["h2"]).await, Encrypted::start(&["h2"]).await);
    let server = upstream.behind(&other.certificate());
    let headers = [("Origin", &*server.origin())];
    let asking = send(&server.second, "POST", "/forward/up/v1", &headers, "{}");
    let (reply, connection) = tokio::join!(asking, upstream.connection());
    assert!(connection.is_err());
    assert_eq!(reply.status, 502);
    let message = reply.json()["error"]["message"].as_str().expect("a message").to_owned();
    assert!(message.contains("TLS") && message.contains("certificate"), "{message}");
}
