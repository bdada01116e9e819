//! A real gateway: LiteLLM's proxy in front of llama.cpp.

use std::path::Path;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use anyhow::{Context, Result};

use crate::guard::Guarded;
use crate::llama::{Llama, Options};
use crate::{places, raw_http};

/// It takes many seconds to start, so that all tests share one.
static SHARED: OnceLock<Result<Litellm, String>> = OnceLock::new();

/// A running proxy; ends with this value, the shared one with the process.
pub struct Litellm {
    origin: String,
    /// The proxy and what is behind it; held until they end. Nobody locks it: it may be shared, and they alone may not.
    _processes: Mutex<(Guarded, Llama)>,
}

impl Litellm {
    /// The key that it asks for.
    pub const KEY: &str = "sk-e2e-gateway-4711-0815-a1b2c3d4";
    /// The model behind it.
    pub const MODEL: &str = "random";
    /// The same at the address that the request's `api_base` names.
    pub const ELSEWHERE: &str = "elsewhere";

    /// The proxy that the tests share, started by the first of them.
    pub fn shared() -> Result<&'static Litellm> {
        let started = SHARED.get_or_init(|| Litellm::start().map_err(|error| format!("{error:#}")));
        started.as_ref().map_err(|error| anyhow::anyhow!("LiteLLM: {error}"))
    }

    fn start() -> Result<Litellm> {
        let python = places::tools().join("litellm/bin/python");
        python.is_file().then_some(()).with_context(|| {
            format!("{} is missing: run `cargo xtask setup --browsers`, which installs LiteLLM from PyPI", python.display())
        })?;
        let upstream = Llama::start(Options::FAST)?;
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("litellm/serve.py");
        let args = ["-B".into(), script.into(), upstream.origin().into(), Litellm::KEY.into()];
        let process = Guarded::start(&python, &args, &[])?;
        // Most of it is importing, on a machine that may be busy.
        let origin = process.wait_for(Duration::from_secs(120), |line| {
            let (_, after) = line.split_once("Uvicorn running on ")?;
            Some(after.split_whitespace().next()?.to_owned())
        })?;
        let health = raw_http::send("GET", &format!("{origin}/health/liveliness"), "")?.finish();
        anyhow::ensure!(health.status == 200, "it is not alive: {health:?}; it said:\n{}", process.log());
        Ok(Litellm { origin, _processes: Mutex::new((process, upstream)) })
    }

    /// Scheme, host and port.
    pub fn origin(&self) -> &str {
        &self.origin
    }
}
