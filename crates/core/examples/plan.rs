//! How long does it take to plan a million requests? `cargo run --release -p firstlight-core --example plan`

use std::time::Instant;

use firstlight_core::config::RunConfig;
use firstlight_core::load::{Cases, plan};

/// A run configuration with this load.
fn config(load: &str) -> Result<RunConfig, serde_json::Error> {
    let text = r#"{"target":"own","url":"http://localhost/v1","body":{"chat":{}},"prompt":"Hi","mode":"streaming",
        "requests":1000000,"concurrency":16,"warmup":0,"timeout_ms":60000,"seed":1,"load":LOAD}"#;
    serde_json::from_str(&text.replace("LOAD", load))
}

fn main() -> Result<(), serde_json::Error> {
    for load in [
        r#"{}"#,
        r#"{"shape":{"open":{"per_second":5000,"spacing":"poisson"}}}"#,
        r#"{"shape":{"open":{"per_second":5000,"spacing":{"gamma":{"burstiness":0.5}}}},"cancel":{"share":0.1,"from_ms":1,"to_ms":900}}"#,
        r#"{"shape":{"ramp":{"from":10,"to":9000,"over_ms":60000,"spacing":"poisson"}}}"#,
    ] {
        let config = config(load)?;
        let cases = Cases { count: 1000, shuffled: true, follows: &[] };
        let begin = Instant::now();
        let plan = plan(&config, &cases, 4);
        let bytes = std::mem::size_of_val(&*plan);
        println!("{:>4} ms, {} MB for {} requests of {load}", begin.elapsed().as_millis(), bytes / 1_000_000, plan.len());
    }
    Ok(())
}
