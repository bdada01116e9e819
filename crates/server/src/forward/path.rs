//! From the path of a request to an address at its target. Whatever the upstream makes of it, it can't climb above the
//! target's own path, and it can't be read as another host.

use axum::http::Uri;
use axum::http::uri::PathAndQuery;

use super::PREFIX;
use super::target::Target;

/// Rounds of percent-decoding that are looked through; nothing plain needs more.
const ROUNDS: usize = 4;

/// Why a path is not forwarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this path is not forwarded: it has '.', '..' or empty parts, or control characters, plainly or encoded. Write the \
     plain path after {PREFIX}NAME"
)]
pub(super) struct PathError;

/// The target's name, and the rest of the path: empty, or from a slash on. None if this is no path of the forwarder.
pub(super) fn split(path: &str) -> Option<(&str, &str)> {
    let rest = path.strip_prefix(PREFIX)?;
    Some(rest.split_at(rest.find('/').unwrap_or(rest.len())))
}

/// The address at the target.
pub(super) fn join(target: &Target, rest: &str, query: Option<&str>) -> Result<Uri, PathError> {
    check(rest)?;
    let mut path = format!("{}{rest}", target.path);
    if path.is_empty() {
        path.push('/');
    }
    if let Some(query) = query {
        path.push('?');
        path.push_str(query);
    }
    let path: PathAndQuery = path.parse().map_err(|_| PathError)?;
    // Built from its parts, not from one text: nothing in the path can become a part of the host.
    let uri = Uri::builder().scheme(target.scheme.clone()).authority(target.authority.clone()).path_and_query(path);
    uri.build().map_err(|_| PathError)
}

/// Refuses a path that could mean another place, to an upstream that decodes it any number of times.
pub(super) fn check(path: &str) -> Result<(), PathError> {
    let mut bytes = path.as_bytes().to_vec();
    for _round in 0..ROUNDS {
        plain(&bytes)?;
        let decoded = decode(&bytes);
        if decoded == bytes {
            return Ok(());
        }
        bytes = decoded;
    }
    Err(PathError)
}

fn plain(path: &[u8]) -> Result<(), PathError> {
    if path.iter().any(u8::is_ascii_control) {
        return Err(PathError);
    }
    // Some servers take a backslash for a slash.
    let mut parts = path.split(|byte| matches!(byte, b'/' | b'\\'));
    if parts.next().is_some_and(|before_the_first_slash| !before_the_first_slash.is_empty()) {
        return Err(PathError);
    }
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        // Some servers cut parameters off, after which `..;x` is `..`.
        let name = part.split(|byte| *byte == b';').next().unwrap_or_default();
        let empty_inside = name.is_empty() && (parts.peek().is_some() || !part.is_empty());
        if empty_inside || name == b"." || name == b".." {
            return Err(PathError);
        }
    }
    Ok(())
}

fn decode(bytes: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((first, after)) = rest.split_first() {
        let hex = |at: usize| after.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        match (first, hex(0), hex(1)) {
            (b'%', Some(high), Some(low)) => {
                decoded.extend(u8::try_from(high * 16 + low));
                rest = &after[2..];
            }
            _ => {
                decoded.push(*first);
                rest = after;
            }
        }
    }
    decoded
}

#[cfg(test)]
mod tests {
    use axum::http::uri::Scheme;

    use super::*;

    fn to(path: &str, rest: &str, query: Option<&str>) -> Result<String, PathError> {
        let authority = "api.example.com:8080".parse().expect("a host");
        let target = Target { name: "a".into(), scheme: Scheme::HTTP, authority, path: path.into() };
        join(&target, rest, query).map(|uri| uri.to_string())
    }

    #[test]
    fn names_end_at_the_first_slash() {
        assert_eq!(split("/forward/a/b/c"), Some(("a", "/b/c")));
        assert_eq!(split("/forward/a"), Some(("a", "")));
        assert_eq!(split("/forward/"), Some(("", "")));
        assert_eq!(split("/forward"), None);
        assert_eq!(split("/forward//host/x"), Some(("", "/host/x")));
    }

    #[test]
    fn plain_paths_are_joined_as_they_are() {
        let cases = [
            ("", "", None, "/"),
            ("", "/", None, "/"),
            ("", "/v1/chat/completions", Some("a=/../b"), "/v1/chat/completions?a=/../b"),
            ("/base", "", Some(""), "/base?"),
            ("/base", "/x/", None, "/base/x/"),
            ("/base", "/models/org%2Fname:generate", None, "/base/models/org%2Fname:generate"),
            ("/base", "/a...b/..c/d..", None, "/base/a...b/..c/d.."),
            ("/base", "/100%25/50%", None, "/base/100%25/50%"),
            ("/base", "/http:/x;v=1", None, "/base/http:/x;v=1"),
        ];
        for (base, rest, query, want) in cases {
            assert_eq!(to(base, rest, query).as_deref(), Ok(&*format!("http://api.example.com:8080{want}")));
        }
    }

    #[test]
    fn nothing_climbs_or_leaves() {
        let tricks = [
            "/..",
            "/../x",
            "/a/../../x",
            "/.",
            "/./x",
            "/a/..",
            "//evil.example/x",
            "/a//b",
            "/%2e%2e/x",
            "/%2E./x",
            "/.%2e",
            "/%252e%252e/x",
            "/..%2fx",
            "/a%2f..%2f..%2fx",
            "/%2fevil.example",
            "/a/%2f/b",
            "/..%5cx",
            "/\\evil.example",
            "/..\\x",
            "/%5c%5cevil",
            "/..;/x",
            "/..;a=b/x",
            "/%2e%2e%3bx/y",
            "/;/x",
            "/x%00",
            "/%0d%0aHost:%20evil",
            "/%250a",
            "@evil.example/",
            ".evil.example/x",
            ":80/x",
            "/%2525252525252e",
        ];
        for trick in tricks {
            assert_eq!(to("/base", trick, None), Err(PathError), "{trick}");
            assert_eq!(to("", trick, None), Err(PathError), "{trick}");
        }
    }
}
