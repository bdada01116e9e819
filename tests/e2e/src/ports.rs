//! Ports for programs that must be told one. From below those that the system hands out by itself, so that between the choice and
//! the program's start no listener and no connection of another test can come by them. A driver that is asked for port 0 takes one
//! of IPv6 that is free and then wants the same number of IPv4, which may be in use.

use std::net::{Ipv4Addr, Ipv6Addr, TcpListener};
use std::sync::atomic::{AtomicU16, Ordering};

use anyhow::{Context, Result};

const FIRST: u16 = 12_000;
const COUNT: u16 = 20_000;

/// A port that nothing listens on, and that nobody else in this process is given.
pub fn free_port() -> Result<u16> {
    static GIVEN: AtomicU16 = AtomicU16::new(0);
    // Programs that run side by side begin at different places.
    let begin = u16::try_from(std::process::id() % u32::from(COUNT))?;
    let free = |port: &u16| {
        let four = TcpListener::bind((Ipv4Addr::LOCALHOST, *port));
        let six = TcpListener::bind((Ipv6Addr::LOCALHOST, *port));
        // A machine may be without IPv6.
        four.is_ok() && !six.is_err_and(|error| error.kind() == std::io::ErrorKind::AddrInUse)
    };
    let mut ports = (0..COUNT).map(|_| FIRST + (begin + GIVEN.fetch_add(1, Ordering::Relaxed) % COUNT) % COUNT);
    ports.find(free).context("no port is free")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_is_given_twice_and_none_that_is_taken() {
        let first = free_port().expect("a port");
        // If this fails, somebody else has it, which is as good.
        let _taken = TcpListener::bind((Ipv4Addr::LOCALHOST, first + 1));
        let next = free_port().expect("a port");
        assert!(next != first && next != first + 1, "{first} {next}");
        assert!((FIRST..FIRST + COUNT).contains(&next));
    }
}
