//! The built page, with the headers that isolate it: without them its clock would be up to 200 times coarser.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Response, header};
use axum::middleware::Next;
use axum::routing::Router;
use tower_http::services::ServeDir;

use crate::embed_origin::EmbedOrigin;
use crate::reply::set;

/// Scripts and styles of this origin only; requests to anywhere, since any endpoint may be measured.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src *; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/// Where the page for frames and its files are.
const EMBED: &str = "/embed";

/// What differs between the page and that for frames.
#[derive(Clone)]
struct Headers {
    isolated: bool,
    /// The policy of the page for frames, which names those who may show it.
    embed_policy: HeaderValue,
    asked: Arc<AtomicBool>,
}

/// Every file below a directory; `asked` becomes true with the first request.
pub(crate) fn router(dist: &Path, isolated: bool, embed: &[EmbedOrigin], asked: Arc<AtomicBool>) -> Router {
    let files = ServeDir::new(dist).precompressed_br();
    let headers = Headers { isolated, embed_policy: embed_policy(embed), asked };
    Router::new().fallback_service(files).layer(axum::middleware::from_fn(move |request, next| {
        let headers = headers.clone();
        async move { headers.add(request, next).await }
    }))
}

/// Who may show the page for frames: this origin, and those that were named.
fn embed_policy(embed: &[EmbedOrigin]) -> HeaderValue {
    let origins: String = embed.iter().map(|origin| format!(" {origin}")).collect();
    let policy = format!("{CONTENT_SECURITY_POLICY}{origins}");
    // Origins are of characters that a header can have; without them is the stricter policy.
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static(CONTENT_SECURITY_POLICY))
}

impl Headers {
    async fn add(self, request: Request, next: Next) -> Response<Body> {
        self.asked.store(true, Ordering::Relaxed);
        let path = request.uri().path();
        let for_frames = path.strip_prefix(EMBED).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        with_headers(next.run(request).await, self.isolated, for_frames.then_some(self.embed_policy))
    }
}

fn with_headers(mut response: Response<Body>, isolated: bool, embed_policy: Option<HeaderValue>) -> Response<Body> {
    let headers = response.headers_mut();
    if isolated {
        set(headers, HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
        set(headers, HeaderName::from_static("cross-origin-embedder-policy"), "require-corp");
    }
    // A page that is isolated itself shows no frame without this word.
    let resource = if embed_policy.is_some() { "cross-origin" } else { "same-origin" };
    set(headers, HeaderName::from_static("cross-origin-resource-policy"), resource);
    set(headers, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(headers, header::REFERRER_POLICY, "no-referrer");
    let policy = embed_policy.unwrap_or(HeaderValue::from_static(CONTENT_SECURITY_POLICY));
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    // File names don't change with their contents, so every use asks whether they did.
    set(headers, header::CACHE_CONTROL, "no-cache");
    response
}
