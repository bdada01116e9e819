//! Addresses that people type: whether they can be measured from this page, and how they may leave it.

use super::Problem;

/// An address taken apart, as far as a check needs it.
struct Address<'a> {
    scheme: &'a str,
    authority: &'a str,
}

impl<'a> Address<'a> {
    /// None if the text is not of the form `scheme://host[:port]…`; the browser's own parser has the last word when it sends.
    fn parse(text: &'a str) -> Option<Address<'a>> {
        let (scheme, rest) = text.split_once("://")?;
        let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
        let authority = rest.split(['/', '?', '#', '\\']).next()?;
        let address = Address { scheme, authority };
        let host = address.host();
        let is_host = !host.is_empty() && !host.chars().any(|c| c.is_whitespace() || c.is_control() || "<>^|%\"".contains(c));
        let has_space = text.chars().any(|c| c.is_whitespace() || c.is_control());
        (is_scheme && is_host && !has_space && address.port_is_sound()).then_some(address)
    }

    fn has_credentials(&self) -> bool {
        self.authority.contains('@')
    }

    fn host_and_port(&self) -> (&'a str, Option<&'a str>) {
        let place = self.authority.rsplit('@').next().unwrap_or_default();
        match place.strip_prefix('[').and_then(|v6| v6.split_once(']')) {
            Some((host, rest)) => (host, rest.strip_prefix(':').or((!rest.is_empty()).then_some("?"))),
            None => place.split_once(':').map_or((place, None), |(host, port)| (host, Some(port))),
        }
    }

    fn host(&self) -> &'a str {
        self.host_and_port().0
    }

    fn port_is_sound(&self) -> bool {
        self.host_and_port().1.is_none_or(|port| port.is_empty() || port.parse::<u16>().is_ok())
    }

    /// Addresses of this machine: Chromium and Firefox let a page that came over https ask them; WebKit does not, and says so to
    /// no page beforehand. Stricter than both where they differ (`0.0.0.0`, mapped addresses) and in rare spellings (`127.1`).
    fn is_loopback(&self) -> bool {
        let host = self.host().to_ascii_lowercase();
        let host = host.strip_suffix('.').unwrap_or(&host);
        let ip: Option<std::net::IpAddr> = host.parse().ok();
        ip.is_some_and(|ip| ip.is_loopback()) || host == "localhost" || host.ends_with(".localhost")
    }
}

/// Checks an address typed by a person. `page` is the page's own URL.
pub fn check_url(text: &str, page: &str) -> Result<(), Problem> {
    let text = text.trim();
    let address = Address::parse(text).ok_or_else(|| Problem::Url(text.to_owned()))?;
    let scheme = address.scheme.to_ascii_lowercase();
    if !matches!(scheme.as_str(), "http" | "https") {
        return Err(Problem::Scheme(scheme));
    }
    if address.has_credentials() {
        return Err(Problem::Credentials);
    }
    if page.starts_with("https:") && scheme == "http" && !address.is_loopback() {
        return Err(Problem::MixedContent);
    }
    Ok(())
}

/// Scheme, host and port as they are written; none if it is no address.
pub fn origin(url: &str) -> Option<&str> {
    let address = Address::parse(url.trim())?;
    let url = url.trim();
    url.get(..address.scheme.len() + "://".len() + address.authority.len())
}

/// Both are of one origin, so that a browser's limit of connections is theirs together.
pub fn same_origin(one: &str, other: &str) -> bool {
    let parts = |url: &str| {
        let address = Address::parse(url.trim())?;
        let scheme = address.scheme.to_ascii_lowercase();
        let (host, port) = address.host_and_port();
        let usual = if scheme == "https" { "443" } else { "80" };
        let port = port.filter(|port| !port.is_empty()).unwrap_or(usual).to_owned();
        Some((scheme, host.to_ascii_lowercase(), port))
    };
    parts(one).is_some_and(|origin| Some(origin) == parts(other))
}

/// What this is the name of is called secret.
pub(crate) fn is_secret(name: &str) -> bool {
    const SECRET: [&str; 9] = ["key", "api_key", "api-key", "apikey", "token", "access_token", "sig", "signature", "secret"];
    SECRET.contains(&name.to_ascii_lowercase().as_str())
}

/// A URL as it may leave the page: query values whose name says that they are secret are replaced.
pub fn redacted_url(url: &str) -> String {
    let (before, fragment) = url.split_once('#').map_or((url, None), |(u, f)| (u, Some(f)));
    let Some((path, query)) = before.split_once('?') else { return url.to_owned() };
    let redact = |pair: &str| match pair.split_once('=') {
        Some((name, _)) if is_secret(name) => format!("{name}=redacted"),
        _ => pair.to_owned(),
    };
    let query: Vec<String> = query.split('&').map(redact).collect();
    let fragment = fragment.map(|f| format!("#{f}")).unwrap_or_default();
    format!("{path}?{}{fragment}", query.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "http://127.0.0.1:8600/";

    #[test]
    fn addresses() {
        let check = check_url;
        assert!(check("https://api.example.com/v1", PAGE).is_ok());
        assert_eq!(check("api.example.com/v1", PAGE), Err(Problem::Url("api.example.com/v1".into())));
        assert_eq!(check("localhost:8080/v1", PAGE), Err(Problem::Url("localhost:8080/v1".into())));
        assert_eq!(check("ftp://a/b", PAGE), Err(Problem::Scheme("ftp".into())));
        assert_eq!(check("http://u:p@a/b", PAGE), Err(Problem::Credentials));
        for nonsense in
            ["", "http://", "http:///x", "https://a b/", "http://a:port/", "http://a:99999/", "://a", "http://[::1]x/"]
        {
            assert_eq!(check(nonsense, PAGE), Err(Problem::Url(nonsense.into())), "{nonsense}");
        }
        for sound in ["HTTPS://a", "http://a:8080?x=1", "http://예시.kr/v1", "http://[::1]/"] {
            assert_eq!(check(sound, PAGE), Ok(()), "{sound}");
        }
        assert_eq!(check("http://10.0.0.1/v1", "https://firstlight.example/"), Err(Problem::MixedContent));
        for host in ["localhost", "LocalHost.", "app.localhost", "app.localhost.", "127.0.0.1", "127.8.9.1", "[::1]"] {
            assert_eq!(check(&format!("http://{host}:8080/v1"), "https://firstlight.example/"), Ok(()), "{host}");
        }
        for host in ["localhost.example.com", "alocalhost", "localhost..", "0.0.0.0", "[::]", "[::ffff:127.0.0.1]"] {
            let found = check(&format!("http://{host}:8080/v1"), "https://firstlight.example/");
            assert_eq!(found, Err(Problem::MixedContent), "{host}");
        }
    }

    #[test]
    fn origins() {
        assert_eq!(origin("https://a.b:1/c?d"), Some("https://a.b:1"));
        assert_eq!(origin("a.b/c"), None);
        assert!(same_origin("http://A:80/x", "HTTP://a/y?z") && same_origin("https://a", "https://a:443/"));
        for other in ["http://a:81/", "https://a/", "http://b/", "a"] {
            assert!(!same_origin("http://a/", other), "{other}");
        }
        assert!(!same_origin("", ""));
    }

    #[test]
    fn secrets_in_a_query_do_not_leave_the_page() {
        assert_eq!(redacted_url("https://a/b?key=sk-1&x=2#top"), "https://a/b?key=redacted&x=2#top");
        assert_eq!(redacted_url("https://a/b"), "https://a/b");
    }
}
