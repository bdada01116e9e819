//! How far are the writes of a modelled server, over real HTTP, from the times that the model planned? And how long does a
//! million requests take in virtual time?
//!
//! `cargo xtask bench plan`, on an idle machine.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use firstlight_engine::Kind;
use firstlight_engine::model::{Asked, Emission, Model, ModelPreset, What};
use firstlight_server::{Options, Running, Server};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// What the 95th percentile may be at most.
const ALLOWED_US: u64 = 2_000;
const REQUESTS: usize = 24;
const QUERY: &str = "engine=interactive-small&tokens=120&input_tokens=400";

#[tokio::main]
async fn main() -> Result<()> {
    virtual_time();
    let mut held = true;
    for at_once in [1, 4, 16] {
        let late = measure(at_once).await?;
        let at = |share: f64| late[((late.len() - 1) as f64 * share).round() as usize];
        let ms = |us: u64| us as f64 / 1_000.0;
        println!(
            "{at_once:>2} at once, {} writes: p50 {:.3} ms, p95 {:.3} ms, max {:.3} ms after the plan",
            late.len(),
            ms(at(0.5)),
            ms(at(0.95)),
            ms(at(1.0))
        );
        held &= at(0.95) <= ALLOWED_US;
    }
    ensure!(held, "p95 is above {ALLOWED_US} µs: is the machine idle?");
    Ok(())
}

/// Sorted: how long after its planned time each piece of output was written, in µs.
async fn measure(at_once: usize) -> Result<Vec<u64>> {
    let server = Server::start(Options::default()).await?;
    let host = server.origin().trim_start_matches("http://").to_owned();
    for round in 0..REQUESTS.div_ceil(at_once) {
        let sent: Vec<_> =
            (0..at_once).map(|n| tokio::spawn(request(host.clone(), format!("{QUERY}&rid={}", round * at_once + n)))).collect();
        for one in sent {
            one.await??;
        }
    }
    let mut late = Vec::new();
    for n in 0..REQUESTS.div_ceil(at_once) * at_once {
        late.extend(of_one(&server, &n.to_string()).with_context(|| format!("request {n} is not whole"))?);
    }
    server.stop().await;
    late.sort_unstable();
    Ok(late)
}

fn of_one(server: &Running, rid: &str) -> Option<Vec<u64>> {
    let truth = server.truth(rid)?;
    let planned = truth.modelled.iter().filter(|emission| matches!(emission.what, What::Tokens(_))).map(|e| e.at_us);
    let written = truth.pieces.iter().filter(|piece| piece.kind == Kind::Answer).map(|piece| piece.at_us);
    let late: Option<Vec<u64>> = planned.zip(written).map(|(due, at)| at.checked_sub(due)).collect();
    late.filter(|late| late.len() == 120)
}

async fn request(host: String, query: String) -> Result<()> {
    let mut socket = TcpStream::connect(&host).await?;
    socket.set_nodelay(true)?;
    let body = r#"{"stream": true, "messages": [{"role": "user", "content": "Why is the sky blue?"}]}"#;
    let length = body.len();
    let head = format!(
        "POST /v1/chat/completions?{query} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    socket.write_all(format!("{head}{body}").as_bytes()).await?;
    let mut reply = Vec::new();
    tokio::time::timeout(Duration::from_secs(60), socket.read_to_end(&mut reply)).await??;
    ensure!(reply.ends_with(b"0\r\n\r\n"), "the reply was cut: {}", String::from_utf8_lossy(&reply));
    Ok(())
}

fn virtual_time() {
    let began = Instant::now();
    let mut model = Model::new(ModelPreset::Throughput.parameters());
    let (mut steps, mut ended) = (0u64, 0u64);
    let mut note = |emission: Emission| match emission.what {
        What::Tokens(_) => steps += 1,
        What::Ends => ended += 1,
        What::Starts { .. } | What::Prefilled => {}
    };
    let asked = Asked { input_tokens: 400, output_tokens: 120, prefix: 0 };
    for n in 0..1_000_000 {
        let _refused = model.arrive(n * 40_000, asked, &mut note);
    }
    model.advance(u64::MAX, &mut note);
    println!("virtual time: {ended} requests, {steps} tokens in {:.2} s", began.elapsed().as_secs_f64());
}
