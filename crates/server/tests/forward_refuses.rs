//! What the forwarder refuses: other places, other pages, redirects; and what it says when there is no answer.

mod common;

use common::upstream::{Upstream, forwarding};
use common::{Reply, host, send};
use firstlight_server::Running;

const OK: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";

async fn ask(server: &Running, method: &str, path: &str) -> Reply {
    send(&host(&server.second_origin()), method, path, &[("Origin", &server.origin())], "").await
}

/// The message of an error that the page can read.
fn message(reply: &Reply) -> String {
    assert_eq!(reply.json()["error"]["type"], "forward_error");
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
    reply.json()["error"]["message"].as_str().expect("a message").to_owned()
}

/// The upstream has heard of nothing until now.
async fn heard_nothing(server: &Running, upstream: &Upstream) {
    let (_, asked) = tokio::join!(ask(server, "POST", "/forward/up/first"), upstream.answer(OK));
    assert_eq!(asked.line, "POST /base/first HTTP/1.1");
}

#[tokio::test]
async fn other_names_are_told_the_known_ones() {
    let server = forwarding(&["api=http://127.0.0.1:1", "other=http://127.0.0.1:2"]).await;
    for path in ["/forward/nope/v1", "/forward/API", "/forward/ap%69/v1", "/forward/", "/forward//127.0.0.1:1/"] {
        let reply = ask(&server, "POST", path).await;
        assert_eq!(reply.status, 404, "{path}");
        let message = message(&reply);
        assert!(message.contains("api, other") && message.contains("--forward "), "{message}");
    }
    let none = common::start().await;
    let message = message(&ask(&none, "POST", "/forward/api/v1").await);
    assert!(message.contains("forwards to nothing") && message.contains("--forward api="), "{message}");
}

#[tokio::test]
async fn no_path_leaves_the_target() {
    let upstream = Upstream::start().await;
    let server = upstream.behind("/base").await;
    let tricks = [
        "/../x",
        "/a/../../x",
        "/..",
        "/%2e%2e/x",
        "/%2e%2e%2fx",
        "/%252e%252e/x",
        "//evil.example/x",
        "/%2fevil.example/x",
        "/..%5cx",
        "/..;/x",
        "/./x",
    ];
    for trick in tricks {
        let reply = ask(&server, "POST", &format!("/forward/up{trick}")).await;
        assert_eq!(reply.status, 400, "{trick}");
        assert!(message(&reply).contains("not forwarded"), "{trick}");
    }
    for method in ["TRACE", "CUSTOM"] {
        assert_eq!(ask(&server, method, "/forward/up/x").await.status, 405, "{method}");
    }
    let elsewhere = format!("http://{}/forward/up/x", upstream.host());
    assert_eq!(ask(&server, "POST", &elsewhere).await.status, 403, "an absolute address of another host");
    heard_nothing(&server, &upstream).await;
}

#[tokio::test]
async fn other_pages_are_refused_and_can_not_read_why() {
    let upstream = Upstream::start().await;
    let server = upstream.behind("/base").await;
    let own = server.origin();
    let evil = "http://evil.example";
    let rebound = evil.to_owned() + ":" + host(&own).split_once(':').expect("a port").1;
    for at in [host(&server.origin()), host(&server.second_origin())] {
        let refused: [&[(&str, &str)]; 6] = [
            &[("Origin", evil)],
            &[("Origin", &rebound)],
            &[("Origin", "null")],
            &[],
            &[("Sec-Fetch-Site", "cross-site")],
            &[("Sec-Fetch-Site", "none"), ("Sec-Fetch-Mode", "navigate")],
        ];
        for headers in refused {
            for method in ["POST", "GET", "OPTIONS"] {
                let reply = send(&at, method, "/forward/up/x", headers, "").await;
                assert_eq!(reply.status, 403, "{method} {headers:?}");
                let open =
                    |name: &String| name.to_ascii_lowercase().starts_with("access-control") || name == "timing-allow-origin";
                assert!(!reply.headers.iter().any(|(name, _)| open(name)), "{:?}", reply.headers);
                assert!(reply.text().contains("own page"), "{}", reply.text());
            }
        }
    }
    heard_nothing(&server, &upstream).await;
}

#[tokio::test]
async fn another_host_name_is_refused() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let upstream = Upstream::start().await;
    let server = upstream.behind("/base").await;
    let at = host(&server.origin());
    let port = at.split_once(':').expect("a port").1;
    for name in ["evil.example", "127.0.0.1.evil.example"] {
        let head = format!("POST /forward/up/x HTTP/1.1\r\nHost: {name}:{port}\r\nOrigin: http://{name}:{port}\r\n");
        let mut socket = tokio::net::TcpStream::connect(&at).await.expect("a connection");
        socket.write_all(format!("{head}Content-Length: 0\r\nConnection: close\r\n\r\n").as_bytes()).await.expect("sent");
        let mut text = String::new();
        common::upstream::within(socket.read_to_string(&mut text)).await.expect("a reply");
        assert!(text.starts_with("HTTP/1.1 403") && text.contains("--host"), "{text}");
    }
    heard_nothing(&server, &upstream).await;
}

#[tokio::test]
async fn redirects_are_named_and_not_followed() {
    let (upstream, elsewhere) = (Upstream::start().await, Upstream::start().await);
    let server = forwarding(&[&format!("up=http://{}/base", upstream.host())]).await;
    for status in [301, 302, 303, 307, 308] {
        let location = format!("http://{}/stolen", elsewhere.host());
        let answer = format!("HTTP/1.1 {status} X\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        let (reply, _) = tokio::join!(ask(&server, "POST", "/forward/up/x"), upstream.answer(&answer));
        assert_eq!((reply.status, reply.header("location")), (502, None));
        let message = message(&reply);
        assert!(message.contains(&location) && message.contains(&status.to_string()), "{message}");
    }
    let direct = forwarding(&[&format!("up=http://{}/base", elsewhere.host())]).await;
    heard_nothing(&direct, &elsewhere).await;
}

#[tokio::test]
async fn no_answer_has_a_reason() {
    let upstream = Upstream::start().await;
    let at = upstream.host();
    let values =
        ["refused=http://127.0.0.1:1", "dns=http://name.invalid", &format!("up=http://{at}"), &format!("tls=https://{at}")];
    let server = forwarding(&values).await;
    let reason = async |path: &str| {
        let reply = ask(&server, "POST", path).await;
        assert_eq!(reply.status, 502, "{path}");
        message(&reply)
    };
    let refused = reason("/forward/refused/x?secret=1").await;
    assert!(refused.contains("http://127.0.0.1:1 gave no answer: the connection was refused"), "{refused}");
    let dns = reason("/forward/dns/x").await;
    assert!(dns.contains("name.invalid") && dns.contains("DNS"), "{dns}");
    let (closed, _) = tokio::join!(reason("/forward/up/x"), async { drop(upstream.asked().await) });
    assert!(closed.contains("closed the connection"), "{closed}");
    let (garbage, _) = tokio::join!(reason("/forward/up/x"), upstream.answer("220 mail ready\r\n\r\n"));
    assert!(garbage.contains("not HTTP"), "{garbage}");
    let (no_tls, _) = tokio::join!(reason("/forward/tls/x"), async {
        use tokio::io::AsyncWriteExt as _;
        upstream.connection().await.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.expect("written");
    });
    assert!(no_tls.contains("TLS") && no_tls.contains("speaks https"), "{no_tls}");
    let (silent, _) = tokio::join!(reason("/forward/tls/x"), async { drop(upstream.connection().await) });
    assert!(silent.contains("TLS") && silent.contains("closed in the handshake"), "{silent}");
}
