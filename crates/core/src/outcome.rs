//! How a request ended: exactly one outcome, the first that applies in a fixed order.

/// The end of a request. The order of the variants is the order of precedence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The machine slept during the request.
    Slept,
    /// The engine froze the page during the request.
    Frozen,
    /// The engine killed the request because the page was in the background.
    Backgrounded,
    /// The user cancelled it.
    Cancelled,
    /// The run ended first.
    Cut,
    /// No end within the limit, measured from `sent`.
    Timeout,
    /// An HTTP status that is not a success.
    HttpError {
        /// The status code.
        status: u16,
    },
    /// Refused, CORS, DNS, blocked, offline or reset: the browser can't tell.
    NetworkError,
    /// An error inside a stream that began with a success status.
    StreamError,
    /// Streaming was asked for, one whole body was given.
    NotAStream,
    /// The body ended without the protocol's end or a finish reason.
    Truncated,
    /// Ended well, with nothing that a user would see.
    NoAnswer,
    /// Ended well.
    Complete,
}

impl Outcome {
    /// The stable name used in run files.
    pub fn code(&self) -> &'static str {
        match self {
            Outcome::Slept => "slept",
            Outcome::Frozen => "frozen",
            Outcome::Backgrounded => "backgrounded",
            Outcome::Cancelled => "cancelled",
            Outcome::Cut => "cut",
            Outcome::Timeout => "timeout",
            Outcome::HttpError { .. } => "http_error",
            Outcome::NetworkError => "network_error",
            Outcome::StreamError => "stream_error",
            Outcome::NotAStream => "not_a_stream",
            Outcome::Truncated => "truncated",
            Outcome::NoAnswer => "no_answer",
            Outcome::Complete => "complete",
        }
    }

    /// The outcome of a stable name; `status` is used by `http_error` only.
    pub fn from_code(code: &str, status: u16) -> Option<Outcome> {
        [
            Outcome::Slept,
            Outcome::Frozen,
            Outcome::Backgrounded,
            Outcome::Cancelled,
            Outcome::Cut,
            Outcome::Timeout,
            Outcome::HttpError { status },
            Outcome::NetworkError,
            Outcome::StreamError,
            Outcome::NotAStream,
            Outcome::Truncated,
            Outcome::NoAnswer,
            Outcome::Complete,
        ]
        .into_iter()
        .find(|o| o.code() == code)
    }

    /// The request's latencies enter the distributions; those of other ends are counted beside them.
    ///
    /// A truncated reply stays outside like a network error: it is what one engine makes of the same cut connection.
    pub fn enters_distributions(&self) -> bool {
        !matches!(
            self,
            Outcome::Slept
                | Outcome::Frozen
                | Outcome::Backgrounded
                | Outcome::HttpError { .. }
                | Outcome::NetworkError
                | Outcome::StreamError
                | Outcome::Truncated
                | Outcome::Cancelled
        )
    }

    /// The reply came to its own end, so that its last payload is known to be the last.
    pub fn ended(&self) -> bool {
        matches!(self, Outcome::NotAStream | Outcome::NoAnswer | Outcome::Complete)
    }

    /// A mark that is missing at this end may still have come later: the request is censored at its elapsed time.
    pub fn censors(&self) -> bool {
        matches!(self, Outcome::Timeout | Outcome::Cut)
    }

    /// The server or the network failed, as far as a user is concerned.
    pub fn is_failure(&self) -> bool {
        matches!(
            self,
            Outcome::Timeout
                | Outcome::HttpError { .. }
                | Outcome::NetworkError
                | Outcome::StreamError
                | Outcome::NotAStream
                | Outcome::Truncated
                | Outcome::NoAnswer
        )
    }
}

/// How the reading of a reply stopped, as seen by the runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The body ended, or the protocol's end was read.
    Ended,
    /// `fetch()` or a read rejected.
    Failed,
    /// The runner's limit ran out.
    TimedOut,
    /// The user stopped the run while the request was under way.
    Cancelled,
    /// The run ended first.
    Cut,
    /// The browser froze the page while the request was under way.
    Frozen,
    /// The machine slept while the request was under way.
    Slept,
}

/// Everything the outcome is decided from.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// How reading stopped.
    pub stop: Stop,
    /// The status, once headers came.
    pub status: Option<u16>,
    /// The page was hidden when reading stopped.
    pub hidden: bool,
    /// Streaming was asked for.
    pub stream_asked: bool,
    /// The reply is a stream.
    pub streamed: bool,
    /// An error object came in the body.
    pub error_in_body: bool,
    /// The protocol's own end was seen.
    pub terminal: bool,
    /// A finish reason was seen.
    pub finish_reason: bool,
    /// The format tells its end, by a marker or by a finish reason.
    pub tells_end: bool,
    /// The body was whole, for formats that can tell (JSON).
    pub whole: bool,
    /// Something that a user would see came.
    pub answer: bool,
}

/// The first outcome that applies.
pub fn decide(f: Facts) -> Outcome {
    match f.stop {
        Stop::Slept => return Outcome::Slept,
        Stop::Frozen => return Outcome::Frozen,
        Stop::Failed if f.hidden && !f.terminal => return Outcome::Backgrounded,
        Stop::Cancelled => return Outcome::Cancelled,
        Stop::Cut => return Outcome::Cut,
        Stop::TimedOut => return Outcome::Timeout,
        Stop::Ended | Stop::Failed => {}
    }
    match f.status {
        Some(status) if !(200..300).contains(&status) => return Outcome::HttpError { status },
        None => return Outcome::NetworkError,
        Some(_) => {}
    }
    if f.stop == Stop::Failed && !f.terminal {
        return Outcome::NetworkError;
    }
    if f.error_in_body {
        return Outcome::StreamError;
    }
    if f.stream_asked && !f.streamed {
        return Outcome::NotAStream;
    }
    let ended_well = f.terminal || f.finish_reason || (!f.tells_end && f.whole);
    if !ended_well {
        return Outcome::Truncated;
    }
    if f.answer { Outcome::Complete } else { Outcome::NoAnswer }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good() -> Facts {
        Facts {
            stop: Stop::Ended,
            status: Some(200),
            hidden: false,
            stream_asked: true,
            streamed: true,
            error_in_body: false,
            terminal: true,
            finish_reason: true,
            tells_end: true,
            whole: true,
            answer: true,
        }
    }

    #[test]
    fn the_first_outcome_that_applies_wins() {
        let check = |f: Facts, want: Outcome| assert_eq!(decide(f), want, "{f:?}");
        check(good(), Outcome::Complete);
        check(Facts { terminal: false, ..good() }, Outcome::Complete);
        check(Facts { terminal: false, finish_reason: false, ..good() }, Outcome::Truncated);
        check(Facts { terminal: false, finish_reason: false, tells_end: false, ..good() }, Outcome::Complete);
        check(Facts { answer: false, ..good() }, Outcome::NoAnswer);
        check(Facts { streamed: false, error_in_body: true, ..good() }, Outcome::StreamError);
        check(Facts { streamed: false, ..good() }, Outcome::NotAStream);
        check(Facts { stop: Stop::Failed, terminal: false, ..good() }, Outcome::NetworkError);
        check(Facts { stop: Stop::Failed, ..good() }, Outcome::Complete);
        check(Facts { status: Some(429), error_in_body: true, ..good() }, Outcome::HttpError { status: 429 });
        check(Facts { stop: Stop::TimedOut, status: Some(500), ..good() }, Outcome::Timeout);
        check(Facts { stop: Stop::Cancelled, status: None, ..good() }, Outcome::Cancelled);
        check(Facts { status: None, stop: Stop::Failed, ..good() }, Outcome::NetworkError);
        check(Facts { status: None, stop: Stop::Failed, hidden: true, terminal: false, ..good() }, Outcome::Backgrounded);
        check(Facts { hidden: true, ..good() }, Outcome::Complete);
        check(Facts { stop: Stop::Frozen, ..good() }, Outcome::Frozen);
        check(Facts { stop: Stop::Slept, ..good() }, Outcome::Slept);
    }
}
