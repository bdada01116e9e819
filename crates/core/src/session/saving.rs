//! What of a run under way is to be saved, request by request, so that it outlives the page.

use super::Session;
use super::blocks::flag_blocks;
use crate::trace::Trace;

impl Session {
    /// Requests that are over and of which the last call did not tell, or of which more is known since then. One whose
    /// evidence is still waited for is told of again and again: it counts as over from its last byte on.
    pub fn unsaved(&mut self) -> Vec<u32> {
        let mut ids = std::mem::take(&mut self.unsaved);
        ids.extend(self.active.iter().filter(|(_, r)| r.is_over()).map(|(id, _)| id));
        ids
    }

    /// What is known so far of a request that is over.
    pub fn so_far(&self, id: u32) -> Option<Trace> {
        let mut trace = match self.active.get(id) {
            Some(recorder) => recorder.so_far(),
            None => self.settled(id)?.clone(),
        };
        flag_blocks(&mut trace, &self.blocks);
        Some(trace)
    }
}

#[cfg(test)]
mod tests {
    use crate::Micros;
    use crate::config::RunConfig;
    use crate::config::tests::sound;
    use crate::mark::Mark;
    use crate::metrics::tests::{SSE, head, token};
    use crate::outcome::{Outcome, Stop};
    use crate::session::Session;

    fn under_way() -> Session {
        let config = RunConfig { requests: 3, concurrency: 2, warmup: 0, ..sound() };
        let mut s = Session::new(config, 2, true, false);
        for id in 0..2 {
            assert_eq!(s.dispatch(Micros::ZERO).expect("sent").planned.id, id);
            s.sent(id, Micros::ms(1));
            s.headers(id, Micros::ms(2), head(200, SSE), Vec::new());
            s.read(id, Micros::ms(3), &token("Hi "));
        }
        s
    }

    #[test]
    fn a_request_is_told_of_from_its_end_on_and_once_more_when_all_is_known() {
        let mut s = under_way();
        assert!(s.unsaved().is_empty(), "nothing is over");
        s.read(0, Micros::ms(4), b"data: [DONE]\n\n");
        s.blocked(Micros::ms(1), Micros::ms(3));
        assert_eq!((s.unsaved(), s.unsaved()), (vec![0], vec![0]), "its evidence is waited for");
        let early = s.so_far(0).expect("it is over");
        assert_eq!((early.outcome.clone(), early.marks.get(Mark::FirstAnswer)), (Outcome::Complete, Ok(Micros::ms(3))));
        assert_eq!(early.flags.blocked_first, Micros::ms(2));
        s.settle(0);
        assert_eq!((s.unsaved(), s.unsaved()), (vec![0], vec![]));
        let settled = s.so_far(0).expect("it is settled");
        // Nothing came after its end: what was told then is what is kept.
        assert_eq!(early, settled);
        assert_eq!(s.so_far(2), None);
        s.stop(Micros::ms(9));
        assert_eq!(s.unsaved(), [1]);
        s.settle(1);
        assert_eq!(s.traces()[0], settled);
    }

    #[test]
    fn what_a_sleep_changes_afterwards_is_told_again() {
        let mut s = under_way();
        s.read(0, Micros::ms(4), b"data: [DONE]\n\n");
        s.settle(0);
        assert_eq!(s.unsaved(), [0]);
        s.stood_still(Micros::ms(2), Micros::ms(5), Stop::Slept);
        assert_eq!(s.unsaved(), [0, 1]);
        assert_eq!(s.so_far(0).expect("settled").outcome, Outcome::Slept);
    }
}
