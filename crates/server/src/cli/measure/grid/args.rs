//! Arguments of many browsers, and what follows from them before any is opened.

use std::net::{IpAddr, UdpSocket};
use std::time::Duration;

use firstlight_core::config::{check_url, origin};
use firstlight_server::Public;
use firstlight_server::webdriver::{Wanted, WebDriver};

use super::super::args::BrowserName;

/// Where browsers are opened, how many, and how they reach this server.
#[derive(clap::Args)]
#[group(id = "grid")]
pub(in crate::cli) struct Args {
    /// Measure in browsers of this WebDriver service, such as a Selenium Grid, instead of one of this machine (docs/grid.md)
    #[arg(long, value_name = "URL")]
    pub(in crate::cli::measure) webdriver: Option<String>,
    /// How many browsers measure at once; each sends --requests requests by --load
    #[arg(long, value_name = "N", default_value_t = 1, requires = "webdriver", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(super) browsers: u32,
    /// Pause between the starts of two browsers, in ms
    #[arg(long, value_name = "MS", default_value_t = 0, requires = "webdriver", value_parser = clap::value_parser!(u32).range(0..=600_000))]
    pub(super) stagger_ms: u32,
    /// Fewer browsers than this that give a run are a failure (exit code 5) [default: all]
    #[arg(long, value_name = "N", requires = "webdriver", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(super) min_browsers: Option<u32>,
    /// WebDriver capabilities: an object, or a list of objects that browsers get by turns [default: browserName of --browser]
    #[arg(long, value_name = "JSON", requires = "webdriver")]
    capabilities: Option<String>,
    /// The environment variable that holds USER:PASSWORD of the service
    #[arg(long, value_name = "VAR", requires = "webdriver")]
    pub(super) webdriver_auth_env: Option<String>,
    /// Where the page's server listens: 0.0.0.0 lets other machines in. With a port, the second origin has the next one
    /// [default: 127.0.0.1 and free ports]
    #[arg(long, value_name = "HOST[:PORT]", requires = "webdriver")]
    listen: Option<String>,
    /// The address by which the browsers reach that server [default: from --listen]
    #[arg(long, value_name = "http://HOST:PORT", requires = "webdriver")]
    public_url: Option<String>,
    /// How long a browser may take to be opened, in seconds: a grid lets it wait for a free place
    #[arg(long, value_name = "N", default_value_t = 300, requires = "webdriver", value_parser = clap::value_parser!(u64).range(1..))]
    session_timeout_s: u64,
    /// How long an open browser may take to fetch its job from the page's server, in seconds
    #[arg(long, value_name = "N", default_value_t = 60, requires = "webdriver", value_parser = clap::value_parser!(u64).range(1..))]
    fetch_timeout_s: u64,
}

/// What follows from the arguments.
pub(super) struct Plan {
    pub(super) driver: WebDriver,
    pub(super) wanted: Wanted,
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) second_port: u16,
    pub(super) public: Public,
    pub(super) session_limit: Duration,
    pub(super) fetch_limit: Duration,
}

impl Args {
    /// Checks all of it; every problem is told. Nothing is asked of the service yet.
    pub(super) fn plan(&self, browser: BrowserName, https: bool) -> Result<Plan, Vec<String>> {
        let mut problems = Vec::new();
        let mut keep = |result: Result<(), String>| problems.extend(result.err());
        let key = self.key();
        keep(key.as_ref().map(|_| ()).map_err(Clone::clone));
        let address = self.webdriver.as_deref().unwrap_or_default();
        let driver = WebDriver::at(address, key.ok().flatten().as_deref()).map_err(|e| e.to_string());
        keep(driver.as_ref().map(|_| ()).map_err(Clone::clone));
        let wanted = match &self.capabilities {
            None => Ok(Wanted::named(browser.webdriver())),
            Some(text) => Wanted::parse(text).map_err(|e| format!("--capabilities: {e}")),
        };
        keep(wanted.as_ref().map(|_| ()).map_err(Clone::clone));
        let listen = self.listen();
        keep(listen.as_ref().map(|_| ()).map_err(Clone::clone));
        if self.min_browsers.is_some_and(|least| least > self.browsers) {
            keep(Err(format!("--min-browsers: more than the {} of --browsers", self.browsers)));
        }
        let public = match (&driver, &listen) {
            (Ok(driver), Ok((host, ..))) => self.public(driver, host, https),
            _ => Ok(Public::Here),
        };
        keep(public.as_ref().map(|_| ()).map_err(Clone::clone));
        match (driver, wanted, listen, public) {
            (Ok(driver), Ok(wanted), Ok((host, port, second_port)), Ok(public)) if problems.is_empty() => Ok(Plan {
                driver,
                wanted,
                host,
                port,
                second_port,
                public,
                session_limit: Duration::from_secs(self.session_timeout_s),
                fetch_limit: Duration::from_secs(self.fetch_timeout_s),
            }),
            _ => Err(problems),
        }
    }

    /// The key itself is never part of a message.
    fn key(&self) -> Result<Option<String>, String> {
        let Some(name) = &self.webdriver_auth_env else { return Ok(None) };
        match std::env::var(name) {
            Ok(key) if key.contains(':') => Ok(Some(key.trim().to_owned())),
            Ok(_) => Err(format!("--webdriver-auth-env {name}: it should hold USER:PASSWORD")),
            Err(_) => {
                Err(format!("--webdriver-auth-env {name}: there is no such environment variable; give its name, not the key"))
            }
        }
    }

    /// Host, port, and the second origin's port.
    fn listen(&self) -> Result<(String, u16, u16), String> {
        let Some(text) = &self.listen else { return Ok(("127.0.0.1".to_owned(), 0, 0)) };
        let wrong = || format!("--listen {text}: write HOST or HOST:PORT, such as 0.0.0.0 or 0.0.0.0:8600");
        let (host, port) = match text.rsplit_once(':').filter(|(host, _)| !host.contains(':') || host.ends_with(']')) {
            Some((host, port)) => (host, port.parse::<u16>().map_err(|_| wrong())?),
            None => (text.as_str(), 0),
        };
        let second = if port == 0 { 0 } else { port.checked_add(1).ok_or_else(wrong)? };
        if host.is_empty() { Err(wrong()) } else { Ok((host.to_owned(), port, second)) }
    }

    /// What the browsers are told to open.
    fn public(&self, driver: &WebDriver, host: &str, https: bool) -> Result<Public, String> {
        if let Some(text) = &self.public_url {
            return public_origin(text, https).map(Public::Origin);
        }
        let bare = host.trim_matches(['[', ']']);
        let listens = bare.parse::<IpAddr>().ok();
        let only_here = listens.map_or(bare == "localhost", |ip| ip.is_loopback());
        let service_here = is_here(driver.host());
        match (only_here, service_here) {
            (true, false) => Err(format!(
                "the browsers of {} are on another machine, and this server listens on {host}, which no other machine reaches: \
                 add --listen 0.0.0.0, or --public-url with an address that leads here",
                driver.address()
            )),
            // The port is known once it listens.
            (false, false) if listens.is_some_and(|ip| ip.is_unspecified()) => Ok(match own_address(driver) {
                Some(IpAddr::V4(ip)) => Public::Host(ip.to_string()),
                Some(IpAddr::V6(ip)) => Public::Host(format!("[{ip}]")),
                None => Public::Here,
            }),
            _ => Ok(Public::Here),
        }
    }
}

/// The service is on this machine, as far as its name tells.
fn is_here(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// The address by which this machine goes to the service. Nothing is sent for that.
fn own_address(driver: &WebDriver) -> Option<IpAddr> {
    let any = if driver.host().contains(':') { "[::]:0" } else { "0.0.0.0:0" };
    let socket = UdpSocket::bind(any).ok()?;
    socket.connect((driver.host(), 9)).ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|ip| !ip.is_unspecified())
}

fn public_origin(text: &str, https: bool) -> Result<String, String> {
    let wrong = |what: &str| format!("--public-url {text}: {what}");
    check_url(text, "").map_err(|_| wrong("write the address of the page's server, such as http://bench.example:8600"))?;
    let origin = origin(text).unwrap_or_default().to_owned();
    if text.trim().trim_end_matches('/') != origin {
        return Err(wrong("leave out everything behind the port"));
    }
    match (origin.starts_with("https:"), https) {
        (true, false) => Err(wrong("add --https, or write http: the page's server speaks http")),
        (false, true) => Err(wrong("write https: with --https the page's server speaks nothing else")),
        _ => Ok(origin),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        grid: Args,
    }

    fn plan(line: &str) -> Result<Plan, String> {
        let words = ["x"].into_iter().chain(line.split_whitespace());
        Line::parse_from(words).grid.plan(BrowserName::Chromium, false).map_err(|problems| problems.join("\n"))
    }

    fn refused(line: &str) -> String {
        plan(line).err().unwrap_or_default()
    }

    #[test]
    fn a_service_of_this_machine_needs_nothing_else() {
        let plan = plan("--webdriver http://127.0.0.1:4444").unwrap_or_else(|e| panic!("{e}"));
        assert_eq!((plan.host.as_str(), plan.port, plan.public), ("127.0.0.1", 0, Public::Here));
        assert_eq!(plan.wanted, Wanted::named("chrome"));
    }

    #[test]
    fn a_service_of_another_machine_must_reach_this_one() {
        let said = refused("--webdriver http://192.0.2.1:4444");
        assert!(said.contains("--listen 0.0.0.0") && said.contains("--public-url"), "{said}");
        let of = "--webdriver http://192.0.2.1:4444 --listen 0.0.0.0:8600 --public-url http://bench.example:8600/";
        let plan = plan(of).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!((plan.host.as_str(), plan.port, plan.second_port), ("0.0.0.0", 8600, 8601));
        assert_eq!(plan.public, Public::Origin("http://bench.example:8600".to_owned()));
    }

    #[test]
    fn every_problem_is_told_at_once() {
        let said = refused(
            "--webdriver grid:4444 --capabilities [1] --listen :x --browsers 2 --min-browsers 3 --webdriver-auth-env FIRSTLIGHT_UNSET",
        );
        for part in ["such as http://grid.example:4444", "--capabilities", "--listen", "--min-browsers", "FIRSTLIGHT_UNSET"] {
            assert!(said.contains(part), "{part}: {said}");
        }
        let public = |url: &str| refused(&format!("--webdriver http://127.0.0.1:4444 --public-url {url}"));
        assert!(public("https://bench.example").contains("add --https"));
        assert!(public("http://bench.example/page").contains("behind the port"));
        assert!(public("bench.example").contains("such as http://bench"));
    }
}
