//! The forwarder passes each piece on before the next one exists, and each end's going away reaches the other.

mod common;

use common::upstream::{Asked, Upstream, chunk, until, within};
use common::{host, open};
use firstlight_server::Running;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
const PIECES: usize = 50;

async fn ask(server: &Running) -> TcpStream {
    open(&host(&server.second_origin()), "POST", "/forward/up/v1", &[("Origin", &server.origin())], "{}").await.0
}

/// A reply that has begun, and both its ends.
async fn begun(upstream: &Upstream, server: &Running, head: &str) -> (TcpStream, Asked) {
    let (mut client, mut asked) = tokio::join!(ask(server), upstream.asked());
    asked.write(head).await;
    until(&mut client, &mut Vec::new(), "\r\n\r\n").await;
    (client, asked)
}

async fn rest(mut client: TcpStream) -> String {
    let mut bytes = Vec::new();
    // A reset is an end too; what matters is what came before.
    let _ended = within(client.read_to_end(&mut bytes)).await;
    String::from_utf8(bytes).expect("text")
}

#[tokio::test]
async fn a_piece_can_be_read_before_the_next_is_written() {
    let upstream = Upstream::start().await;
    let server = upstream.behind("").await;
    // The headers come alone: no piece of the body exists yet.
    let (mut client, mut asked) = begun(&upstream, &server, HEAD).await;
    let mut bytes = Vec::new();
    for n in 0..PIECES {
        let piece = format!("data: {n}\n\n");
        asked.write_chunk(&piece).await;
        let end = until(&mut client, &mut bytes, &chunk(&piece)).await;
        assert_eq!(end, bytes.len(), "nothing else came with it");
        bytes.clear();
    }
    asked.write("0\r\n\r\n").await;
    assert_eq!(until(&mut client, &mut bytes, "0\r\n\r\n").await, 5);
}

#[tokio::test]
async fn a_piece_of_the_request_is_there_before_the_next_is_sent() {
    let upstream = Upstream::start().await;
    let server = upstream.behind("").await;
    let (at, origin) = (host(&server.origin()), server.origin());
    let mut client = TcpStream::connect(&at).await.expect("a connection");
    let head = format!("POST /forward/up/v1 HTTP/1.1\r\nHost: {at}\r\nOrigin: {origin}\r\nTransfer-Encoding: chunked\r\n\r\n");
    client.write_all(head.as_bytes()).await.expect("sent");
    let mut asked = upstream.asked().await;
    assert_eq!(asked.header("transfer-encoding"), Some("chunked"));
    for n in 0..PIECES {
        let piece = chunk(&format!("part {n}."));
        client.write_all(piece.as_bytes()).await.expect("sent");
        assert_eq!(asked.body_until(&piece).await, piece);
    }
    // An answer may begin while the request is still being sent.
    asked.write(HEAD).await;
    asked.write_chunk("early").await;
    until(&mut client, &mut Vec::new(), "early").await;
    client.write_all(b"0\r\n\r\n").await.expect("sent");
    assert_eq!(asked.body_until("0\r\n\r\n").await, "0\r\n\r\n");
}

#[tokio::test]
async fn an_upstream_that_dies_cuts_the_reply() {
    let upstream = Upstream::start().await;
    let server = upstream.behind("").await;
    for reset in [false, true] {
        let (mut client, mut asked) = begun(&upstream, &server, HEAD).await;
        asked.write_chunk("half").await;
        until(&mut client, &mut Vec::new(), "half\r\n").await;
        if reset {
            asked.reset()
        } else {
            drop(asked)
        }
        assert_eq!(rest(client).await, "", "no final chunk");

        let announced = "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n";
        let (mut client, mut asked) = begun(&upstream, &server, announced).await;
        asked.write("half").await;
        until(&mut client, &mut Vec::new(), "half").await;
        if reset {
            asked.reset()
        } else {
            drop(asked)
        }
        assert_eq!(rest(client).await, "", "less than announced");
    }
}

#[tokio::test]
async fn what_came_before_the_cut_arrives() {
    let upstream = Upstream::start().await;
    let server = upstream.behind("").await;
    let announced = "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n";
    for (head, piece) in [(HEAD, ""), (HEAD, "4\r\nhalf\r\n"), (announced, ""), (announced, "half")] {
        let dying = async { drop(upstream.answer_all(&format!("{head}{piece}")).await) };
        let (client, ()) = tokio::join!(ask(&server), dying);
        let reply = rest(client).await;
        assert!(reply.starts_with("HTTP/1.1 200 OK\r\n"), "{reply:?}");
        assert!(reply.ends_with(&format!("\r\n\r\n{piece}")), "and no end: {reply:?}");
    }
}

#[tokio::test]
async fn a_client_that_goes_away_ends_the_request() {
    let upstream = Upstream::start().await;
    let server = upstream.behind("").await;
    let (client, mut asked) = tokio::join!(ask(&server), upstream.asked());
    drop(client);
    asked.abandoned().await;
    let (mut client, mut asked) = begun(&upstream, &server, HEAD).await;
    asked.write_chunk("half").await;
    until(&mut client, &mut Vec::new(), "half\r\n").await;
    drop(client);
    asked.abandoned().await;
}

#[tokio::test]
async fn stopping_the_server_ends_both() {
    let upstream = Upstream::start().await;
    let server = upstream.behind("").await;
    let (client, mut asked) = begun(&upstream, &server, HEAD).await;
    let (rest, (), ()) = tokio::join!(rest(client), asked.abandoned(), server.stop());
    assert_eq!(rest, "", "no final chunk");
}
