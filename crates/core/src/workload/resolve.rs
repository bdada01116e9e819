//! Which cases does a run have, and what does each request say?

use std::borrow::Cow;
use std::ops::Range;

use serde_json::Value;

use super::check::Check;
use super::{Ask, Case, Generator, Hash, MAX_CASES, Message, Role, Source, Workload, WorkloadProblem, case};
use crate::config::RunConfig;
use crate::trace::Mode;

/// A workload whose cases are checked and can be asked for by their index.
#[derive(Clone, Debug)]
pub struct Resolved {
    cases: Cases,
    hash: Hash,
    held_out: u32,
}

#[derive(Clone, Debug)]
enum Cases {
    Written(Vec<Case>, Vec<Option<Check>>),
    Generated(Generator),
}

/// A turn can't be asked before the turns in front of it are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this turn needs the answers to the {needed} turns before it and got {given}; run a conversation's turns in order")]
pub struct AnswersMissing {
    /// Turns before this one.
    pub needed: u32,
    /// Answers given.
    pub given: u32,
}

impl Workload {
    /// The cases. `prompt` is the typed prompt, which is the one case of [`Source::Prompt`].
    pub fn resolve(&self, prompt: &str) -> Result<Resolved, WorkloadProblem> {
        match &self.source {
            // Whether the typed prompt is empty is the form's business.
            Source::Prompt => Ok(Resolved::prompt(prompt)),
            Source::Cases(cases) if cases.is_empty() => Err(WorkloadProblem::NoCases),
            Source::Cases(cases) if cases.len() > MAX_CASES => Err(WorkloadProblem::TooManyCases),
            Source::Cases(cases) => match case::read_all(cases) {
                Ok(checks) => Ok(Resolved::written(cases.clone(), checks)),
                Err(problems) => Err(problems
                    .into_iter()
                    .next()
                    .map_or(WorkloadProblem::NoCases, |(at, problem)| WorkloadProblem::Case { number: at + 1, problem })),
            },
            Source::Generated(generator) => match generator.problem() {
                Some(problem) => Err(problem),
                None => Ok(Resolved {
                    hash: Hash::of_generator(generator),
                    held_out: generator.held_out,
                    cases: Cases::Generated(*generator),
                }),
            },
        }
    }
}

impl Resolved {
    /// The typed prompt, as the one case.
    pub fn prompt(prompt: &str) -> Resolved {
        Resolved::written(vec![Case::of_prompt("case-1", prompt)], vec![None])
    }

    fn written(cases: Vec<Case>, checks: Vec<Option<Check>>) -> Resolved {
        let held_out = cases.iter().filter(|c| c.held_out).count() as u32;
        Resolved { hash: Hash::of_cases(&cases), held_out, cases: Cases::Written(cases, checks) }
    }

    /// All cases, those held out among them; at least one.
    #[allow(clippy::len_without_is_empty, reason = "never empty")]
    pub fn len(&self) -> u32 {
        match &self.cases {
            Cases::Written(cases, _) => cases.len() as u32,
            Cases::Generated(generator) => generator.cases,
        }
    }

    /// Cases held out.
    pub fn held_out(&self) -> u32 {
        self.held_out
    }

    /// The hash of all cases.
    pub fn hash(&self) -> &Hash {
        &self.hash
    }

    /// A case. An index beyond the last begins again from the first.
    pub fn case(&self, index: u32) -> Cow<'_, Case> {
        let index = index % self.len();
        match &self.cases {
            Cases::Written(cases, _) => Cow::Borrowed(&cases[index as usize]),
            Cases::Generated(generator) => Cow::Owned(generator.case(index)),
        }
    }

    /// How the answer to a case is judged.
    pub fn check(&self, index: u32) -> Option<&Check> {
        match &self.cases {
            Cases::Written(_, checks) => checks[(index % self.len()) as usize].as_ref(),
            Cases::Generated(_) => None,
        }
    }

    /// What a run sends: of a confirmation run, the cases held out; of any other, all the others. Each range is one
    /// conversation, whose turns are sent in order, or one case.
    pub fn units(&self, confirmation: bool) -> impl Iterator<Item = Range<u32>> {
        let mut next = 0;
        std::iter::from_fn(move || {
            while next < self.len() {
                let first = next;
                next = self.unit_end(first);
                if self.is_held_out(first) == confirmation {
                    return Some(first..next);
                }
            }
            None
        })
    }

    fn unit_end(&self, first: u32) -> u32 {
        match &self.cases {
            // A conversation's first turn is 1, and so is the turn of what belongs to none.
            Cases::Written(cases, _) => {
                let later = cases[first as usize + 1..].iter().take_while(|c| c.turn_index() > 1).count();
                first + 1 + later as u32
            }
            Cases::Generated(_) => first + 1,
        }
    }

    fn is_held_out(&self, index: u32) -> bool {
        match &self.cases {
            Cases::Written(cases, _) => cases[index as usize].held_out,
            Cases::Generated(generator) => generator.is_held_out(index),
        }
    }

    /// What a request of this case says: of a conversation's turn, the earlier turns and the answers that they really got
    /// stand in front.
    pub fn ask(&self, index: u32, answers: &[String]) -> Result<Ask, AnswersMissing> {
        let index = index % self.len();
        let case = self.case(index);
        let earlier = case.turn_index() - 1;
        if answers.len() != earlier as usize {
            return Err(AnswersMissing { needed: earlier, given: answers.len() as u32 });
        }
        let mut messages = Vec::new();
        for (turn, answer) in (index - earlier..index).zip(answers) {
            messages.extend(self.case(turn).messages.iter().cloned());
            messages.push(Message::text(Role::Assistant, answer.as_str()));
        }
        let max_tokens = case.max_tokens;
        messages.extend(case.into_owned().messages);
        Ok(Ask::of(messages, max_tokens))
    }

    /// The body of a run's request: the case, the answers to the turns before it, and the nonce that the run's cache mode
    /// puts in front. `request` is the request's id in the run.
    pub fn body(
        &self,
        config: &RunConfig,
        index: u32,
        answers: &[String],
        request: u32,
        mode: Mode,
    ) -> Result<Value, AnswersMissing> {
        let nonce = config.cache.nonce(config.seed, request);
        let mut ask = self.ask(index, answers)?.behind(nonce.as_deref());
        ask.max_tokens = ask.max_tokens.or(config.max_tokens);
        Ok(config.body_of(&ask, mode))
    }
}
