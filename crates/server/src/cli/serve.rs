//! `serve`: the page and the endpoint until Ctrl-C.

use std::path::PathBuf;

use firstlight_server::{Options, Server};

use super::{Failure, dist, stop};

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
}

pub(super) async fn run(args: Args) -> Result<(), Failure> {
    let options = Options { host: args.host, port: args.port, second_port: args.second_port, dist: Some(dist(args.dist)) };
    let server = Server::start(options).await?;
    println!("Page: {}", server.page_url());
    println!("Second origin for cross-origin requests: {}", server.second_origin());
    if !server.is_loopback() {
        println!("Other machines can open it too; over plain http their browsers give coarser clocks than on this machine.");
    }
    println!("Ctrl-C stops it.");
    stop::asked().await;
    server.stop().await;
    Ok(())
}
