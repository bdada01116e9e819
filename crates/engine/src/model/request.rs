//! One request inside a modelled server: what it asks, how far it is, and what is told of it.

use rand_xoshiro::Xoshiro256PlusPlus;

use super::parameters::Parameters;
use super::speculation;

/// The number of a request, in order of arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(pub u64);

/// What a request asks of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Tokens of the input; none is read as one.
    pub input_tokens: u32,
    /// Tokens of the output.
    pub output_tokens: u32,
    /// What the input begins with: a replica that has read it before need not read it again, as far as its cache goes.
    pub prefix: u64,
}

/// Why a request is not admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The queue is full.
    #[error("the queue is full: {0} requests wait or are served already; try again later, or raise queue_limit or max_batch")]
    QueueFull(u32),
    /// It would never fit into the cache.
    #[error("the request needs {needed} tokens of cache, and there are {cache_tokens}: ask for less, or raise cache_tokens")]
    TooLong {
        /// Input and output.
        needed: u64,
        /// What there is.
        cache_tokens: u32,
    },
}

/// What happens to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// It is in a batch: its queue is over.
    Starts {
        /// On this replica.
        replica: u32,
        /// So many tokens of its input need not be read.
        cached_tokens: u32,
    },
    /// Its input is read. The first token is made by the same step.
    Prefilled,
    /// So many tokens of one step leave.
    Tokens(u32),
    /// The last of it left.
    Ends,
}

/// Something that happens to a request, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Emission {
    /// To which.
    pub request: RequestId,
    /// In virtual µs. What was made leaves a little later where it is checked or processed, and is told when it is made.
    pub at_us: u64,
    /// What.
    pub what: What,
}

/// What the step under way does for a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    Nothing,
    /// Reads so many tokens of the input.
    Reads(u32),
    /// Makes the next tokens.
    Decodes,
}

/// A request on its replica.
#[derive(Debug)]
pub(super) struct Sequence {
    pub(super) id: RequestId,
    pub(super) asked: Asked,
    /// It can be batched from here on.
    pub(super) ready_us: u64,
    /// Tokens of the input that are still to be read.
    pub(super) to_read: u32,
    pub(super) doing: Doing,
    made: u32,
    /// Draws which drafts are accepted; none without speculation.
    drafts: Option<Xoshiro256PlusPlus>,
    /// Tokens of the steps that are held back.
    held: Vec<u32>,
    /// From here on nothing is held back any more.
    released_us: Option<u64>,
}

impl Sequence {
    pub(super) fn new(parameters: &Parameters, id: RequestId, asked: Asked, ready_us: u64) -> Sequence {
        let asked = Asked { input_tokens: asked.input_tokens.max(1), ..asked };
        let (drafts, to_read) = (speculation::drafts(parameters, id), asked.input_tokens);
        Sequence { id, asked, ready_us, to_read, doing: Doing::Nothing, made: 0, drafts, held: Vec::new(), released_us: None }
    }

    /// Room that it takes in the cache.
    pub(super) fn cache_tokens(&self) -> u64 {
        u64::from(self.asked.input_tokens) + u64::from(self.asked.output_tokens)
    }

    /// A step ends; true if that was the last it needed.
    pub(super) fn step_ends(&mut self, parameters: &Parameters, now_us: u64, tell: &mut impl FnMut(Emission)) -> bool {
        let of_step = match std::mem::replace(&mut self.doing, Doing::Nothing) {
            Doing::Nothing => return false,
            Doing::Reads(tokens) => {
                self.to_read -= tokens;
                if self.to_read > 0 {
                    return false;
                }
                tell(self.says(now_us, What::Prefilled));
                1
            }
            Doing::Decodes => match &mut self.drafts {
                Some(random) => speculation::of_step(parameters, random),
                None => 1,
            },
        };
        let tokens = of_step.min(self.asked.output_tokens - self.made);
        self.made += tokens;
        let over = self.made == self.asked.output_tokens;
        let leave_us = self.leave(parameters, tokens, over, now_us, tell);
        if over {
            tell(self.says(leave_us, What::Ends));
        }
        over
    }

    /// Tokens leave, or are held back; gives when they leave.
    fn leave(&mut self, parameters: &Parameters, tokens: u32, over: bool, now_us: u64, tell: &mut impl FnMut(Emission)) -> u64 {
        if let (Some((first, check_us)), None) = (parameters.holdback(), self.released_us) {
            if self.made < first && !over {
                self.held.push(tokens);
                return now_us;
            }
            self.released_us = Some(now_us + check_us);
        }
        let leave_us = now_us.max(self.released_us.unwrap_or(0)) + parameters.postprocess_us;
        for held in std::mem::take(&mut self.held) {
            tell(self.says(leave_us, What::Tokens(held)));
        }
        if tokens > 0 {
            tell(self.says(leave_us, What::Tokens(tokens)));
        }
        leave_us
    }

    pub(super) fn says(&self, at_us: u64, what: What) -> Emission {
        Emission { request: self.id, at_us, what }
    }
}
