//! The page, its headers, the jobs handed to it, and the ports.

mod common;

use std::collections::BTreeMap;

use common::{host, send, start};
use firstlight_core::config::{RunConfig, Secrets};
use firstlight_core::report::AutoJob;
use firstlight_server::{Options, Running, Server, StartError};

fn dist() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::write(dir.path().join("index.html"), "<!doctype html><title>t</title>").expect("written");
    std::fs::write(dir.path().join("app.wasm"), b"\0asm\x01\0\0\0").expect("written");
    std::fs::write(dir.path().join("app.wasm.br"), b"not really brotli").expect("written");
    std::fs::write(dir.path().join("app.js"), "export {};").expect("written");
    dir
}

async fn with_page(dir: &tempfile::TempDir) -> Running {
    let options = Options { dist: Some(dir.path().to_owned()), ..Options::default() };
    Server::start(options).await.expect("a server")
}

fn job() -> AutoJob {
    AutoJob {
        config: RunConfig { timeout_ms: 1000, ..RunConfig::of("http://127.0.0.1:1/") },
        secrets: Secrets { api_key: "sk-secret".into(), headers: Vec::new() },
        clock_probes: 3,
    }
}

#[tokio::test]
async fn the_page_is_isolated_and_never_stale() {
    let dir = dist();
    let server = with_page(&dir).await;
    let host = host(&server.origin());
    let want: BTreeMap<&str, &str> = [
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-embedder-policy", "require-corp"),
        ("cross-origin-resource-policy", "same-origin"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cache-control", "no-cache"),
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; \
             connect-src *; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
        ),
    ]
    .into();
    let types = [("/", "text/html"), ("/index.html", "text/html"), ("/?auto=x", "text/html"), ("/app.js", "text/javascript")];
    for (path, content_type) in types.into_iter().chain([("/app.wasm", "application/wasm")]) {
        let reply = send(&host, "GET", path, &[], "").await;
        assert_eq!((reply.status, reply.header("content-type")), (200, Some(content_type)), "{path}");
        for (name, value) in &want {
            assert_eq!(reply.header(name), Some(*value), "{path}");
        }
    }
    assert_eq!(send(&host, "GET", "/missing.js", &[], "").await.status, 404);
}

#[tokio::test]
async fn a_page_without_isolation_keeps_every_other_header() {
    let dir = dist();
    let options = Options { dist: Some(dir.path().to_owned()), isolate: false, ..Options::default() };
    let server = Server::start(options).await.expect("a server");
    let reply = send(&host(&server.origin()), "GET", "/", &[], "").await;
    for name in ["cross-origin-opener-policy", "cross-origin-embedder-policy"] {
        assert_eq!(reply.header(name), None);
    }
    assert_eq!(reply.header("cross-origin-resource-policy"), Some("same-origin"));
    assert!(reply.header("content-security-policy").is_some());
}

#[tokio::test]
async fn only_pages_that_were_named_may_show_the_page_for_frames() {
    let dir = dist();
    std::fs::create_dir(dir.path().join("embed")).expect("a directory");
    std::fs::write(dir.path().join("embed/index.html"), "<!doctype html><title>f</title>").expect("written");
    let named = ["https://host.example", "http://localhost:9"];
    let embed_origins = named.map(|origin| origin.parse().expect("an origin")).into();
    let options = Options { dist: Some(dir.path().to_owned()), embed_origins, ..Options::default() };
    let server = Server::start(options).await.expect("a server");
    let host = host(&server.origin());
    let of = async |path: &str| {
        let reply = send(&host, "GET", path, &[], "").await;
        let header = |name: &str| reply.header(name).unwrap_or_default().to_owned();
        let ancestors = header("content-security-policy").split("frame-ancestors ").nth(1).unwrap_or_default().to_owned();
        (reply.status, ancestors, header("cross-origin-resource-policy"), header("cross-origin-embedder-policy"))
    };
    let framed = "'self' https://host.example http://localhost:9".to_owned();
    let wanted = |ancestors: &str, resource: &str| (200, ancestors.to_owned(), resource.to_owned(), "require-corp".to_owned());
    assert_eq!(of("/embed/").await, wanted(&framed, "cross-origin"));
    assert_eq!(of("/embed/index.html?origin=https://host.example").await, wanted(&framed, "cross-origin"));
    // A name that only begins like it is another page.
    std::fs::write(dir.path().join("embedded.html"), "<!doctype html><title>o</title>").expect("written");
    for path in ["/", "/embedded.html"] {
        assert_eq!(of(path).await, wanted("'self'", "same-origin"), "{path}");
    }
    // The page's own files are beside it, so its address has to end with a slash.
    let bare = send(&host, "GET", "/embed?origin=https://host.example", &[], "").await;
    assert_eq!((bare.status, bare.header("location")), (307, Some("/embed/?origin=https://host.example")));
}

#[tokio::test]
async fn only_what_was_compressed_before_is_compressed() {
    let dir = dist();
    let server = with_page(&dir).await;
    let host = host(&server.origin());
    let accepts = [("Accept-Encoding", "br, gzip")];
    let wasm = send(&host, "GET", "/app.wasm", &accepts, "").await;
    assert_eq!((wasm.header("content-encoding"), wasm.header("content-type")), (Some("br"), Some("application/wasm")));
    assert_eq!(send(&host, "GET", "/app.js", &accepts, "").await.header("content-encoding"), None);
    let stream = send(&host, "POST", "/v1/chat/completions?preset=fast", &accepts, r#"{"stream":true}"#).await;
    assert_eq!(stream.header("content-encoding"), None);
}

#[tokio::test]
async fn the_page_learns_of_the_second_origin_which_has_no_page() {
    let dir = dist();
    let server = with_page(&dir).await;
    let info = send(&host(&server.origin()), "GET", "/api/info", &[], "").await.json();
    assert_eq!(info["second_origin"], server.second_origin());
    assert_eq!(info["version"], env!("CARGO_PKG_VERSION"));
    let second = send(&host(&server.second_origin()), "GET", "/", &[], "").await;
    assert_eq!(second.status, 404);
    assert!(second.text().contains(&server.page_url()), "{}", second.text());
}

#[tokio::test]
async fn a_job_is_handed_out_once_and_its_report_taken_once() {
    let server = start().await;
    let host = host(&server.origin());
    let mut automation = server.submit(job()).expect("a job");
    let token = automation.url.split_once("?auto=").expect("a token").1.to_owned();
    assert_eq!(token.len(), 32);
    let path = format!("/api/auto/{token}");
    assert_eq!(send(&host, "POST", &path, &[], "{}").await.status, 404, "no report before the job was fetched");
    let second = common::host(&server.second_origin());
    assert_eq!(send(&second, "GET", &path, &[], "").await.status, 404, "not on the second origin");
    let reply = send(&host, "GET", &path, &[], "").await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.json()["secrets"]["api_key"], "sk-secret");
    assert_eq!(reply.header("access-control-allow-origin"), None);
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    automation.fetched.try_recv().expect("fetched");
    assert_eq!(send(&host, "GET", &path, &[], "").await.status, 404);
    let report = send(&host, "POST", &path, &[], r#"{"run":null,"problems":["why"]}"#).await;
    assert_eq!(report.status, 200, "{}", report.text());
    let got = automation.report.await.expect("sent").expect("readable");
    assert_eq!(got.problems, ["why"]);
    assert_eq!(send(&host, "POST", &path, &[], "{}").await.status, 404);
}

#[tokio::test]
async fn a_report_that_cannot_be_read_is_told_to_both() {
    let server = start().await;
    let host = host(&server.origin());
    let automation = server.submit(job()).expect("a job");
    let path = format!("/api/auto/{}", automation.url.split_once("?auto=").expect("a token").1);
    send(&host, "GET", &path, &[], "").await;
    let big = format!(r#"{{"run": {{"format": "{}"}}}}"#, "x".repeat(3 << 20));
    let reply = send(&host, "POST", &path, &[], &big).await;
    assert_eq!(reply.status, 400);
    let error = automation.report.await.expect("sent").expect_err("unreadable").to_string();
    assert!(error.contains("missing field"), "{error}");
}

#[tokio::test]
async fn a_port_in_use_names_the_option() {
    let server = start().await;
    let port = server.origin().rsplit_once(':').expect("a port").1.parse().expect("a number");
    let refused = |error: StartError| error.to_string();
    let first = Server::start(Options { port, ..Options::default() }).await.map(|_| ()).map_err(refused);
    let error = first.expect_err("in use");
    assert!(error.contains(&port.to_string()) && error.contains("--port"), "{error}");
    let second = Server::start(Options { second_port: port, ..Options::default() }).await.map(|_| ()).map_err(refused);
    assert!(second.expect_err("in use").contains("--second-port"));
}

#[tokio::test]
async fn a_page_that_was_not_built_is_named() {
    let dir = tempfile::tempdir().expect("a directory");
    let options = Options { dist: Some(dir.path().to_owned()), ..Options::default() };
    let error = Server::start(options).await.map(|_| ()).expect_err("no page").to_string();
    assert!(error.contains("cargo xtask serve") && error.contains("--dist"), "{error}");
}

#[tokio::test]
async fn stopping_frees_the_ports() {
    let server = start().await;
    let address = host(&server.origin());
    server.stop().await;
    tokio::net::TcpListener::bind(&address).await.expect("free again");
}

#[tokio::test]
async fn it_is_known_whether_the_page_was_opened() {
    let dir = dist();
    let server = with_page(&dir).await;
    let host = host(&server.origin());
    send(&host, "GET", "/api/info", &[], "").await;
    assert!(!server.page_was_asked_for());
    send(&host, "GET", "/", &[], "").await;
    assert!(server.page_was_asked_for());
}
