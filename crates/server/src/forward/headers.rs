//! Which headers pass, in both directions.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::reply::set;

/// They speak of one connection only.
const OF_ONE_HOP: [&str; 9] = [
    "connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// What a browser adds that tells of the page or the person, and not of the request.
const OF_THE_PAGE: [&str; 8] =
    ["host", "origin", "referer", "cookie", "accept-language", "dnt", "upgrade-insecure-requests", "expect"];

/// What an upstream says to browsers about its own origin. Here it would speak of the page's: store cookies with it, delete
/// its storage, ask for a password in the middle of a run.
const OF_THE_ORIGIN: [&str; 14] = [
    "timing-allow-origin",
    "set-cookie",
    "clear-site-data",
    "strict-transport-security",
    "alt-svc",
    "nel",
    "report-to",
    "reporting-endpoints",
    "content-security-policy",
    "content-security-policy-report-only",
    "service-worker-allowed",
    "refresh",
    "www-authenticate",
    "x-content-type-options",
];

/// What the upstream gets.
pub(super) fn request(headers: &HeaderMap) -> HeaderMap {
    pass(headers, |name| OF_THE_PAGE.contains(&name) || name.starts_with("sec-") || name.starts_with("access-control-"))
}

/// What the page gets: the upstream's headers, our span, and the permission to read all of them.
pub(super) fn response(headers: &HeaderMap, span: &str) -> HeaderMap {
    let of_the_origin =
        |name: &str| OF_THE_ORIGIN.contains(&name) || name.starts_with("access-control-") || name.starts_with("cross-origin-");
    let mut headers = pass(headers, of_the_origin);
    if let Ok(span) = HeaderValue::from_str(span) {
        headers.append(HeaderName::from_static("server-timing"), span);
    }
    allow(&mut headers);
    // Opened as a document, an upstream's page would be a page of this origin.
    set(&mut headers, header::CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'");
    set(&mut headers, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    headers
}

/// Lets both origins read a reply with every header that it has.
pub(super) fn allow(headers: &mut HeaderMap) {
    let names = headers.keys().map(HeaderName::as_str).collect::<Vec<_>>().join(", ");
    if let Ok(names) = HeaderValue::from_str(&names) {
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, names);
    }
    set(headers, header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    set(headers, HeaderName::from_static("timing-allow-origin"), "*");
    set(headers, HeaderName::from_static("cross-origin-resource-policy"), "cross-origin");
}

fn pass(headers: &HeaderMap, dropped: impl Fn(&str) -> bool) -> HeaderMap {
    let connection = headers.get_all(header::CONNECTION).iter().filter_map(|value| value.to_str().ok());
    let named: Vec<String> = connection.flat_map(|value| value.split(',')).map(|n| n.trim().to_ascii_lowercase()).collect();
    let passes = |name: &str| !OF_ONE_HOP.contains(&name) && !named.iter().any(|other| other == name) && !dropped(name);
    headers.iter().filter(|(name, _)| passes(name.as_str())).map(|(name, value)| (name.clone(), value.clone())).fold(
        HeaderMap::new(),
        |mut passed, (name, value)| {
            passed.append(name, value);
            passed
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(headers: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_static(value));
        }
        map
    }

    fn lines(headers: &HeaderMap) -> Vec<String> {
        headers.iter().map(|(name, value)| format!("{name}: {}", value.to_str().unwrap_or("?"))).collect()
    }

    #[test]
    fn keys_pass_and_the_page_does_not() {
        let asked = map(&[
            ("host", "127.0.0.1:8600"),
            ("origin", "http://127.0.0.1:8600"),
            ("referer", "http://127.0.0.1:8600/"),
            ("cookie", "a=b"),
            ("sec-fetch-mode", "cors"),
            ("sec-ch-ua", "x"),
            ("accept-language", "ko"),
            ("dnt", "1"),
            ("connection", "keep-alive, X-Hop"),
            ("x-hop", "1"),
            ("te", "trailers"),
            ("transfer-encoding", "chunked"),
            ("proxy-authorization", "no"),
            ("authorization", "Bearer k"),
            ("x-api-key", "k"),
            ("accept-encoding", "gzip, br"),
            ("x-many", "1"),
            ("x-many", "2"),
            ("content-type", "application/json"),
            ("content-length", "2"),
        ]);
        let want = [
            "authorization: Bearer k",
            "x-api-key: k",
            "accept-encoding: gzip, br",
            "x-many: 1",
            "x-many: 2",
            "content-type: application/json",
            "content-length: 2",
        ];
        assert_eq!(lines(&request(&asked)), want);
    }

    #[test]
    fn an_upstream_does_not_speak_for_the_page() {
        let answered = map(&[
            ("access-control-allow-origin", "https://other.example"),
            ("access-control-allow-credentials", "true"),
            ("timing-allow-origin", "https://other.example"),
            ("set-cookie", "a=b"),
            ("clear-site-data", "\"*\""),
            ("content-security-policy", "x"),
            ("cross-origin-resource-policy", "same-origin"),
            ("www-authenticate", "Basic"),
            ("keep-alive", "timeout=5"),
            ("content-encoding", "br"),
            ("server-timing", "db;dur=5"),
            ("x-own-ms", "7"),
        ]);
        let passed = response(&answered, "forward;dur=1.000");
        let want = [
            "content-encoding: br",
            "server-timing: db;dur=5",
            "server-timing: forward;dur=1.000",
            "x-own-ms: 7",
            "access-control-expose-headers: content-encoding, server-timing, x-own-ms",
            "access-control-allow-origin: *",
            "timing-allow-origin: *",
            "cross-origin-resource-policy: cross-origin",
            "content-security-policy: sandbox; default-src 'none'",
            "x-content-type-options: nosniff",
        ];
        assert_eq!(lines(&passed), want);
    }
}
