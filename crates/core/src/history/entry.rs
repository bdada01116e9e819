//! A line of the list of kept runs: enough to recognise a run by, without opening it.

use serde::{Deserialize, Serialize};

use crate::config::{origin, redacted_url};
use crate::report::Run;
use crate::summary::{Summary, headline};
use crate::text::Lang;
use crate::typed;

/// A kept run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Entry {
    /// Its name.
    pub id: String,
    /// When it was begun, in RFC 3339.
    pub created: String,
    /// Host and port of its target.
    pub host: String,
    /// The model that was asked for.
    pub model: String,
    /// Requests in it, warm-up among them.
    pub requests: usize,
    /// Bytes of what is kept of it.
    pub bytes: u64,
    /// What a person wrote about it. A run with a note is never dropped for others.
    pub note: String,
    /// Its page ended in the middle.
    pub page_ended: bool,
    /// Its headline, in each language.
    pub said: Vec<Said>,
}

/// The headline of a run in one language.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Said {
    /// The language.
    pub lang: String,
    /// Of each mode: the sentence with its figure, and its context: boundary, workload, load and statistic.
    pub lines: Vec<(String, String)>,
}

impl Entry {
    /// The line of a run.
    pub fn of(id: &str, run: &Run, bytes: usize) -> Entry {
        let summary = Summary::of(run);
        let said = |lang: Lang| Said {
            lang: lang.code().to_owned(),
            lines: headline(run, &summary, lang).into_iter().map(|line| (line.seen, line.context)).collect(),
        };
        Entry {
            id: id.to_owned(),
            created: run.created.clone(),
            host: host(&run.config.url),
            model: run.config.model.clone(),
            requests: run.traces.len(),
            bytes: bytes as u64,
            note: String::new(),
            page_ended: run.page_ended,
            said: Lang::ALL.map(said).into(),
        }
    }

    /// From a text; none of any other.
    pub fn read(text: &str) -> Option<Entry> {
        typed::from_str(text).ok().filter(|entry: &Entry| !entry.id.is_empty())
    }

    /// The headline in a language, or in one that there is.
    pub fn lines(&self, lang: Lang) -> &[(String, String)] {
        let own = self.said.iter().find(|said| said.lang == lang.code());
        own.or(self.said.first()).map_or(&[], |said| &said.lines)
    }

    /// A person wants it kept.
    pub fn is_pinned(&self) -> bool {
        !self.note.trim().is_empty()
    }

    /// Each of these words, in small letters, is somewhere in it.
    fn has(&self, words: &[String]) -> bool {
        let lines = self.said.iter().flat_map(|said| &said.lines).flat_map(|(sentence, context)| [sentence, context]);
        let texts: Vec<String> =
            [&self.created, &self.host, &self.model, &self.note].into_iter().chain(lines).map(|t| t.to_lowercase()).collect();
        words.iter().all(|word| texts.iter().any(|text| text.contains(word)))
    }
}

/// What a person calls the place: without scheme and password.
fn host(url: &str) -> String {
    let redacted = redacted_url(url);
    let place = origin(&redacted).map_or(redacted.as_str(), |origin| origin.rsplit("://").next().unwrap_or(origin));
    place.rsplit('@').next().unwrap_or(place).to_owned()
}

/// Those in which every word of what is searched for is found, newest first.
pub fn find(entries: &[Entry], searched: &str) -> Vec<Entry> {
    let words: Vec<String> = searched.split_whitespace().map(str::to_lowercase).collect();
    let mut found: Vec<Entry> = entries.iter().filter(|entry| entry.has(&words)).cloned().collect();
    found.sort_by(|a, b| b.id.cmp(&a.id));
    found
}

/// Bytes of all of them.
pub fn taken(entries: &[Entry]) -> u64 {
    entries.iter().map(|entry| entry.bytes).sum()
}

/// Which of them go, oldest first, so that the rest keeps to the limit: none with a note, and not the one that was measured just
/// now. What is left may still be more than the limit.
pub fn over_limit(entries: &[Entry], limit: u64, newest: Option<&str>) -> Vec<String> {
    let mut over = taken(entries).saturating_sub(limit);
    let mut oldest: Vec<&Entry> = entries.iter().filter(|e| !e.is_pinned() && Some(e.id.as_str()) != newest).collect();
    oldest.sort_by(|a, b| a.id.cmp(&b.id));
    let mut dropped = Vec::new();
    for entry in oldest {
        if over == 0 {
            break;
        }
        over = over.saturating_sub(entry.bytes);
        dropped.push(entry.id.clone());
    }
    dropped
}
