//! By what can the requests of a run be grouped? By what its workload says of their cases.

use super::Run;
use crate::workload::Source;

/// What a case is grouped by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Its class.
    pub class: &'static str,
    /// Its user group.
    pub group: Option<String>,
    /// Its turn, from 1.
    pub turn: u32,
}

/// The labels of a run's cases; none where they say nothing.
pub struct Labels(Vec<Label>);

impl Labels {
    /// There are some.
    pub fn any(&self) -> bool {
        !self.0.is_empty()
    }

    /// Of a case, by its index.
    pub fn of(&self, case: u32) -> Option<&Label> {
        self.0.get(case as usize)
    }
}

impl Run {
    /// What requests can be grouped by.
    pub fn labels(&self) -> Labels {
        let Source::Cases(cases) = &self.config.workload.source else { return Labels(Vec::new()) };
        let label = |case: &crate::workload::Case| Label {
            class: case.class.code(),
            group: case.group.clone(),
            turn: case.turn_index(),
        };
        Labels(cases.iter().map(label).collect())
    }
}
