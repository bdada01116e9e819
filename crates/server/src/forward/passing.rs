//! Bodies on their way through, piece by piece: nothing is gathered, and neither end outlives the other.

use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Instant;

use axum::body::{Body, BodyDataStream, HttpBody};
use bytes::Bytes;
use futures_util::StreamExt as _;
use http_body::{Frame, SizeHint};
use hyper::body::Incoming;
use tokio::sync::watch;

/// A request's body, which notes when its request begins to be sent.
pub(super) struct Sending {
    body: Body,
    begun: Arc<OnceLock<Instant>>,
}

impl Sending {
    pub(super) fn new(body: Body) -> (Sending, Arc<OnceLock<Instant>>) {
        let begun = Arc::new(OnceLock::new());
        (Sending { body, begun: Arc::clone(&begun) }, begun)
    }
}

impl HttpBody for Sending {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    /// A connection asks this first, just before it writes the head of the request: whether there will be more.
    fn is_end_stream(&self) -> bool {
        self.begun.get_or_init(Instant::now);
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Why a reply ends without its end: hyper then closes the connection, so that the browser sees it too.
#[derive(Debug, thiserror::Error)]
#[error("the upstream's reply was cut")]
struct Cut;

/// An upstream's body. It is cut when the upstream's is, or when the server stops.
pub(super) fn receiving(body: Incoming, stop: watch::Receiver<bool>) -> Body {
    if body.is_end_stream() {
        return Body::empty();
    }
    let open = Some((Body::new(body).into_data_stream(), stop));
    Body::from_stream(futures_util::stream::unfold(open, |open| async { next(open?).await }))
}

type Open = (BodyDataStream, watch::Receiver<bool>);

async fn next((mut body, mut stop): Open) -> Option<(Result<Bytes, Cut>, Option<Open>)> {
    let piece = tokio::select! {
        piece = body.next() => piece?,
        _ = stop.wait_for(|stop| *stop) => return Some((Err(Cut), None)),
    };
    if let Ok(piece) = piece {
        return Some((Ok(piece), Some((body, stop))));
    }
    // hyper drops what it has not written when a body fails, and writes when a body has nothing yet: so that the browser gets
    // what came before the cut, be it the headers alone, the failure comes a turn later.
    tokio::task::yield_now().await;
    Some((Err(Cut), None))
}
