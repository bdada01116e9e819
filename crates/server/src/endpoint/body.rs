//! A schedule as a body: each piece at its time.

use std::vec::IntoIter;

use axum::body::Body;
use bytes::Bytes;
use firstlight_engine::{Ending, Format, Kind, Piece, Schedule};
use tokio::sync::watch;

use super::aligned::{self, Stamping};
use super::live::{Due, Live};
use super::packed::Packing;
use super::record::Recording;
use crate::clock::Clock;
use crate::truth::Item;

/// Why a body ends without its end: hyper then closes the connection and leaves the final chunk out.
#[derive(Debug, thiserror::Error)]
#[error("the body is cut")]
struct Cut;

/// A connection is cut no sooner than this after a modelled server's last piece was handed to it.
const RESET_AFTER_US: u64 = 5_000;

/// What a body begins with.
pub(super) struct Start {
    pub(super) received_us: u64,
    /// Between the making of a piece and its write.
    pub(super) return_us: u64,
    pub(super) clock: Clock,
    /// Stage times, where they are asked for.
    pub(super) stamping: Option<Stamping>,
}

/// What is left to send.
struct Sending {
    pieces: IntoIter<Piece>,
    /// How many pieces went, comments of a modelled server left out.
    gone: usize,
    /// Says the times, where a modelled server does.
    live: Option<Live>,
    ending: Ending,
    endless_sent: u64,
    start: Start,
    /// So many pieces come behind the stage times of a stream; none if there are no such times, or they were sent.
    behind: Option<usize>,
    format: Format,
    /// The compressor, where there is one.
    packing: Option<Packing>,
    /// The length was announced, so that nothing is written after the last piece.
    announced: bool,
    recording: Recording,
    stop: watch::Receiver<bool>,
}

/// The body of a schedule, and its length where that is known. If a modelled server says the times, the schedule's are unknown ones.
pub(super) fn of(
    schedule: Schedule,
    start: Start,
    live: Option<Live>,
    recording: Recording,
    stop: watch::Receiver<bool>,
) -> (Body, Option<usize>) {
    let packing = schedule.encoding.map(Packing::new);
    let announced = !schedule.streamed && schedule.ending == Ending::Clean && packing.is_none();
    let length = announced.then(|| schedule.pieces.iter().map(|p| p.bytes.len()).sum());
    // A stream of plain text has no place for them but its header.
    let stamps = start.stamping.is_some() && schedule.streamed && schedule.format != Format::Text;
    let behind = if stamps { aligned::behind(&schedule.pieces) } else { None };
    let format = schedule.format;
    let (pieces, ending) = (schedule.pieces.into_iter(), schedule.ending);
    let sending =
        Sending { pieces, gone: 0, live, ending, endless_sent: 0, start, behind, format, packing, announced, recording, stop };
    let stream = futures_util::stream::unfold(Some(sending), |sending| async { sending?.next().await });
    (Body::from_stream(stream), length)
}

impl Sending {
    async fn next(mut self) -> Option<(Result<Bytes, Cut>, Option<Sending>)> {
        loop {
            let (kind, bytes) = match self.piece().await {
                Ok(Some(piece)) => piece,
                Ok(None) if self.packing.is_some() => {
                    let Some(Ok(bytes)) = self.rest() else { return Some((Err(Cut), None)) };
                    return Some((Ok(Bytes::from(bytes)), Some(self)));
                }
                Ok(None) => return self.end().await,
                Err(cut) => return Some((Err(cut), None)),
            };
            let bytes = match &mut self.packing {
                None => {
                    self.recording.next(Item::Piece(kind, bytes.len()));
                    bytes
                }
                Some(packing) => {
                    let Ok((bytes, whole)) = packing.take(kind, &bytes) else { return Some((Err(Cut), None)) };
                    self.announce(whole);
                    bytes
                }
            };
            // Nothing comes out of a compressor that keeps it.
            if !bytes.is_empty() {
                if self.announced && self.pieces.as_slice().is_empty() {
                    self.recording.next(Item::End);
                }
                return Some((Ok(Bytes::from(bytes)), Some(self)));
            }
        }
    }

    /// The next piece, when it is due; none if there are no more.
    async fn piece(&mut self) -> Result<Option<(Kind, Vec<u8>)>, Cut> {
        // Before stage times are put in: where they go is known for good only with the last times.
        let mut due_us = None;
        if let (Some(at_us), true) = (self.next_at(), self.live.is_some()) {
            match self.due(at_us).await? {
                Due::At(at_us) => due_us = Some(at_us),
                Due::Comment(at_us, bytes) => {
                    self.wait(at_us).await?;
                    return Ok(Some((Kind::KeepAlive, bytes)));
                }
                Due::Known(schedule) => self.known(*schedule),
            }
        }
        if self.behind.is_some_and(|behind| behind == self.pieces.len()) {
            self.behind = None;
            if let Some(stamping) = &self.start.stamping {
                return Ok(Some((Kind::Closing, stamping.event(self.format))));
            }
        }
        let piece = match (self.pieces.next(), &self.ending) {
            (None, Ending::Endless(endless)) => {
                self.endless_sent += 1;
                Some(endless.piece(self.endless_sent - 1))
            }
            (piece, _) => piece,
        };
        let Some(piece) = piece else { return Ok(None) };
        self.gone += 1;
        self.wait(due_us.unwrap_or(piece.at_us)).await?;
        if let Some(stamping) = &mut self.start.stamping {
            stamping.writes(piece.kind, self.start.clock.now_us());
        }
        Ok(Some((piece.kind, piece.bytes)))
    }

    /// All that the compressor still holds.
    fn rest(&mut self) -> Option<std::io::Result<Vec<u8>>> {
        let ended = self.packing.take()?.end();
        Some(ended.map(|(bytes, whole)| {
            self.announce(whole);
            bytes
        }))
    }

    fn announce(&mut self, whole: Vec<(Kind, usize)>) {
        whole.into_iter().for_each(|(kind, length)| self.recording.next(Item::Piece(kind, length)));
    }

    async fn end(mut self) -> Option<(Result<Bytes, Cut>, Option<Sending>)> {
        match self.ending {
            Ending::Clean | Ending::Endless(_) => {
                self.recording.next(Item::End);
                None
            }
            Ending::Reset(at_us) => {
                let at_us = match (self.live.is_some(), self.due(at_us).await) {
                    (false, _) => at_us,
                    // Nothing more comes, or it comes now: not before the last piece is on its way.
                    (true, due) => {
                        let now_us = self.start.clock.now_us() - self.start.received_us;
                        let earliest_us = now_us.saturating_sub(self.start.return_us) + RESET_AFTER_US;
                        if let Ok(Due::At(at_us)) = due { at_us.max(earliest_us) } else { earliest_us }
                    }
                };
                let _stopped = self.wait(at_us).await;
                Some((Err(Cut), None))
            }
            Ending::Open => {
                let _stopped = self.stop.wait_for(|stop| *stop).await;
                Some((Err(Cut), None))
            }
        }
    }

    /// When the next piece is due; none if there is no other.
    fn next_at(&self) -> Option<u64> {
        match (self.pieces.as_slice().first(), &self.ending) {
            (None, Ending::Endless(endless)) => Some(endless.piece(self.endless_sent).at_us),
            (first, _) => first.map(|piece| piece.at_us),
        }
    }

    /// When a time of the schedule really is; an error if the server stops first.
    async fn due(&mut self, at_us: u64) -> Result<Due, Cut> {
        let Some(live) = &mut self.live else { return Ok(Due::At(at_us)) };
        tokio::select! {
            due = live.due(at_us, self.start.clock) => due.ok_or(Cut),
            _ = self.stop.wait_for(|stop| *stop) => Err(Cut),
        }
    }

    /// Every time is known: what did not go yet goes at these.
    fn known(&mut self, schedule: Schedule) {
        self.behind = self.behind.and_then(|_| aligned::behind(&schedule.pieces));
        self.ending = schedule.ending;
        self.pieces = schedule.pieces.into_iter();
        self.pieces.by_ref().take(self.gone).for_each(drop);
        // The place in the modelled server was given up with the last step.
        self.live = None;
    }

    /// Waits until a time of the schedule; an error if the server stops first.
    async fn wait(&mut self, at_us: u64) -> Result<(), Cut> {
        tokio::select! {
            () = self.start.clock.wait_until(self.start.received_us + self.start.return_us + at_us) => Ok(()),
            _ = self.stop.wait_for(|stop| *stop) => Err(Cut),
        }
    }
}
