//! `serve`: the page and the endpoint until Ctrl-C.

use std::path::PathBuf;

use firstlight_server::{FORWARD_PREFIX, Options, Server};

use super::{Failure, dist, forwards, stop};

/// Where to serve.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Name or address to listen on
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// Port of the page and the built-in endpoint (0: a free one)
    #[arg(long, default_value_t = 8600)]
    port: u16,
    /// Port of the built-in endpoint's second origin (0: a free one)
    #[arg(long, default_value_t = 8601)]
    second_port: u16,
    /// Directory of the built page [default: dist]
    #[arg(long, value_name = "DIR")]
    dist: Option<PathBuf>,
    /// Forward /forward/NAME/… to an endpoint that refuses browsers; may be given several times
    #[arg(long, value_name = "NAME=URL")]
    forward: Vec<String>,
}

pub(super) async fn run(args: Args) -> Result<(), Failure> {
    let forwards = forwards(&args.forward).map_err(Failure::Arguments)?;
    let (host, port, second_port) = (args.host, args.port, args.second_port);
    let options =
        Options { host, port, second_port, dist: Some(dist(args.dist)), forwards: forwards.clone(), ..Options::default() };
    let server = Server::start(options).await?;
    println!("Page: {}", server.page_url());
    println!("Second origin for cross-origin requests: {}", server.second_origin());
    for (name, url) in forwards.urls() {
        println!("Forwards: {}{FORWARD_PREFIX}{name}/ to {url}", server.origin());
    }
    if !server.is_loopback() {
        println!("Other machines can open it too; over plain http their browsers give coarser clocks than on this machine.");
        if !forwards.is_empty() {
            println!("They can use the forwards as well, and keys that they send cross the network unencrypted.");
        }
    }
    println!("Ctrl-C stops it.");
    stop::asked().await;
    server.stop().await;
    Ok(())
}
