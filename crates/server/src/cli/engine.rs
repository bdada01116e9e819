//! `engine`: the endpoint alone on a modelled server, for people who test clients of their own.

use firstlight_engine::model::{MODEL_PARAMETERS, ModelPreset};
use firstlight_server::endpoint::{METRICS_PATH, PATH, Wanted};
use firstlight_server::{Options, Server};

use super::{Failure, stop};

/// What stands below the options in `--help`.
pub(super) const AFTER_HELP: &str = "\
Send it chat completions, with \"stream\": true or without:
  curl -N http://127.0.0.1:8600/v1/chat/completions -d '{\"stream\": true, \"messages\": [{\"role\": \"user\", \"content\": \"Hi\"}]}'
What a request's own address says (…/completions?tokens=200&fault=stall) goes before --preset and --with. Every parameter is in
docs/engine.md.";

/// Which server, and where.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The modelled server: interactive-small, interactive-large, throughput, overloaded or cold
    #[arg(long, value_name = "NAME", default_value = "interactive-small")]
    preset: String,
    /// Another parameter of the endpoint or the model, such as max_batch=8 or tokens=200; may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    with: Vec<String>,
    /// Name or address to listen on
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// Port (0: a free one)
    #[arg(long, default_value_t = 8600)]
    port: u16,
}

pub(super) async fn run(args: Args) -> Result<(), Failure> {
    let defaults = defaults(&args.preset, &args.with).map_err(|wrong| Failure::Arguments(vec![wrong]))?;
    let options = Options { host: args.host, port: args.port, defaults: defaults.clone(), ..Options::default() };
    let server = Server::start(options).await?;
    println!("Endpoint: {}{PATH} ({defaults})", server.origin());
    println!("Metrics: {}{METRICS_PATH}", server.origin());
    println!("Second origin for cross-origin requests: {}", server.second_origin());
    println!("Ctrl-C stops it.");
    stop::asked().await;
    server.stop().await;
    Ok(())
}

/// The query that holds where a request's address says nothing.
fn defaults(preset: &str, with: &[String]) -> Result<String, String> {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("engine", preset);
    for pair in with {
        let (name, value) = pair
            .split_once('=')
            .ok_or_else(|| format!("--with {pair}: write NAME=VALUE, such as max_batch=8; of the model: {}", known()))?;
        query.append_pair(name, value);
    }
    let query = query.finish();
    match ModelPreset::parse(preset) {
        Err(_) => Err(format!("--preset {preset}: there is no such server; known are: {}", ModelPreset::names())),
        Ok(_) => Wanted::parse(&query).map(|_| query).map_err(|wrong| format!("--with: {wrong}")),
    }
}

fn known() -> String {
    MODEL_PARAMETERS.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preset_and_more() {
        let with = |pairs: &[&str]| defaults("cold", &pairs.iter().map(|pair| (*pair).to_owned()).collect::<Vec<_>>());
        assert_eq!(with(&["max_batch=8", "tokens=5"]).as_deref(), Ok("engine=cold&max_batch=8&tokens=5"));
        assert!(with(&["max_batch"]).expect_err("refused").contains("write NAME=VALUE"));
        assert!(with(&["max_batch=0"]).expect_err("refused").contains("from 1 to 4096"));
        assert!(with(&["ttft_ms=5"]).expect_err("refused").contains("leave it out"));
        assert!(defaults("fast", &[]).expect_err("refused").contains("interactive-small"));
    }
}
