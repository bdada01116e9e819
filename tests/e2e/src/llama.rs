//! A real inference server: llama.cpp's own, with a model of random weights.

use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::guard::Guarded;
use crate::{places, raw_http};

/// A server's size.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Requests that it works on at once; others queue.
    pub slots: u32,
    /// Tokens that each of them may hold, prompt and answer.
    pub context: u32,
    /// Layers of the model.
    pub layers: u32,
    /// Width of the model, a multiple of 32.
    pub width: u32,
}

impl Options {
    /// Thousands of tokens per second.
    pub const FAST: Options = Options { slots: 4, context: 2048, layers: 2, width: 64 };
    /// About a hundred tokens per second on one core: requests that take a second.
    pub const SLOW: Options = Options { slots: 2, context: 1024, layers: 6, width: 512 };
}

/// A running server; ends with this value.
pub struct Llama {
    process: Guarded,
    origin: String,
}

impl Llama {
    /// Writes the model and starts the server; returns when it answers.
    pub fn start(options: Options) -> Result<Llama> {
        Llama::start_with(options, &[])
    }

    /// The same, for those only who send a key.
    pub fn start_with_key(options: Options, key: &str) -> Result<Llama> {
        Llama::start_with(options, &["--api-key", key])
    }

    /// The same, which keeps the prompts that it has read, as llama.cpp does unless it is told otherwise.
    pub fn start_with_cache(options: Options) -> Result<Llama> {
        Llama::start_with(options, &["--cache-prompt"])
    }

    fn start_with(options: Options, more: &[&str]) -> Result<Llama> {
        let python = places::tools().join("venv/bin/python");
        python.is_file().then_some(()).with_context(|| {
            format!("{} is missing: run `cargo xtask setup --browsers`, which installs llama.cpp from PyPI", python.display())
        })?;
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("llama/serve.py");
        let mut args = vec![OsString::from("-B"), script.into()];
        let numbers = [
            ("--slots", options.slots),
            ("--context", options.context),
            ("--layers", options.layers),
            ("--width", options.width),
        ];
        for (name, number) in numbers {
            args.extend([name.into(), number.to_string().into()]);
        }
        args.extend(more.iter().map(OsString::from));
        let process = Guarded::start(&python, &args, &[])?;
        let origin = process.wait_for(Duration::from_secs(60), |line| Some(line.strip_prefix("READY ")?.to_owned()))?;
        Ok(Llama { process, origin })
    }

    /// Scheme, host and port.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The address of chat completions.
    pub fn chat_url(&self) -> String {
        self.url("/v1/chat/completions")
    }

    /// The address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// Waits until some request has had so many tokens generated. The server is asked, not the page.
    pub fn wait_for_tokens(&self, tokens: u64) -> Result<()> {
        let end = Instant::now() + Duration::from_secs(30);
        loop {
            let reply = raw_http::send("GET", &format!("{}/slots", self.origin), "")?.finish();
            let slots: Value = serde_json::from_str(&reply.body).with_context(|| format!("no slots in {}", reply.body))?;
            let decoded = slots.as_array().into_iter().flatten().filter_map(|slot| slot["next_token"][0]["n_decoded"].as_u64());
            if decoded.max() >= Some(tokens) {
                return Ok(());
            }
            anyhow::ensure!(Instant::now() < end, "no request got to {tokens} tokens: {}", reply.body);
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Kills it at once, in the middle of whatever it does.
    pub fn kill(&mut self) -> Result<()> {
        self.process.kill()
    }
}
