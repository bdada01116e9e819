//! A relay before the built-in endpoint that lets every request of a run ask for something else: the last message of its body
//! is the query of the address that it is handed on to. What comes back is passed as it comes, ends and cuts as well.

use std::net::Ipv4Addr;

use anyhow::Result;
use serde_json::Value;
use tokio::io::{AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};

use crate::raw_http::authority;
use crate::rt;
use crate::stub::request;

/// A listening relay; lives until the end of the process.
pub struct Relay {
    url: String,
}

impl Relay {
    /// Before an endpoint without a query.
    pub fn start(endpoint: &str) -> Result<Relay> {
        let upstream = authority(endpoint)?.to_owned();
        let path = endpoint.split_once(&upstream).map_or("/", |(_, path)| path).to_owned();
        let listener = rt::block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))?;
        let url = format!("http://127.0.0.1:{}{path}", listener.local_addr()?.port());
        rt::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(pass(stream, upstream.clone(), path.clone()));
            }
        });
        Ok(Relay { url })
    }

    /// Its address.
    pub fn url(&self) -> &str {
        &self.url
    }
}

/// What the last message says.
fn query(body: &str) -> String {
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let last = body["messages"].as_array().and_then(|all| all.last()?["content"].as_str());
    last.unwrap_or_default().to_owned()
}

async fn pass(mut stream: TcpStream, upstream: String, path: String) {
    let Some((head, body)) = request(&mut stream).await else { return };
    let method = head.split(' ').next().unwrap_or("POST");
    let kept = head.lines().skip(1).take_while(|line| !line.is_empty());
    let kept: String =
        kept.filter(|line| !line.to_ascii_lowercase().starts_with("connection:")).map(|line| format!("{line}\r\n")).collect();
    let asked = format!("{method} {path}?{} HTTP/1.1\r\n{kept}Connection: close\r\n\r\n{body}", query(&body));
    let Ok(mut to) = TcpStream::connect(&upstream).await else { return };
    // A byte that comes alone goes alone.
    let _ = (stream.set_nodelay(true), to.set_nodelay(true));
    if to.write_all(asked.as_bytes()).await.is_ok() {
        // Whoever of the two goes away ends it for both.
        let _ = copy_bidirectional(&mut stream, &mut to).await;
    }
}
