//! A reply whose times a modelled server says while it goes on.

use firstlight_engine::model::{Emission, What};
use firstlight_engine::{Ask, Plan, Schedule, Timeline};

use super::instance::Seat;
use crate::clock::Clock;

/// What is known of a reply's times so far, and who tells the rest.
pub(super) struct Live {
    seat: Seat,
    plan: Plan,
    ask: Ask,
    received_us: u64,
    timeline: Timeline,
    /// Steps that the reply comes in.
    steps: usize,
    ended: bool,
    comment: Option<Comment>,
    /// The last piece was due then.
    last_us: u64,
}

/// A comment that is sent while nothing else comes.
struct Comment {
    every_us: u64,
    bytes: Vec<u8>,
    next_us: u64,
}

/// What is to be done about a piece.
pub(super) enum Due {
    /// It is due then, in µs since the request was received.
    At(u64),
    /// Nothing has come for so long that this goes first, at that time.
    Comment(u64, Vec<u8>),
    /// Everything is known: the whole reply as it is at its real times.
    Known(Box<Schedule>),
}

impl Live {
    pub(super) fn new(seat: Seat, plan: Plan, ask: Ask, received_us: u64, steps: usize) -> Live {
        let timeline = Timeline::default();
        Live { seat, plan, ask, received_us, timeline, steps, ended: false, comment: None, last_us: 0 }
    }

    /// Waits for its place in a batch; gives when it got it, on the server's clock. None if that never comes.
    pub(super) async fn starts(&mut self) -> Option<u64> {
        loop {
            let emission = self.hear().await?;
            if matches!(emission.what, What::Starts { .. }) {
                self.comment = self.plan.comment(&self.ask).map(|(every_us, bytes)| {
                    let next_us = self.timeline.queue_us + every_us;
                    Comment { every_us, bytes, next_us }
                });
                return Some(emission.at_us);
            }
        }
    }

    /// Waits until all is over; gives the reply.
    pub(super) async fn whole(&mut self) -> Option<Schedule> {
        while !self.ended {
            self.hear().await?;
        }
        // It could be made with unknown times, so it can with these.
        self.plan.schedule_timed(&self.ask, &self.timeline).ok()
    }

    /// Waits until it is known when something of an unknown timeline is due, or something else is to be done before.
    pub(super) async fn due(&mut self, unknown_us: u64, clock: Clock) -> Option<Due> {
        let place = Timeline::place(unknown_us);
        if place.steps >= self.steps.max(1) {
            while !self.ended {
                if let Some((at_us, comment)) = self.hear_or_comment(clock).await? {
                    return Some(Due::Comment(at_us, comment));
                }
            }
            return Some(Due::Known(Box::new(self.whole().await?)));
        }
        while self.timeline.steps.len() < place.steps {
            if let Some((at_us, comment)) = self.hear_or_comment(clock).await? {
                return Some(Due::Comment(at_us, comment));
            }
        }
        let since_us = match place.steps {
            0 => self.timeline.queue_us,
            n => self.timeline.steps.get(n - 1)?.0,
        };
        // What is cut stays cut, also where the next step is sooner than the last was written.
        self.last_us = (since_us + place.after_us).max(self.last_us + self.plan.apart_us());
        Some(Due::At(self.last_us))
    }

    async fn hear(&mut self) -> Option<Emission> {
        let emission = self.seat.next().await?;
        self.timeline.note(emission, self.received_us);
        self.ended |= emission.what == What::Ends;
        Some(emission)
    }

    /// Whichever comes first.
    async fn hear_or_comment(&mut self, clock: Clock) -> Option<Option<(u64, Vec<u8>)>> {
        let comment = self.comment.as_mut().filter(|_| self.timeline.steps.is_empty());
        let Some(comment) = comment else { return self.hear().await.map(|_| None) };
        let at_us = comment.next_us;
        tokio::select! {
            biased;
            emission = self.seat.next() => {
                let emission = emission?;
                self.timeline.note(emission, self.received_us);
                self.ended |= emission.what == What::Ends;
                Some(None)
            }
            () = clock.wait_until(self.received_us + at_us) => {
                comment.next_us += comment.every_us;
                Some(Some((at_us, comment.bytes.clone())))
            }
        }
    }
}
