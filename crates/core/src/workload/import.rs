//! Which cases does a JSONL file hold? All of it is read, or nothing, with every wrong line named.

mod line;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Case, CaseProblem, MAX_BYTES, MAX_CASES, Source, Turn, Workload, case};
use crate::order::by_key;

/// What a file held.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The workload.
    pub workload: Workload,
    /// What was left out or is worth knowing, at most one note of a kind and field.
    pub notes: Vec<Note>,
}

/// Something that was left out or is worth knowing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What.
    pub kind: NoteKind,
    /// On how many lines.
    pub lines: usize,
    /// The first of them, from 1.
    pub first: usize,
}

/// What was left out or is worth knowing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoteKind {
    /// A field that means nothing here was left out.
    LeftOut(String),
    /// Recorded answers were left out: what a later turn is sent is the real answers.
    RecordedAnswers,
    /// The messages end with the model's own, and are sent so.
    EndsWithAnswer,
}

/// A line that can't be read, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", crate::text::import_error(crate::text::Lang::En, self))]
pub struct ImportError {
    /// From 1, blank lines counted.
    pub line: usize,
    /// Why.
    pub problem: LineProblem,
}

/// Why a line can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineProblem {
    /// Not JSON.
    NotJson(String),
    /// JSON, but not an object.
    NotObject,
    /// None of the fields that ask something.
    NoQuestion,
    /// Two of the fields that ask something, or that say the same.
    Two(String, String),
    /// A field holds something else than it should.
    Field {
        /// Which, as a path.
        field: String,
        /// What it should hold.
        wanted: Wanted,
    },
    /// Some turns of a conversation are numbered and this one is not.
    NoTurn(String),
    /// The case can't be sent or judged.
    Case(CaseProblem),
    /// The file is larger than [`MAX_BYTES`], reached on this line.
    TooLarge,
    /// There are more cases than [`MAX_CASES`], reached on this line.
    TooMany,
    /// The file holds no case.
    Empty,
}

/// What a field should hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A text.
    Text,
    /// A text or a whole number.
    Name,
    /// A whole number from 1 to [`super::MAX_OUTPUT`].
    Tokens,
    /// A whole number, 0 or more.
    Count,
    /// true or false.
    Flag,
    /// A text or a list of texts.
    Texts,
    /// An object.
    Object,
    /// A list of objects with `role` and `content`.
    Messages,
    /// A list of objects with `from` and `value`.
    Exchange,
    /// `system`, `developer`, `user` or `assistant` (in `conversations` also `human`, `gpt` and the like).
    Role,
    /// A text, or a list of parts.
    Content,
    /// `normal`, `hard` or `adversarial`.
    Class,
}

/// What one line holds.
#[derive(Default)]
struct Line {
    /// One case; of a whole conversation, one a turn.
    cases: Vec<Case>,
    /// The conversation and the turn's number, as given.
    conversation: Option<(String, Option<u32>)>,
    /// The workload's name and version.
    head: Option<(String, String)>,
    notes: Vec<NoteKind>,
}

/// A case on its way: where it came from, and where it belongs.
struct Found {
    line: usize,
    case: Case,
    turn: Option<u32>,
}

/// Cases of one conversation, or one case.
struct Group {
    name: Option<String>,
    found: Vec<Found>,
}

/// Reads a file.
pub fn import(text: &str) -> Result<Imported, Vec<ImportError>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.len() > MAX_BYTES {
        let line = text.as_bytes()[..MAX_BYTES].iter().filter(|b| **b == b'\n').count() + 1;
        return Err(vec![ImportError { line, problem: LineProblem::TooLarge }]);
    }
    let mut reading = Reading::default();
    for (at, raw) in text.split('\n').enumerate() {
        let raw = raw.trim();
        if raw.is_empty() {
            continue;
        }
        match line::read(raw) {
            Ok(read) => reading.take(at + 1, read),
            Err(problem) => reading.errors.push(ImportError { line: at + 1, problem }),
        }
        if reading.count > MAX_CASES {
            return Err(vec![ImportError { line: at + 1, problem: LineProblem::TooMany }]);
        }
    }
    reading.finish()
}

#[derive(Default)]
struct Reading {
    head: (String, String),
    groups: Vec<Group>,
    named: HashMap<String, usize>,
    count: usize,
    notes: BTreeMap<NoteKind, (usize, usize)>,
    errors: Vec<ImportError>,
}

impl Reading {
    fn take(&mut self, line: usize, read: Line) {
        let kinds: BTreeSet<NoteKind> = read.notes.into_iter().collect();
        for kind in kinds {
            self.notes.entry(kind).or_insert((0, line)).0 += 1;
        }
        self.head = read.head.unwrap_or_else(|| std::mem::take(&mut self.head));
        self.count += read.cases.len();
        let whole = read.cases.len() > 1;
        let (name, turn) = read.conversation.unzip();
        let found = read.cases.into_iter().map(|case| Found { line, case, turn: turn.flatten() });
        match name.as_ref().and_then(|name| self.named.get(name)) {
            Some(group) => self.groups[*group].found.extend(found),
            None => {
                if let Some(name) = &name {
                    self.named.insert(name.clone(), self.groups.len());
                }
                // A whole conversation on one line goes by its id, or gets a name at the end.
                let name = name.or_else(|| whole.then(String::new));
                self.groups.push(Group { name, found: found.collect() });
            }
        }
    }

    fn finish(mut self) -> Result<Imported, Vec<ImportError>> {
        let (mut cases, mut lines) = (Vec::with_capacity(self.count), Vec::with_capacity(self.count));
        let mut number = 0;
        for mut group in self.groups {
            if let Some(name) = group.name.as_mut() {
                let auto = format!("case-{}", number + 1);
                order(name, &mut group.found, &mut self.errors);
                name_turns(name, auto, &mut group.found);
            }
            for Found { line, mut case, .. } in group.found {
                number += 1;
                if case.id.is_empty() {
                    case.id = format!("case-{number}");
                }
                cases.push(case);
                lines.push(line);
            }
        }
        if cases.is_empty() && self.errors.is_empty() {
            self.errors.push(ImportError { line: 1, problem: LineProblem::Empty });
        }
        // What is said of a turn's place holds only if every line could be read.
        if self.errors.is_empty() {
            let wrong = case::read_all(&cases).err().unwrap_or_default();
            self.errors.extend(
                wrong.into_iter().map(|(at, problem)| ImportError { line: lines[at], problem: LineProblem::Case(problem) }),
            );
        }
        if !self.errors.is_empty() {
            by_key(&mut self.errors, |e| e.line);
            return Err(self.errors);
        }
        let notes = self.notes.into_iter().map(|(kind, (lines, first))| Note { kind, lines, first }).collect();
        let (name, version) = self.head;
        Ok(Imported { workload: Workload { name, version, source: Source::Cases(cases) }, notes })
    }
}

/// Puts a conversation's turns in order: by their numbers, from 0 or from 1, or as they stand in the file.
fn order(name: &str, found: &mut [Found], errors: &mut Vec<ImportError>) {
    if found.iter().all(|f| f.turn.is_none()) {
        for (at, found) in (1..).zip(found) {
            found.turn = Some(at);
        }
        return;
    }
    for found in found.iter().filter(|f| f.turn.is_none()) {
        errors.push(ImportError { line: found.line, problem: LineProblem::NoTurn(name.to_owned()) });
    }
    by_key(found, |f| f.turn);
    if found.first().is_some_and(|f| f.turn == Some(0)) {
        found.iter_mut().for_each(|f| f.turn = f.turn.map(|turn| turn.saturating_add(1)));
    }
}

fn name_turns(name: &str, auto: String, found: &mut [Found]) {
    let line_id = found.first().map(|f| f.case.id.clone()).filter(|id| !id.is_empty());
    let whole = name.is_empty();
    let conversation = if whole { line_id.unwrap_or(auto) } else { name.to_owned() };
    for Found { case, turn, .. } in found {
        let index = turn.unwrap_or_default();
        if whole {
            case.id = format!("{conversation}/{index}");
        }
        case.turn = Some(Turn { conversation: conversation.clone(), index });
    }
}

#[cfg(test)]
mod tests;
