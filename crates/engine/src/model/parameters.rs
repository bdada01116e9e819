//! What is a modelled server like? Every parameter with its unit.

use crate::error::ScheduleError;

/// A server's speed, limits and policies.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Parameters {
    /// All that is drawn (accepted drafts, the random router, exponential steps) follows from it.
    pub seed: u64,
    /// How many copies of the model serve behind the router.
    pub replicas: u32,
    /// How fast each of them is, in thousandths of the times given here; begun again if there are more replicas.
    pub speeds_permille: Vec<u32>,
    /// Which replica a request goes to.
    pub router: Router,
    /// Requests that a replica takes beyond those that its batch holds; more are refused. None is no limit.
    pub queue_limit: Option<u32>,
    /// With which status they are refused.
    pub refuse_status: u16,
    /// From arrival until a request can be batched (template, tokeniser), in µs; all requests at once.
    pub preprocess_us: u64,
    /// Sequences in one step at most.
    pub max_batch: u32,
    /// Tokens that one step computes at most: one of each decoding sequence with its drafts, the rest for reading input.
    pub token_budget: u32,
    /// What each token of input that is read adds to its step, in µs.
    pub prefill_us_per_token: u64,
    /// What a step takes however much it computes, in µs.
    pub step_us: u64,
    /// What each sequence in a step adds to it, in µs.
    pub step_us_per_sequence: u64,
    /// How steps vary.
    pub step_time: StepTime,
    /// Share of an input's tokens that need not be read where its beginning was read before, in percent.
    pub prefix_cache_percent: u32,
    /// Tokens that a replica's cache of keys and values holds. A request takes room for its input and output when it is batched.
    pub cache_tokens: u32,
    /// From a cold replica's first request until its process runs, in ms.
    pub start_ms: u64,
    /// After that, until the weights are loaded, in ms.
    pub load_ms: u64,
    /// A replica without requests for so many ms is cold again; none is never.
    pub unload_after_ms: Option<u64>,
    /// Tokens drafted for each sequence and step; 0 is no speculation.
    pub speculative: u32,
    /// How likely one drafted token is accepted, in percent; the first that is not ends the draft.
    pub acceptance_percent: u32,
    /// The guardrail checks the first so many tokens before any of them leaves.
    pub holdback_tokens: u32,
    /// How long that check takes, in ms.
    pub holdback_ms: u64,
    /// From the end of a step until its tokens leave (detokenising, filters), in µs; it holds up no step.
    pub postprocess_us: u64,
}

/// Which replica a request goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Router {
    /// One after another.
    RoundRobin,
    /// The one with the fewest requests; the first of several.
    LeastLoaded,
    /// Any.
    Random,
}

/// How the times of steps vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepTime {
    /// They do not: a step takes what it computes.
    Fixed,
    /// Exponentially distributed around that, as queueing theory likes it.
    Exponential,
}

impl Default for Parameters {
    /// One replica that takes no time for anything but 10 ms a step.
    fn default() -> Parameters {
        Parameters {
            seed: 1,
            replicas: 1,
            speeds_permille: vec![1_000],
            router: Router::RoundRobin,
            queue_limit: None,
            refuse_status: 429,
            preprocess_us: 0,
            max_batch: 32,
            token_budget: 2_048,
            prefill_us_per_token: 0,
            step_us: 10_000,
            step_us_per_sequence: 0,
            step_time: StepTime::Fixed,
            prefix_cache_percent: 0,
            cache_tokens: 200_000,
            start_ms: 0,
            load_ms: 0,
            unload_after_ms: None,
            speculative: 0,
            acceptance_percent: 70,
            holdback_tokens: 0,
            holdback_ms: 0,
            postprocess_us: 0,
        }
    }
}

impl Parameters {
    /// Tokens that one decoding sequence takes of a step's budget.
    pub(crate) fn tokens_per_decode(&self) -> u32 {
        1 + self.speculative
    }

    /// The speed of a replica, in thousandths.
    pub(crate) fn speed_permille(&self, replica: usize) -> u64 {
        let speeds = self.speeds_permille.as_slice();
        speeds.get(replica % speeds.len().max(1)).map_or(1_000, |speed| u64::from((*speed).max(1)))
    }

    /// How long the first tokens are held, if they are: until so many are made, and then for so many µs.
    pub(crate) fn holdback(&self) -> Option<(u32, u64)> {
        (self.holdback_tokens > 0 || self.holdback_ms > 0).then_some((self.holdback_tokens.max(1), self.holdback_ms * 1_000))
    }

    /// What no single parameter can tell.
    pub(crate) fn check(self) -> Result<Parameters, ScheduleError> {
        // A full batch must go on in every step, and whoever still reads must get at least one token of it.
        let needed = u64::from(self.max_batch) * u64::from(self.tokens_per_decode());
        if u64::from(self.token_budget) < needed {
            return Err(ScheduleError::TokenBudget { token_budget: self.token_budget, needed });
        }
        Ok(self)
    }
}
