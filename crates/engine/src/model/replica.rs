//! One copy of the model: its queue, its batch, its steps and its cache.

use std::collections::VecDeque;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::parameters::{Parameters, StepTime};
use super::request::{Doing, Emission, RequestId, Sequence, What};

/// Beginnings of inputs that a replica remembers.
const KEPT_PREFIXES: usize = 1_000;

#[derive(Debug)]
pub(super) struct Replica {
    number: u32,
    speed_permille: u64,
    /// First in, first out.
    waiting: VecDeque<Sequence>,
    /// In order of admission.
    running: Vec<Sequence>,
    /// The end of the step under way.
    step_ends_us: Option<u64>,
    /// It is loaded from here on; none while it is cold.
    loaded_us: Option<u64>,
    /// Its last request was over then.
    idle_us: u64,
    /// Beginnings that were read, the oldest first.
    prefixes: VecDeque<u64>,
    random: Xoshiro256PlusPlus,
}

impl Replica {
    pub(super) fn new(parameters: &Parameters, number: u32) -> Replica {
        Replica {
            number,
            speed_permille: parameters.speed_permille(number as usize),
            waiting: VecDeque::new(),
            running: Vec::new(),
            step_ends_us: None,
            loaded_us: None,
            idle_us: 0,
            prefixes: VecDeque::new(),
            random: Xoshiro256PlusPlus::seed_from_u64(parameters.seed ^ u64::from(number + 1).rotate_right(16)),
        }
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    pub(super) fn running(&self) -> usize {
        self.running.len()
    }

    /// Tokens of the cache that are taken.
    pub(super) fn cache_taken(&self) -> u64 {
        self.running.iter().map(Sequence::cache_tokens).sum()
    }

    /// A request joins the queue.
    pub(super) fn join(&mut self, parameters: &Parameters, sequence: Sequence, now_us: u64) {
        // Whoever went away during a step leaves the step itself behind.
        let idle = self.waiting.is_empty() && self.running.is_empty() && self.step_ends_us.is_none();
        if idle && parameters.unload_after_ms.is_some_and(|ms| now_us >= self.idle_us + ms * 1_000) {
            self.loaded_us = None;
            self.prefixes.clear();
        }
        self.loaded_us.get_or_insert(now_us + (parameters.start_ms + parameters.load_ms) * 1_000);
        self.waiting.push_back(sequence);
    }

    /// A request goes away; true if it was here. The step under way goes on without it.
    pub(super) fn lose(&mut self, id: RequestId, now_us: u64) -> bool {
        let before = self.waiting.len() + self.running.len();
        self.waiting.retain(|sequence| sequence.id != id);
        self.running.retain(|sequence| sequence.id != id);
        let lost = self.waiting.len() + self.running.len() < before;
        if lost {
            self.idle_us = now_us;
        }
        lost
    }

    /// When something happens here next, if nobody arrives.
    pub(super) fn next_at(&self) -> Option<u64> {
        self.step_ends_us.or_else(|| {
            let first = self.waiting.front()?;
            Some(first.ready_us.max(self.loaded_us.unwrap_or(0)))
        })
    }

    /// It happens.
    pub(super) fn act(&mut self, parameters: &Parameters, now_us: u64, tell: &mut impl FnMut(Emission)) {
        if self.step_ends_us.take().is_some() {
            self.end_step(parameters, now_us, tell);
        }
        self.step_ends_us = self.begin_step(parameters, now_us, tell).map(|cost_us| now_us + cost_us);
    }

    fn end_step(&mut self, parameters: &Parameters, now_us: u64, tell: &mut impl FnMut(Emission)) {
        let Replica { running, prefixes, .. } = self;
        running.retain_mut(|sequence| {
            let reads = matches!(sequence.doing, Doing::Reads(_));
            let over = sequence.step_ends(parameters, now_us, tell);
            let read = reads && sequence.to_read == 0 && parameters.prefix_cache_percent > 0;
            if read && !prefixes.contains(&sequence.asked.prefix) {
                prefixes.push_back(sequence.asked.prefix);
                prefixes.drain(..prefixes.len().saturating_sub(KEPT_PREFIXES));
            }
            !over
        });
        self.idle_us = now_us;
    }

    /// Who takes part in the next step, and what that takes; none if there is nothing to do.
    fn begin_step(&mut self, parameters: &Parameters, now_us: u64, tell: &mut impl FnMut(Emission)) -> Option<u64> {
        let mut budget = parameters.token_budget;
        let (mut sequences, mut read) = (0, 0);
        // Whoever writes goes first, so that reading long inputs slows others down, but never stops them.
        for sequence in self.running.iter_mut().filter(|sequence| sequence.to_read == 0) {
            sequence.doing = Doing::Decodes;
            budget = budget.saturating_sub(parameters.tokens_per_decode());
            sequences += 1;
        }
        let mut reads = |sequence: &mut Sequence, budget: &mut u32| {
            let tokens = sequence.to_read.min(*budget);
            if tokens > 0 {
                sequence.doing = Doing::Reads(tokens);
                *budget -= tokens;
                sequences += 1;
                read += u64::from(tokens);
            }
        };
        for sequence in self.running.iter_mut().filter(|sequence| sequence.to_read > 0) {
            reads(sequence, &mut budget);
        }
        let mut taken = self.cache_taken();
        while budget > 0 && self.running.len() < parameters.max_batch as usize {
            let fits = |first: &&Sequence| taken + first.cache_tokens() <= u64::from(parameters.cache_tokens);
            let Some(_) = self.waiting.front().filter(|first| first.ready_us <= now_us).filter(fits) else { break };
            let Some(mut sequence) = self.waiting.pop_front() else { break };
            taken += sequence.cache_tokens();
            let cached_tokens = self.cached(parameters, &sequence);
            sequence.to_read -= cached_tokens;
            tell(sequence.says(now_us, What::Starts { replica: self.number, cached_tokens }));
            reads(&mut sequence, &mut budget);
            self.running.push(sequence);
        }
        (sequences > 0).then(|| self.cost_us(parameters, sequences, read))
    }

    /// Tokens of an input that need not be read; at least one always is.
    fn cached(&self, parameters: &Parameters, sequence: &Sequence) -> u32 {
        if !self.prefixes.contains(&sequence.asked.prefix) {
            return 0;
        }
        let input = sequence.asked.input_tokens;
        let hit = u64::from(input) * u64::from(parameters.prefix_cache_percent) / 100;
        (hit as u32).min(input - 1)
    }

    fn cost_us(&mut self, parameters: &Parameters, sequences: u64, read: u64) -> u64 {
        let mean_us = parameters.step_us + parameters.step_us_per_sequence * sequences + parameters.prefill_us_per_token * read;
        let us = match parameters.step_time {
            StepTime::Fixed => mean_us,
            StepTime::Exponential => (-(1.0 - self.random.random::<f64>()).ln() * mean_us as f64).round() as u64,
        };
        // A step that took no time would begin again for ever in the same instant.
        (us * 1_000 / self.speed_permille).max(1)
    }
}
