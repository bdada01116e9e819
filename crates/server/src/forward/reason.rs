//! Why an upstream gave no answer, from whatever the layers below say.

use std::error::Error;
use std::io;
use std::time::Duration;

use hyper_util::client::legacy;

use super::client::{NoAddress, TooLong};

/// Why there is no answer, and what to look at.
#[derive(Debug, PartialEq, thiserror::Error)]
pub(crate) enum Reason {
    #[error("its name has no address (DNS): check its host")]
    NoAddress,
    #[error("the connection was refused: nothing listens there, or a firewall is in the way")]
    Refused,
    #[error("no connection was made within {} s: check host, port and firewall", .0.as_secs_f64())]
    TooLong(Duration),
    #[error("no encrypted connection (TLS): {0}. Check the certificate, and whether the port speaks https")]
    Tls(String),
    #[error("no connection: {0}")]
    NoConnection(String),
    #[error("it closed the connection before it sent the headers of an answer")]
    Closed,
    #[error("what it answered is not HTTP: {0}. Check whether the port speaks http or https")]
    NotHttp(String),
    #[error("{0}")]
    Other(String),
}

impl Reason {
    pub(crate) fn of(error: &legacy::Error) -> Reason {
        let chain = chain(error);
        let last = || chain.last().map_or_else(|| error.to_string(), ToString::to_string);
        if let Some(TooLong(limit)) = find(&chain) {
            return Reason::TooLong(*limit);
        }
        if find::<NoAddress>(&chain).is_some() {
            return Reason::NoAddress;
        }
        if let Some(error) = find::<rustls::Error>(&chain) {
            return Reason::Tls(error.to_string());
        }
        // The innermost: the ones around it say only that there was another.
        let kind = chain.iter().rev().find_map(|error| error.downcast_ref::<io::Error>()).map(io::Error::kind);
        let cut = [
            io::ErrorKind::ConnectionReset,
            io::ErrorKind::ConnectionAborted,
            io::ErrorKind::BrokenPipe,
            io::ErrorKind::UnexpectedEof,
        ];
        let cut = kind.is_some_and(|kind| cut.contains(&kind));
        if error.is_connect() {
            return match kind {
                Some(io::ErrorKind::ConnectionRefused) => Reason::Refused,
                // A connection that can be cut was there: only a handshake is left that it can be cut in.
                _ if cut => Reason::Tls("the connection was closed in the handshake".to_owned()),
                _ => Reason::NoConnection(last()),
            };
        }
        match find::<hyper::Error>(&chain) {
            Some(error) if error.is_parse() => Reason::NotHttp(error.to_string()),
            Some(error) if error.is_incomplete_message() || error.is_closed() || error.is_canceled() => Reason::Closed,
            _ if cut => Reason::Closed,
            _ => Reason::Other(last()),
        }
    }
}

fn find<'a, E: Error + 'static>(chain: &[&'a (dyn Error + 'static)]) -> Option<&'a E> {
    chain.iter().find_map(|error| error.downcast_ref())
}

/// An error and all that it came of. An IO error hides what it wraps from `source`, and so it is asked itself.
fn chain<'a>(error: &'a (dyn Error + 'static)) -> Vec<&'a (dyn Error + 'static)> {
    let next = |error: &&'a (dyn Error + 'static)| {
        let error: &'a (dyn Error + 'static) = *error;
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        wrapped.map(|inner| inner as &(dyn Error + 'static)).or_else(|| error.source())
    };
    std::iter::successors(Some(error), next).collect()
}
