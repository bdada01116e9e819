//! Where was a request of a run measured, and on which clock? In a merged run that differs from request to request.

use super::{Clock, Environment, Run};
use crate::Micros;
use crate::trace::Trace;

/// One run's requests, and where they were measured: a run itself, or one of those that it was merged of.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The name of its file; none of a run that was not merged.
    pub label: Option<&'a str>,
    /// The number of its first request: a request's number in its own run is counted from here.
    pub first: u32,
    /// What was added to its times.
    pub shift: Micros,
    /// The seed of its plan.
    pub seed: u64,
    /// When it was begun.
    pub created: &'a str,
    /// Where it was measured.
    pub environment: &'a Environment,
    /// The clock it was measured with.
    pub clock: &'a Clock,
    /// Its requests.
    pub traces: &'a [Trace],
}

impl Run {
    /// It was merged of several: each has a clock of its own, so there is no rate of all of them.
    pub fn is_merged(&self) -> bool {
        !self.parts.is_empty()
    }

    /// Which part the request of this number is of, from 0; none in a run that was not merged.
    pub fn part_of(&self, id: u32) -> Option<u32> {
        let behind = self.parts.partition_point(|part| part.first <= id);
        behind.checked_sub(1).map(|at| at as u32)
    }

    /// Where the request of this number was measured.
    pub fn environment_of(&self, id: u32) -> &Environment {
        let part = self.part_of(id).and_then(|at| self.parts.get(at as usize));
        part.map_or(&self.environment, |part| &part.environment)
    }

    /// The runs that it holds: itself, if it was not merged.
    pub fn origins(&self) -> Vec<Origin<'_>> {
        if !self.is_merged() {
            return vec![Origin {
                label: None,
                first: 0,
                shift: Micros::ZERO,
                seed: self.config.seed,
                created: &self.created,
                environment: &self.environment,
                clock: &self.clock,
                traces: &self.traces,
            }];
        }
        let begin = |first: u32| self.traces.partition_point(|t| t.planned.id < first);
        let ends = self.parts.iter().skip(1).map(|next| begin(next.first)).chain([self.traces.len()]);
        self.parts
            .iter()
            .zip(ends)
            .map(|(part, end)| Origin {
                label: Some(&part.label),
                first: part.first,
                shift: Micros(part.shift_us),
                seed: part.seed,
                created: &part.created,
                environment: &part.environment,
                clock: &part.clock,
                traces: self.traces.get(begin(part.first)..end).unwrap_or_default(),
            })
            .collect()
    }
}
