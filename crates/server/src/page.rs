//! The built page, with the headers that isolate it: without them its clock would be up to 200 times coarser.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::Body;
use axum::http::{HeaderName, Response, header};
use axum::routing::Router;
use tower_http::services::ServeDir;

use crate::reply::set;

/// Scripts and styles of this origin only; requests to anywhere, since any endpoint may be measured.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src *; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/// Every file below a directory; `asked` becomes true with the first request.
pub(crate) fn router(dist: &Path, isolated: bool, asked: Arc<AtomicBool>) -> Router {
    let files = ServeDir::new(dist).precompressed_br();
    let headers = axum::middleware::map_response(move |response| {
        asked.store(true, Ordering::Relaxed);
        with_headers(response, isolated)
    });
    Router::new().fallback_service(files).layer(headers)
}

async fn with_headers(mut response: Response<Body>, isolated: bool) -> Response<Body> {
    let headers = response.headers_mut();
    if isolated {
        set(headers, HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
        set(headers, HeaderName::from_static("cross-origin-embedder-policy"), "require-corp");
    }
    set(headers, HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    set(headers, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(headers, header::REFERRER_POLICY, "no-referrer");
    set(headers, header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY);
    // File names don't change with their contents, so every use asks whether they did.
    set(headers, header::CACHE_CONTROL, "no-cache");
    response
}
