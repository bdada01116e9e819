//! Who may use the forwarder: the server's own page. Any other page in the same browser must not reach a target through it,
//! neither by asking this address nor by giving its own name to it (DNS rebinding).

use std::net::IpAddr;

use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri, header};

/// Where the server listens.
#[derive(Clone, Debug)]
pub(crate) struct Own {
    /// `http` or `https`.
    pub(crate) scheme: &'static str,
    /// As it was told to.
    pub(crate) host: String,
    pub(crate) ports: [u16; 2],
}

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refused {
    #[error(
        "the forwarder answers only under an IP address, localhost or the name given with --host, so that no other site can \
         give its own name to it; open the page under one of these"
    )]
    Host,
    #[error(
        "the forwarder serves only its own page: open the page that this server prints, under the same host name. From a \
         command line, send the header Origin with the page's origin"
    )]
    Origin,
}

impl Own {
    /// Refuses what the server's own page did not send.
    pub(super) fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refused> {
        let asked = self.asked(uri, headers).ok_or(Refused::Host)?;
        let mut origins = headers.get_all(header::ORIGIN).iter();
        let allowed = match (origins.next(), origins.next()) {
            (Some(origin), None) => self.is_own(origin, &asked),
            // A page can leave Origin out (an image, a script, a link), but it can't forge what the browser says instead.
            (None, _) => headers.get(HeaderName::from_static("sec-fetch-site")).is_some_and(|site| site == "same-origin"),
            _ => false,
        };
        if allowed { Ok(()) } else { Err(Refused::Origin) }
    }

    /// The host and port that were asked for, if no other site can have that name.
    fn asked(&self, uri: &Uri, headers: &HeaderMap) -> Option<Place> {
        let of_headers = headers.get_all(header::HOST).iter().map(|host| self.place(host.to_str().ok()?));
        let of_uri = uri.authority().map(|authority| self.place(authority.as_str()));
        let mut all = of_headers.chain(of_uri);
        let first = all.next()??;
        let certain = first.is_address() || first.name == "localhost" || first.name == Place::name(&self.host);
        (certain && all.all(|other| other.as_ref() == Some(&first))).then_some(first)
    }

    fn place(&self, text: &str) -> Option<Place> {
        Place::parse(text, if self.scheme == "https" { 443 } else { 80 })
    }

    /// The origin that was asked, or the other one of the two under the same name.
    fn is_own(&self, origin: &HeaderValue, asked: &Place) -> bool {
        let of_scheme = |origin: &'_ str| Some(origin.strip_prefix(self.scheme)?.strip_prefix("://")?.to_owned());
        let place = origin.to_str().ok().and_then(of_scheme).and_then(|place| self.place(&place));
        let both_own = |place: &Place| [place, asked].iter().all(|place| self.ports.contains(&place.port));
        place.is_some_and(|place| place == *asked || (place.name == asked.name && both_own(&place)))
    }
}

/// A host and a port.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    name: String,
    port: u16,
}

impl Place {
    fn parse(text: &str, usual_port: u16) -> Option<Place> {
        let authority: Authority = text.parse().ok().filter(|_| !text.contains('@'))?;
        let port = match text.len() - authority.host().len() {
            0 => usual_port,
            _ => authority.port_u16()?,
        };
        Some(Place { name: Place::name(authority.host()), port })
    }

    fn name(host: &str) -> String {
        host.trim_matches(['[', ']']).to_ascii_lowercase()
    }

    fn is_address(&self) -> bool {
        self.name.parse::<IpAddr>().is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(headers: &[(&'static str, &'static str)]) -> Result<(), Refused> {
        let own = Own { scheme: "http", host: "Bench.Example".into(), ports: [8600, 8601] };
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_static(value));
        }
        own.check(&Uri::from_static("/forward/a/"), &map)
    }

    fn from(host: &'static str, origin: &'static str) -> Result<(), Refused> {
        check(&[("host", host), ("origin", origin)])
    }

    #[test]
    fn both_own_origins_under_one_name() {
        for name in ["127.0.0.1", "localhost", "[::1]", "192.168.1.5", "bench.example"] {
            for (port, from_port) in [(8600, 8600), (8601, 8600), (8600, 8601)] {
                let texts = [format!("{name}:{port}"), format!("http://{name}:{from_port}")];
                let [host, origin] = texts.map(|text| &*text.leak());
                assert_eq!(from(host, origin), Ok(()), "{host} {origin}");
            }
        }
        // Another port on the way, such as a tunnel's.
        assert_eq!(from("localhost:9000", "http://localhost:9000"), Ok(()));
        assert_eq!(from("localhost", "http://localhost"), Ok(()));
    }

    #[test]
    fn other_pages_are_refused() {
        let cases = [
            "http://evil.example",
            "http://evil.example:8600",
            "http://127.0.0.1",
            "http://127.0.0.1:8602",
            "http://10.0.0.1:8600",
            "http://localhost:8600",
            "https://127.0.0.1:8600",
            "null",
            "",
            "http://127.0.0.1:8600@evil.example",
            "http://127.0.0.1:8600.evil.example",
            "http://127.0.0.1:",
            "file://",
        ];
        for origin in cases {
            assert_eq!(from("127.0.0.1:8600", origin), Err(Refused::Origin), "{origin}");
        }
        let host = ("host", "127.0.0.1:8600");
        assert_eq!(check(&[host]), Err(Refused::Origin));
        for site in ["cross-site", "same-site", "none"] {
            assert_eq!(check(&[host, ("sec-fetch-site", site)]), Err(Refused::Origin), "{site}");
        }
        assert_eq!(check(&[host, ("sec-fetch-site", "same-origin")]), Ok(()));
        let own = ("origin", "http://127.0.0.1:8600");
        assert_eq!(check(&[host, own, ("origin", "http://evil.example")]), Err(Refused::Origin));
    }

    #[test]
    fn over_https_only_https_is_own() {
        let own = Own { scheme: "https", host: "127.0.0.1".into(), ports: [8600, 8601] };
        let check = |host: &'static str, origin: &'static str| {
            let uri = Uri::try_from(format!("https://{host}/forward/a/")).expect("a URI");
            let headers: HeaderMap = [(header::ORIGIN, HeaderValue::from_static(origin))].into_iter().collect();
            own.check(&uri, &headers)
        };
        assert_eq!(check("127.0.0.1:8601", "https://127.0.0.1:8600"), Ok(()));
        assert_eq!(check("localhost:443", "https://localhost"), Ok(()));
        for origin in ["http://127.0.0.1:8600", "https://127.0.0.1:8602", "httpshttps://127.0.0.1:8600", "://127.0.0.1:8600"] {
            assert_eq!(check("127.0.0.1:8601", origin), Err(Refused::Origin), "{origin}");
        }
    }

    #[test]
    fn names_that_anybody_can_have_are_refused() {
        for (host, origin) in [
            ("evil.example:8600", "http://evil.example:8600"),
            ("evil.example", "http://evil.example"),
            ("localhost.evil.example:8600", "http://localhost.evil.example:8600"),
            ("", "http://127.0.0.1:8600"),
            ("a@127.0.0.1:8600", "http://127.0.0.1:8600"),
        ] {
            assert_eq!(from(host, origin), Err(Refused::Host), "{host}");
        }
        assert_eq!(check(&[("origin", "http://127.0.0.1:8600")]), Err(Refused::Host));
        let two = [("host", "127.0.0.1:8600"), ("host", "evil.example"), ("origin", "http://127.0.0.1:8600")];
        assert_eq!(check(&two), Err(Refused::Host));
        let mut headers = HeaderMap::new();
        headers.insert("host", HeaderValue::from_static("127.0.0.1:8600"));
        headers.insert("origin", HeaderValue::from_static("http://127.0.0.1:8600"));
        let own = Own { scheme: "http", host: "127.0.0.1".into(), ports: [8600, 8601] };
        assert_eq!(own.check(&Uri::from_static("http://evil.example/forward/a/"), &headers), Err(Refused::Host));
        assert_eq!(own.check(&Uri::from_static("http://127.0.0.1:8600/forward/a/"), &headers), Ok(()));
    }
}
