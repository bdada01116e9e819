//! A product's own web server: the files of one folder, each sent with the product's content security policy, with addresses put in
//! where the files have placeholders.

use std::net::Ipv4Addr;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{Response, StatusCode, Uri, header};
use tokio::net::TcpListener;

use crate::rt;

/// Where pages find what is first in each of them.
const FIRST: &str = "/first.js";

/// A listening server; lives until the end of the process.
pub struct Site {
    origin: String,
}

/// What it serves.
#[derive(Default)]
pub struct Files {
    /// The folder.
    pub folder: PathBuf,
    /// Sent with every file, as it stands, if there is one.
    pub policy: String,
    /// What stands in pages and scripts, and what is sent in its place.
    pub exchange: Vec<(String, String)>,
    /// A script that runs in every page before anything of the page's own.
    pub first: Option<&'static str>,
}

impl Site {
    /// Serves on a free port.
    pub fn start(files: Files) -> Result<Site> {
        let page = files.folder.join("index.html");
        anyhow::ensure!(page.is_file(), "there is no {}: run `cargo xtask hosts`, or set FIRSTLIGHT_HOSTS", page.display());
        let listener = rt::block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))?;
        let origin = format!("http://127.0.0.1:{}", listener.local_addr()?.port());
        let router = Router::new().fallback(serve).with_state(Arc::new(files));
        rt::spawn(async move {
            // It never ends by itself.
            let _ = axum::serve(listener, router).await;
        });
        Ok(Site { origin })
    }

    /// Its origin.
    pub fn origin(&self) -> &str {
        &self.origin
    }
}

async fn serve(State(files): State<Arc<Files>>, uri: Uri) -> Response<Body> {
    let (status, kind, body) = match files.find(uri.path()) {
        Ok((kind, body)) => (StatusCode::OK, kind, body),
        Err(error) => (StatusCode::NOT_FOUND, "text/plain; charset=utf-8", format!("{error:#}").into_bytes()),
    };
    let mut reply = Response::builder()
        .status(status)
        .header(header::CONTENT_TYPE, kind)
        .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
        .header(header::CACHE_CONTROL, "no-store");
    if !files.policy.is_empty() {
        reply = reply.header(header::CONTENT_SECURITY_POLICY, &files.policy);
    }
    reply.body(Body::from(body)).expect("a policy that can be in a header")
}

impl Files {
    /// The type and the bytes of what is under a path.
    fn find(&self, path: &str) -> Result<(&'static str, Vec<u8>)> {
        if let Some(first) = self.first.filter(|_| path == FIRST) {
            return Ok(("text/javascript; charset=utf-8", first.as_bytes().to_vec()));
        }
        let relative = Path::new(path.trim_start_matches('/'));
        let inside = relative.components().all(|part| matches!(part, Component::Normal(_)));
        anyhow::ensure!(inside, "{path} leads out of the folder");
        let file = if path == "/" { Path::new("index.html") } else { relative };
        let bytes = std::fs::read(self.folder.join(file)).with_context(|| format!("there is no {path}"))?;
        let kind = match file.extension().and_then(|ext| ext.to_str()) {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("wasm") => "application/wasm",
            _ => "application/octet-stream",
        };
        match kind {
            "text/html; charset=utf-8" | "text/javascript; charset=utf-8" => {
                let mut text = String::from_utf8(bytes).with_context(|| format!("{path} is no text"))?;
                for (from, to) in &self.exchange {
                    text = text.replace(from, to);
                }
                if self.first.is_some() && kind.starts_with("text/html") {
                    text = text.replacen("<head>", &format!("<head><script src=\"{FIRST}\"></script>"), 1);
                }
                Ok((kind, text.into_bytes()))
            }
            _ => Ok((kind, bytes)),
        }
    }
}
