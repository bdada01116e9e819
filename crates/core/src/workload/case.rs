//! What is one question: its messages, how its answer is judged, and what it is grouped by.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::check::{Check, CheckError};

/// One question. What is absent here is absent from the written form too, so that the hash doesn't change with new fields.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Its name, unique in the workload.
    pub id: String,
    /// What is asked; of a conversation's turn, what this turn adds.
    pub messages: Vec<Message>,
    /// The most output tokens; the run's own limit if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// Free words to group by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Normal, hard or adversarial.
    #[serde(default, skip_serializing_if = "Class::is_normal")]
    pub class: Class,
    /// The user group that asks so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Its place in a conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<Turn>,
    /// How the answer is judged, as it was written: see [`Check::parse`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<Value>,
    /// Run in a confirmation run only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub held_out: bool,
}

/// How hard a case is meant to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// What users mostly ask.
    #[default]
    Normal,
    /// At the edge of what is asked.
    Hard,
    /// Made to break something.
    Adversarial,
}

impl Class {
    /// Every class.
    pub const ALL: [Class; 3] = [Class::Normal, Class::Hard, Class::Adversarial];

    fn is_normal(&self) -> bool {
        *self == Class::Normal
    }

    /// As it is written in files.
    pub fn code(self) -> &'static str {
        match self {
            Class::Normal => "normal",
            Class::Hard => "hard",
            Class::Adversarial => "adversarial",
        }
    }
}

/// A place in a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// The conversation's name.
    pub conversation: String,
    /// From 1.
    pub index: u32,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// Whose.
    pub role: Role,
    /// What it says.
    pub content: Content,
}

/// Whose a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The operator's.
    System,
    /// The operator's, as newer models call it.
    Developer,
    /// The user's.
    User,
    /// The model's.
    Assistant,
}

/// What a message says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Content {
    /// A text.
    Text(String),
    /// Parts as the protocol has them (texts, images), sent as they are.
    Parts(Vec<Map<String, Value>>),
}

impl Content {
    /// The text alone; of parts, their texts one after the other.
    pub fn text(&self) -> String {
        match self {
            Content::Text(text) => text.clone(),
            Content::Parts(parts) => parts.iter().filter_map(|part| part.get("text")?.as_str()).collect(),
        }
    }

    fn is_blank(&self) -> bool {
        match self {
            Content::Text(text) => text.trim().is_empty(),
            Content::Parts(parts) => parts.is_empty(),
        }
    }
}

impl Message {
    /// A message that is a text.
    pub fn text(role: Role, text: impl Into<String>) -> Message {
        Message { role, content: Content::Text(text.into()) }
    }
}

/// What keeps a case from being sent or judged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", crate::text::case_problem(crate::text::Lang::En, self))]
pub enum CaseProblem {
    /// No message of the user's says anything.
    NothingAsked,
    /// The output limit is not from 1 to [`super::MAX_OUTPUT`].
    MaxTokens,
    /// Another case has this id already.
    DuplicateId(String),
    /// The check can't be read.
    Check(CheckError),
    /// A conversation's turns must be 1, 2, 3, … without a gap.
    Turn {
        /// The conversation.
        conversation: String,
        /// The turn that should have come here.
        expected: u32,
    },
    /// A conversation has its turns in two places.
    Apart(String),
    /// Some turns of a conversation are held out and others are not.
    HeldOutMixed(String),
}

impl Case {
    /// A case that is one message of the user's.
    pub fn of_prompt(id: impl Into<String>, prompt: impl Into<String>) -> Case {
        Case { id: id.into(), messages: vec![Message::text(Role::User, prompt)], ..Case::default() }
    }

    /// The turn, from 1; 1 outside a conversation.
    pub fn turn_index(&self) -> u32 {
        self.turn.as_ref().map_or(1, |turn| turn.index)
    }

    /// What is wrong with this case alone; else its check, ready to judge.
    fn read(&self) -> Result<Option<Check>, CaseProblem> {
        if !self.messages.iter().any(|m| m.role == Role::User && !m.content.is_blank()) {
            return Err(CaseProblem::NothingAsked);
        }
        if self.max_tokens.is_some_and(|n| !(1..=super::MAX_OUTPUT).contains(&n)) {
            return Err(CaseProblem::MaxTokens);
        }
        self.check.as_ref().map(Check::parse).transpose().map_err(CaseProblem::Check)
    }
}

/// Every case's check, ready to judge; or everything that is wrong, with the case's index.
pub(super) fn read_all(cases: &[Case]) -> Result<Vec<Option<Check>>, Vec<(usize, CaseProblem)>> {
    let mut problems = Vec::new();
    let mut checks = Vec::with_capacity(cases.len());
    let (mut ids, mut conversations) = (HashSet::new(), HashSet::new());
    for (at, case) in cases.iter().enumerate() {
        match case.read() {
            Ok(check) => checks.push(check),
            Err(problem) => problems.push((at, problem)),
        }
        if !ids.insert(case.id.as_str()) {
            problems.push((at, CaseProblem::DuplicateId(case.id.clone())));
        }
        let before = at.checked_sub(1).map(|before| &cases[before]);
        if let Some(problem) = case.turn.as_ref().and_then(|turn| misplaced(case, turn, before, &mut conversations)) {
            problems.push((at, problem));
        }
    }
    if problems.is_empty() { Ok(checks) } else { Err(problems) }
}

fn misplaced<'a>(case: &Case, turn: &'a Turn, before: Option<&Case>, seen: &mut HashSet<&'a str>) -> Option<CaseProblem> {
    let name = || turn.conversation.clone();
    let earlier = before.and_then(|b| Some((b, b.turn.as_ref()?))).filter(|(_, t)| t.conversation == turn.conversation);
    if earlier.is_none() && !seen.insert(&turn.conversation) {
        return Some(CaseProblem::Apart(name()));
    }
    let expected = earlier.map_or(1, |(_, t)| t.index.saturating_add(1));
    if turn.index != expected {
        return Some(CaseProblem::Turn { conversation: name(), expected });
    }
    earlier.filter(|(b, _)| b.held_out != case.held_out).map(|_| CaseProblem::HeldOutMixed(name()))
}
