//! What does each request of a run ask, and what is kept of its answer: for its check, and for the next turn.

use serde_json::Value;

use crate::ById;
use crate::config::RunConfig;
use crate::load::Cases;
use crate::record::Reaction;
use crate::trace::{Diagnostic, Planned, Shape, Trace};
use crate::workload::{Resolved, Workload};

/// More of an answer than this is not kept.
const KEPT: usize = 1 << 20;

/// The workload of a run under way.
pub(super) struct Asking {
    resolved: Resolved,
    /// The cases of this run, as indices of the workload's.
    cases: Vec<u32>,
    /// Of each: it goes on with the conversation of the one before.
    follows: Vec<bool>,
    /// What the two arms ask, their workload left out.
    arms: [RunConfig; 2],
    kept: ById<Kept>,
    /// Of turns under way: the answers to the turns before.
    histories: ById<Vec<String>>,
}

#[derive(Default)]
struct Kept {
    text: String,
    body: Vec<u8>,
}

impl Asking {
    /// Of a configuration without problems.
    pub fn new(config: &RunConfig) -> Asking {
        let prompt = || Workload::default().resolve(&config.prompt);
        // One that has problems is never run; the prompt stands in for it.
        let resolved = config.workload.resolve(&config.prompt).or_else(|_| prompt()).unwrap_or_else(|_| Resolved::prompt(""));
        let (mut cases, mut follows) = (Vec::new(), Vec::new());
        for unit in resolved.units(config.confirmation) {
            follows.extend(unit.clone().map(|case| case != unit.start));
            cases.extend(unit);
        }
        let lean = RunConfig { workload: Workload::default(), ..config.clone() };
        let arms = [0, 1].map(|arm| lean.of_arm(arm).into_owned());
        Asking { resolved, cases, follows, arms, kept: ById::default(), histories: ById::default() }
    }

    /// For the plan.
    pub fn cases(&self) -> Cases<'_> {
        Cases { count: self.cases.len() as u32, shuffled: false, follows: &self.follows }
    }

    /// A request is taken out of the plan: from now on its case is that of the workload.
    pub fn begin(&mut self, planned: &mut Planned) {
        let place = planned.case as usize % self.cases.len().max(1);
        let Some(case) = self.cases.get(place) else { return };
        planned.case = *case;
        let followed = self.follows.get(place + 1).copied().unwrap_or(false);
        if followed || self.resolved.check(*case).is_some() {
            self.kept.insert(planned.id, Kept::default());
        }
        if let Some(before) = planned.after {
            let mut history = self.histories.remove(before).unwrap_or_default();
            history.push(self.kept.remove(before).unwrap_or_default().text);
            self.histories.insert(planned.id, history);
        }
    }

    /// The body of a request.
    pub fn body(&self, planned: &Planned) -> Value {
        let config = &self.arms[usize::from(planned.arm.min(1))];
        let answers = self.histories.get(planned.id).map_or(&[][..], Vec::as_slice);
        let body = self.resolved.body(config, planned.case, answers, planned.id, planned.mode);
        // A conversation's turns are in order by the plan.
        body.unwrap_or_default()
    }

    /// A read gave these bytes, and this is what came of them.
    pub fn take(&mut self, id: u32, bytes: &[u8], reaction: &Reaction) {
        let Some(kept) = self.kept.get_mut(id) else { return };
        if reaction.clear {
            kept.text.clear();
        }
        if kept.text.len() < KEPT {
            kept.text.push_str(&reaction.show);
        }
        if kept.body.len() < KEPT {
            kept.body.extend_from_slice(bytes);
        }
    }

    /// A request is over: its result is judged, where there is one and a check of it.
    pub fn close(&mut self, trace: &mut Trace) {
        let id = trace.planned.id;
        if self.histories.get(id).is_some_and(|turns| turns.iter().any(String::is_empty)) {
            trace.diagnostics.push(Diagnostic { code: "turn_without_answer", detail: String::new() });
        }
        let check = self.resolved.check(trace.planned.case);
        if let (Some(check), Some(kept)) = (check, self.kept.get(id))
            && trace.outcome.ended()
        {
            let body = String::from_utf8_lossy(&kept.body);
            let answer = if trace.shape == Some(Shape::Prediction) { &body } else { kept.text.as_str() };
            trace.check = Some(check.judge(answer));
        }
        if let Some(kept) = self.kept.get_mut(id) {
            kept.body = Vec::new();
        }
    }
}
