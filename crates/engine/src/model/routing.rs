//! The whole server: who is admitted, which replica serves whom, and what happens when.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::parameters::{Parameters, Router};
use super::replica::Replica;
use super::request::{Asked, Emission, Refused, RequestId, Sequence};

/// A server in virtual time. Times are in µs of any clock, and never go back.
#[derive(Debug)]
pub struct Model {
    parameters: Parameters,
    replicas: Vec<Replica>,
    /// Requests that were admitted so far.
    admitted: u64,
    /// Requests that were sent to a replica so far, those that it refused among them.
    routed: u64,
    now_us: u64,
    random: Xoshiro256PlusPlus,
}

impl Model {
    /// A server on which nobody was yet.
    pub fn new(parameters: Parameters) -> Model {
        let replicas = (0..parameters.replicas.max(1)).map(|number| Replica::new(&parameters, number)).collect();
        let random = Xoshiro256PlusPlus::seed_from_u64(parameters.seed);
        Model { parameters, replicas, admitted: 0, routed: 0, now_us: 0, random }
    }

    /// What it is like.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// A request arrives, after all that happens up to then; it is admitted under a number, or refused.
    pub fn arrive(&mut self, at_us: u64, asked: Asked, tell: impl FnMut(Emission)) -> Result<RequestId, Refused> {
        self.advance(at_us, tell);
        let needed = u64::from(asked.input_tokens.max(1)) + u64::from(asked.output_tokens);
        if needed > u64::from(self.parameters.cache_tokens) {
            return Err(Refused::TooLong { needed, cache_tokens: self.parameters.cache_tokens });
        }
        let replica = self.route();
        self.routed += 1;
        let Some(chosen) = self.replicas.get_mut(replica) else { return Err(Refused::QueueFull(0)) };
        let here = chosen.waiting() + chosen.running();
        if let Some(limit) = self.parameters.queue_limit
            && here as u64 >= u64::from(limit) + u64::from(self.parameters.max_batch)
        {
            return Err(Refused::QueueFull(here as u32));
        }
        let id = RequestId(self.admitted);
        self.admitted += 1;
        let ready_us = self.now_us + self.parameters.preprocess_us;
        chosen.join(&self.parameters, Sequence::new(&self.parameters, id, asked, ready_us), self.now_us);
        Ok(id)
    }

    /// Its client went away: nothing more is told of it, and its place is free from the next step on.
    pub fn abort(&mut self, at_us: u64, id: RequestId, tell: impl FnMut(Emission)) {
        self.advance(at_us, tell);
        let now_us = self.now_us;
        let _found = self.replicas.iter_mut().any(|replica| replica.lose(id, now_us));
    }

    /// When something happens next, if nobody arrives or goes away before.
    pub fn next_at(&self) -> Option<u64> {
        self.next().map(|(at_us, _)| at_us)
    }

    /// Tells all that happens up to this time and at it.
    pub fn advance(&mut self, to_us: u64, mut tell: impl FnMut(Emission)) {
        while let Some((at_us, replica)) = self.next().filter(|(at_us, _)| *at_us <= to_us) {
            self.now_us = self.now_us.max(at_us);
            if let Some(replica) = self.replicas.get_mut(replica) {
                replica.act(&self.parameters, at_us, &mut tell);
            }
        }
        self.now_us = self.now_us.max(to_us);
    }

    /// Requests in batches.
    pub fn running(&self) -> usize {
        self.replicas.iter().map(Replica::running).sum()
    }

    /// Requests that were admitted and are in no batch yet.
    pub fn waiting(&self) -> usize {
        self.replicas.iter().map(Replica::waiting).sum()
    }

    /// Tokens of the caches that are taken, and how many there are.
    pub fn cache(&self) -> (u64, u64) {
        let taken = self.replicas.iter().map(Replica::cache_taken).sum();
        (taken, u64::from(self.parameters.cache_tokens) * self.replicas.len() as u64)
    }

    /// The earliest, and of several the first replica's.
    fn next(&self) -> Option<(u64, usize)> {
        self.replicas.iter().enumerate().filter_map(|(n, replica)| Some((replica.next_at()?, n))).min()
    }

    fn route(&mut self) -> usize {
        let count = self.replicas.len();
        match self.parameters.router {
            _ if count == 1 => 0,
            Router::RoundRobin => (self.routed % count as u64) as usize,
            Router::Random => self.random.random_range(0..count),
            Router::LeastLoaded => {
                let load = |n: &usize| self.replicas.get(*n).map(|replica| replica.waiting() + replica.running());
                (0..count).min_by_key(load).unwrap_or(0)
            }
        }
    }
}
