//! Under which keys is what kept?
//!
//! | key | text |
//! |---|---|
//! | `settings` | [`Settings`] |
//! | `live/ID` | the head of a run under way |
//! | `live/ID/REQUEST` | a request of it that is over, as a list of one |
//! | `run/ID` | the head of a run that is over |
//! | `run/ID/NUMBER` | some of its requests, in the order of the plan |
//! | `entry/ID` | [`Entry`] |

use super::{Entry, Settings};

/// Where settings are.
pub const SETTINGS: &str = "settings";
/// Where runs under way are.
pub const LIVE: &str = "live";
/// Where runs that are over are.
pub const RUNS: &str = "run";
/// Where the list of these is.
pub const ENTRIES: &str = "entry";

/// One change of what is kept. Those that are made together are made as a whole or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A text, in the place of what was there.
    Put(String, String),
    /// What is under a key, and under all that begin with it and `/`, is gone.
    Remove(String),
}

/// A name for a run: names sort by time, and all are of one length.
pub fn new_id(created: &str, seed: u64) -> String {
    let time: String = created.chars().filter(char::is_ascii_alphanumeric).take(18).collect();
    format!("{time:0<18}-{:08x}", seed & 0xffff_ffff)
}

/// The key of a run in one of the places.
pub fn of(place: &str, id: &str) -> String {
    format!("{place}/{id}")
}

/// The runs that keys under [`LIVE`] are of, each once; the keys are in their order.
pub fn under_way(keys: &[String]) -> Vec<String> {
    let id = |key: &String| Some(key.strip_prefix(LIVE)?.strip_prefix('/')?.split('/').next()?.to_owned());
    let mut ids: Vec<String> = keys.iter().filter_map(id).collect();
    ids.dedup();
    ids
}

/// What is held as long as a run has a page.
pub fn lock(id: &str) -> String {
    format!("firstlight-run/{id}")
}

fn numbered(place: &str, id: &str, number: u32) -> String {
    format!("{place}/{id}/{number:08}")
}

/// A run begins.
pub fn begun(id: &str, head: String) -> Change {
    Change::Put(of(LIVE, id), head)
}

/// One of its requests is over. What is known of it later stands in the place of this.
pub fn saved(id: &str, request: u32, list_of_one: String) -> Change {
    Change::Put(numbered(LIVE, id, request), list_of_one)
}

/// A piece of a run that is over.
pub fn piece(id: &str, number: u32, requests: String) -> Change {
    Change::Put(numbered(RUNS, id, number), requests)
}

/// All pieces are there: the run is in the list, and what was saved of it while it went on is not needed any more.
pub fn finished(entry: &Entry, head: String) -> Vec<Change> {
    let id = &entry.id;
    vec![Change::Put(of(RUNS, id), head), entry.put(), Change::Remove(of(LIVE, id))]
}

/// A run is gone.
pub fn removed(id: &str) -> Vec<Change> {
    [ENTRIES, RUNS, LIVE].map(|place| Change::Remove(of(place, id))).into()
}

impl Entry {
    /// The entry as it is now, in the place of what it was.
    pub fn put(&self) -> Change {
        Change::Put(of(ENTRIES, &self.id), serde_json::to_string(self).unwrap_or_default())
    }
}

impl Settings {
    /// The settings as they are now, in the place of what they were.
    pub fn put(&self) -> Change {
        Change::Put(SETTINGS.to_owned(), serde_json::to_string(self).unwrap_or_default())
    }
}
