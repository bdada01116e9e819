//! `--forward NAME=URL`: the only places that a request can be forwarded to.

use std::net::Ipv6Addr;

use axum::http::uri::{Authority, PathAndQuery, Scheme};

use super::path;

/// Why a `--forward` can't be used. The URL is never repeated: it may hold a key by mistake.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForwardError {
    /// No name stands before a URL.
    #[error("--forward number {0} is not NAME=URL; write for example --forward api=https://api.example.com")]
    NotNamed(usize),
    /// The name can't be part of a path as it is.
    #[error(
        "--forward number {0}: the name before = must be of letters, digits, _ and - only, such as api in api=https://api.example.com"
    )]
    Name(usize),
    /// Two of one name.
    #[error("--forward {0}: the name is used twice; give each URL a name of its own")]
    Twice(String),
    /// The URL is of no use.
    #[error("--forward {name}: {problem}")]
    Url {
        /// The target's name.
        name: String,
        /// What is wrong with its URL, and what to do.
        problem: &'static str,
    },
}

/// A place that requests are forwarded to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) name: String,
    pub(super) scheme: Scheme,
    pub(super) authority: Authority,
    /// Of the URL, without a slash at its end.
    pub(super) path: String,
}

impl Target {
    fn url(&self) -> String {
        format!("{}://{}{}/", self.scheme, self.authority, self.path)
    }
}

/// The targets of a server, fixed when it starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forwards(Vec<Target>);

impl Forwards {
    /// Reads the values of all `--forward`; every mistake is told at once.
    pub fn parse(values: &[String]) -> Result<Forwards, Vec<ForwardError>> {
        let (mut targets, mut errors) = (Vec::<Target>::new(), Vec::new());
        for (index, value) in values.iter().enumerate() {
            match target(index + 1, value) {
                Ok(new) if targets.iter().any(|target| target.name == new.name) => errors.push(ForwardError::Twice(new.name)),
                Ok(new) => targets.push(new),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(Forwards(targets)) } else { Err(errors) }
    }

    /// Their names, in the order in which they were given.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|target| target.name.as_str())
    }

    /// Their names and URLs.
    pub fn urls(&self) -> impl Iterator<Item = (&str, String)> {
        self.0.iter().map(|target| (target.name.as_str(), target.url()))
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn get(&self, name: &str) -> Option<&Target> {
        self.0.iter().find(|target| target.name == name)
    }

    pub(super) fn any_encrypted(&self) -> bool {
        self.0.iter().any(|target| target.scheme == Scheme::HTTPS)
    }
}

fn target(number: usize, value: &str) -> Result<Target, ForwardError> {
    let (name, url) = value.split_once('=').ok_or(ForwardError::NotNamed(number))?;
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte)) {
        return Err(ForwardError::Name(number));
    }
    let (scheme, authority, path) = url_parts(url).map_err(|problem| ForwardError::Url { name: name.to_owned(), problem })?;
    Ok(Target { name: name.to_owned(), scheme, authority, path })
}

fn url_parts(url: &str) -> Result<(Scheme, Authority, String), &'static str> {
    const BEGIN: &str = "the URL must begin with http:// or https://";
    let (scheme, rest) = url.split_once("://").ok_or(BEGIN)?;
    let scheme = match scheme.to_ascii_lowercase().as_str() {
        "http" => Scheme::HTTP,
        "https" => Scheme::HTTPS,
        _ => return Err(BEGIN),
    };
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len()));
    if authority.contains('@') {
        return Err("the URL must not hold a name or password; the page sends keys as headers");
    }
    if path.contains('?') {
        return Err("the URL must not hold a query (?…); put it after the address on the page");
    }
    if path.contains('#') {
        return Err("the URL must not hold a fragment (#…), which is never sent");
    }
    let authority = host_and_port(authority)?;
    let path = path.trim_end_matches('/');
    path::check(path).map_err(|_| "the URL's path must be plain: no '.', '..' or empty parts, plainly or encoded")?;
    if !path.is_empty() && path.parse::<PathAndQuery>().is_err() {
        return Err("the URL's path holds characters that must be percent-encoded");
    }
    Ok((scheme, authority, path.to_owned()))
}

fn host_and_port(text: &str) -> Result<Authority, &'static str> {
    const HOST: &str = "the URL has no usable host; write a host name, an IPv4 address, or an IPv6 address in brackets \
        (a name with other letters in its xn-- form)";
    let (host, port) = match text.rfind([':', ']']).map(|at| (at, text.as_bytes()[at])) {
        Some((at, b':')) => (&text[..at], Some(&text[at + 1..])),
        _ => (text, None),
    };
    let plain = |host: &str| !host.is_empty() && host.bytes().all(|b| b.is_ascii_alphanumeric() || b".-_".contains(&b));
    let bracketed = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    if !bracketed.map_or_else(|| plain(host), |address| address.parse::<Ipv6Addr>().is_ok()) {
        return Err(HOST);
    }
    if port.is_some_and(|port| !port.bytes().all(|b| b.is_ascii_digit()) || !port.parse().is_ok_and(|port: u16| port > 0)) {
        return Err("the URL's port must be a number from 1 to 65535");
    }
    text.parse().map_err(|_| HOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(values: &[&str]) -> Result<Vec<String>, Vec<String>> {
        let values: Vec<String> = values.iter().map(|&value| value.to_owned()).collect();
        match Forwards::parse(&values) {
            Ok(forwards) => Ok(forwards.urls().map(|(name, url)| format!("{name} {url}")).collect()),
            Err(errors) => Err(errors.iter().map(ToString::to_string).collect()),
        }
    }

    #[test]
    fn names_and_urls() {
        let values = ["a=https://api.example.com", "B_2-c=HTTP://127.0.0.1:8080/v1/", "v6=http://[::1]:1/x/y"];
        let want = ["a https://api.example.com/", "B_2-c http://127.0.0.1:8080/v1/", "v6 http://[::1]:1/x/y/"];
        assert_eq!(parse(&values).expect("targets"), want);
        assert_eq!(parse(&[]).expect("none"), [""; 0]);
    }

    #[test]
    fn every_mistake_is_told_and_no_url_repeated() {
        let cases = [
            ("https://api.example.com", "not NAME=URL"),
            ("=http://a", "letters, digits"),
            ("a b=http://a", "letters, digits"),
            ("../x=http://a", "letters, digits"),
            ("https://h/?secret=1", "letters, digits"),
            ("n=", "must begin with http"),
            ("n=api.example.com", "must begin with http"),
            ("n=ftp://a", "must begin with http"),
            ("n=http://secret:x@a", "name or password"),
            ("n=http://secret@a", "name or password"),
            ("n=http://a/?secret", "query"),
            ("n=http://a?secret", "query"),
            ("n=http://a/#secret", "fragment"),
            ("n=http://", "no usable host"),
            ("n=http:///x", "no usable host"),
            ("n=http://:80", "no usable host"),
            ("n=http://a b", "no usable host"),
            ("n=http://[::g]", "no usable host"),
            ("n=http://::1", "no usable host"),
            ("n=http://bücher.example", "no usable host"),
            ("n=http://a:", "port"),
            ("n=http://a:0", "port"),
            ("n=http://a:+80", "port"),
            ("n=http://a:65536", "port"),
            ("n=http://a/../b", "must be plain"),
            ("n=http://a//b", "must be plain"),
            ("n=http://a\\b", "percent-encoded"),
            ("n=http://a/%2e%2e", "must be plain"),
            ("n=http://a/b c", "percent-encoded"),
        ];
        for (value, want) in cases {
            let errors = parse(&[value]).expect_err(value);
            assert!(errors.len() == 1 && errors[0].contains(want), "{value}: {errors:?}");
            assert!(errors[0].starts_with("--forward ") && !errors[0].contains("secret"), "{errors:?}");
        }
        let errors = parse(&["a=http://x", "a=http://y", "n=ftp://z"]).expect_err("two mistakes");
        assert_eq!(errors.len(), 2);
        assert!(errors[0].contains("used twice") && errors[0].contains('a'), "{errors:?}");
    }
}
