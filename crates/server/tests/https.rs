//! HTTPS with HTTP/2 on the server's own certificate: a hundred streams on one connection, and everything as over HTTP/1.1.

mod common;

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::http::{Method, Request, Response, Version};
use common::send;
use firstlight_server::{Certificate, Forwards, Options, Running, Server, Truth};
use h2::client::SendRequest;
use hyper_rustls::HttpsConnectorBuilder;
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpStream;

const STREAM: &str = r#"{"stream":true}"#;

struct Encrypted {
    server: Running,
    dir: tempfile::TempDir,
}

async fn start_with(options: Options) -> Encrypted {
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::write(dir.path().join("index.html"), "<!doctype html><title>t</title>").expect("written");
    let https = Some(Certificate::kept(dir.path(), "127.0.0.1").expect("a certificate"));
    let server = Server::start(Options { dist: Some(dir.path().to_owned()), https, ..options }).await.expect("a server");
    Encrypted { server, dir }
}

impl Encrypted {
    /// Trusts the file that a user would trust, and nothing else.
    fn trusting(&self, protocols: &[&[u8]]) -> ClientConfig {
        let pem = std::fs::read(self.dir.path().join("https-certificate.pem")).expect("kept");
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(&pem).expect("a certificate")).expect("a root");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().expect("versions");
        let mut config = config.with_root_certificates(roots).with_no_client_auth();
        config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
        config
    }

    async fn get(&self, version: Version, url: &str) -> (Response<()>, String) {
        let builder = HttpsConnectorBuilder::new().with_tls_config(self.trusting(&[])).https_only();
        let connector =
            if version == Version::HTTP_2 { builder.enable_http2().build() } else { builder.enable_http1().build() };
        let client = Client::builder(TokioExecutor::new()).http2_only(version == Version::HTTP_2).build::<_, Body>(connector);
        let response = client.get(url.parse().expect("a URL")).await.expect("a response");
        let (parts, body) = response.into_parts();
        assert_eq!(parts.version, version);
        let body = to_bytes(Body::new(body), 1 << 20).await.expect("a body");
        (Response::from_parts(parts, ()), String::from_utf8(body.to_vec()).expect("text"))
    }

    /// One connection to the page's port.
    async fn connection(&self) -> SendRequest<Bytes> {
        let tcp = TcpStream::connect(self.host()).await.expect("a connection");
        let connector = tokio_rustls::TlsConnector::from(Arc::new(self.trusting(&[b"h2", b"http/1.1"])));
        let tls = connector.connect(ServerName::try_from("localhost").expect("a name"), tcp).await.expect("a handshake");
        assert_eq!(tls.get_ref().1.alpn_protocol(), Some(&b"h2"[..]), "HTTP/2 is preferred");
        let (send, connection) = h2::client::handshake(tls).await.expect("HTTP/2");
        tokio::spawn(async move {
            let _ended = connection.await;
        });
        send.ready().await.expect("ready")
    }

    fn host(&self) -> String {
        self.server.origin().trim_start_matches("https://").to_owned()
    }

    fn request(&self, query: &str) -> Request<()> {
        let uri = format!("{}/v1/chat/completions?{query}", self.server.origin());
        Request::builder().method(Method::POST).uri(uri).body(()).expect("a request")
    }
}

async fn read(response: h2::client::ResponseFuture) -> (u16, String) {
    let (parts, mut body) = response.await.expect("a response").into_parts();
    let mut bytes = Vec::new();
    while let Some(data) = body.data().await {
        let data = data.expect("data");
        body.flow_control().release_capacity(data.len()).expect("released");
        bytes.extend_from_slice(&data);
    }
    (parts.status.as_u16(), String::from_utf8(bytes).expect("text"))
}

#[tokio::test]
async fn a_hundred_streams_on_one_connection_all_at_once() {
    let encrypted = start_with(Options::default()).await;
    let mut connection = encrypted.connection().await;
    let mut reading = Vec::new();
    for _ in 0..100 {
        connection = connection.ready().await.expect("ready");
        let (response, mut body) = connection
            .send_request(encrypted.request("preset=fast&ttft_ms=1500&gap_ms=20&tokens=20&rid=h"), false)
            .expect("sent");
        body.send_data(Bytes::from_static(STREAM.as_bytes()), true).expect("sent");
        reading.push(tokio::spawn(read(response)));
    }
    for reply in reading {
        let (status, text) = reply.await.expect("a reply");
        assert_eq!((status, text.matches(r#""content":""#).count()), (200, 21), "role and 20 tokens: {text}");
        assert!(text.ends_with("data: [DONE]\n\n"), "{text}");
    }
    let truths = encrypted.server.truths("h");
    assert_eq!(truths.len(), 100);
    let last_received = truths.iter().map(|truth| truth.received_us).max().expect("some");
    let first_closed = truths.iter().filter_map(|truth| truth.closed_us).min().expect("some");
    assert!(last_received < first_closed, "not at once: {last_received} {first_closed}");
    truths.iter().for_each(check);
}

/// The order of all stamps, and no token before its time.
fn check(truth: &Truth) {
    let mut times = vec![truth.received_us, truth.headers_us.expect("headers")];
    times.extend(truth.pieces.iter().map(|piece| piece.at_us));
    times.extend(truth.closed_us);
    assert!(times.windows(2).all(|two| two[0] <= two[1]) && truth.closed_us.is_some(), "{truth:?}");
    assert_eq!(truth.pieces.len(), 24);
    for (n, piece) in truth.pieces[1..21].iter().enumerate() {
        assert!(piece.at_us >= truth.received_us + 1_500_000 + 20_000 * n as u64, "token {n} of {truth:?}");
    }
}

#[tokio::test]
async fn the_line_before_the_slots_lets_streams_of_one_connection_pass_and_go() {
    let encrypted = start_with(Options::default()).await;
    let mut connection = encrypted.connection().await;
    let mut streams = Vec::new();
    for (rid, fault) in [("a", "&fault=never-ends"), ("b", ""), ("c", ""), ("d", "")] {
        connection = connection.ready().await.expect("ready");
        let query = format!("preset=fast&slots=1&rid={rid}{fault}");
        let (response, mut body) = connection.send_request(encrypted.request(&query), false).expect("sent");
        body.send_data(Bytes::from_static(STREAM.as_bytes()), true).expect("sent");
        wait_for(&encrypted.server, rid, |truth| truth.queued_us.is_some()).await;
        streams.push((response, body));
    }
    let [(first, mut holds), (_tired, mut gives_up), (next, _), (last, _)] = streams.try_into().expect("four");
    gives_up.send_reset(h2::Reason::CANCEL);
    wait_for(&encrypted.server, "b", |truth| truth.closed_us.is_some() && truth.served_us.is_none()).await;
    assert!(encrypted.server.truth("c").expect("written down").served_us.is_none());
    holds.send_reset(h2::Reason::CANCEL);
    drop(first);
    for response in [next, last] {
        assert!(read(response).await.1.ends_with("data: [DONE]\n\n"));
    }
    let [c, d] = ["c", "d"].map(|rid| encrypted.server.truth(rid).expect("written down").served_us.expect("served"));
    assert!(c < d);
}

async fn wait_for(server: &Running, rid: &str, wanted: impl Fn(&Truth) -> bool) {
    for _ in 0..1_000 {
        if server.truth(rid).is_some_and(|truth| wanted(&truth)) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never as wanted: {:?}", server.truth(rid));
}

#[tokio::test]
async fn the_page_and_both_origins_over_either_version() {
    let encrypted = start_with(Options::default()).await;
    let server = &encrypted.server;
    assert!(server.page_url().starts_with("https://127.0.0.1:") && server.second_origin().starts_with("https://127.0.0.1:"));
    let port = server.second_origin().rsplit_once(':').expect("a port").1.to_owned();
    for version in [Version::HTTP_11, Version::HTTP_2] {
        let (page, text) = encrypted.get(version, &server.page_url()).await;
        assert!(page.status() == 200 && text.contains("<title>t</title>"));
        let policy = page.headers()["content-security-policy"].to_str().expect("text");
        // Any endpoint may be measured, encrypted or not, and nothing is upgraded or blocked by the page itself.
        assert!(policy.contains("default-src 'none'") && policy.contains("connect-src *;"), "{policy}");
        assert!(!policy.contains("upgrade-insecure-requests") && !page.headers().contains_key("strict-transport-security"));
        assert_eq!(page.headers()["cross-origin-opener-policy"], "same-origin");
        let named = server.page_url().replace("127.0.0.1", "localhost");
        let (_, info) = encrypted.get(version, &format!("{named}api/info")).await;
        assert!(info.contains(&format!(r#""second_origin":"https://localhost:{port}""#)), "{info}");
        let (second, text) = encrypted.get(version, &format!("{}/", server.second_origin())).await;
        assert!(second.status() == 404 && text.contains(&server.page_url()), "{text}");
    }
}

#[tokio::test]
async fn the_forwarder_knows_its_own_page_over_http2() {
    let forwards = Forwards::parse(&["up=http://127.0.0.1:1".to_owned()]).expect("a forwarder");
    let encrypted = start_with(Options { forwards, ..Options::default() }).await;
    let mut connection = encrypted.connection().await;
    let own = encrypted.server.origin();
    for (origin, status) in [(own.clone(), 502), (own.replace("https", "http"), 403), ("https://evil.example".into(), 403)] {
        connection = connection.ready().await.expect("ready");
        let request =
            Request::builder().uri(format!("{own}/forward/up/v1")).header("origin", &origin).body(()).expect("a request");
        let (response, _) = connection.send_request(request, true).expect("sent");
        assert_eq!(read(response).await.0, status, "{origin}");
    }
}

#[tokio::test]
async fn plain_http_is_told_where_to_go_and_silence_keeps_nobody_waiting() {
    let encrypted = start_with(Options::default()).await;
    let reply = send(&encrypted.host(), "GET", "/", &[], "").await;
    assert!(reply.status == 400 && reply.text().contains("https://"), "{}", reply.text());
    let _silent = TcpStream::connect(encrypted.host()).await.expect("a connection");
    let (page, _) = encrypted.get(Version::HTTP_2, &encrypted.server.page_url()).await;
    assert_eq!(page.status(), 200);
}

#[tokio::test]
async fn stopping_frees_the_ports() {
    let encrypted = start_with(Options::default()).await;
    let address = encrypted.host();
    let _silent = TcpStream::connect(&address).await.expect("a connection");
    encrypted.server.stop().await;
    tokio::net::TcpListener::bind(&address).await.expect("free again");
}
