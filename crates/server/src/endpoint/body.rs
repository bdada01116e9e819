//! A schedule as a body: each piece at its time.

use std::vec::IntoIter;

use axum::body::Body;
use bytes::Bytes;
use firstlight_engine::{Ending, Piece, Schedule};
use tokio::sync::watch;

use super::record::Recording;
use crate::clock::Clock;
use crate::truth::Item;

/// Why a body ends without its end: hyper then closes the connection and leaves the final chunk out.
#[derive(Debug, thiserror::Error)]
#[error("the body is cut")]
struct Cut;

/// What is left to send.
struct Sending {
    pieces: IntoIter<Piece>,
    ending: Ending,
    endless_sent: u64,
    received_us: u64,
    /// The length was announced, so that nothing is written after the last piece.
    announced: bool,
    clock: Clock,
    recording: Recording,
    stop: watch::Receiver<bool>,
}

/// The body of a schedule, and its length where that is known.
pub(super) fn of(
    schedule: Schedule,
    received_us: u64,
    clock: Clock,
    recording: Recording,
    stop: watch::Receiver<bool>,
) -> (Body, Option<usize>) {
    let announced = !schedule.streamed && schedule.ending == Ending::Clean;
    let length = announced.then(|| schedule.pieces.iter().map(|p| p.bytes.len()).sum());
    let (pieces, ending) = (schedule.pieces.into_iter(), schedule.ending);
    let sending = Sending { pieces, ending, endless_sent: 0, received_us, announced, clock, recording, stop };
    let stream = futures_util::stream::unfold(Some(sending), |sending| async { sending?.next().await });
    (Body::from_stream(stream), length)
}

impl Sending {
    async fn next(mut self) -> Option<(Result<Bytes, Cut>, Option<Sending>)> {
        let piece = match (self.pieces.next(), &self.ending) {
            (None, Ending::Endless(endless)) => {
                self.endless_sent += 1;
                Some(endless.piece(self.endless_sent - 1))
            }
            (piece, _) => piece,
        };
        let Some(piece) = piece else { return self.end().await };
        if self.wait(piece.at_us).await.is_err() {
            return Some((Err(Cut), None));
        }
        self.recording.next(Item::Piece(piece.kind, piece.bytes.len()));
        if self.announced && self.pieces.as_slice().is_empty() {
            self.recording.next(Item::End);
        }
        Some((Ok(Bytes::from(piece.bytes)), Some(self)))
    }

    async fn end(mut self) -> Option<(Result<Bytes, Cut>, Option<Sending>)> {
        match self.ending {
            Ending::Clean | Ending::Endless(_) => {
                self.recording.next(Item::End);
                None
            }
            Ending::Reset(at_us) => {
                let _stopped = self.wait(at_us).await;
                Some((Err(Cut), None))
            }
            Ending::Open => {
                let _stopped = self.stop.wait_for(|stop| *stop).await;
                Some((Err(Cut), None))
            }
        }
    }

    /// Waits until a time of the schedule; an error if the server stops first.
    async fn wait(&mut self, at_us: u64) -> Result<(), Cut> {
        tokio::select! {
            () = self.clock.wait_until(self.received_us + at_us) => Ok(()),
            _ = self.stop.wait_for(|stop| *stop) => Err(Cut),
        }
    }
}
