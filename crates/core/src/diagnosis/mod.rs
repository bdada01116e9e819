//! What explains the waits of a run, which evidence says so, and what is to be done about it?
//!
//! One rule a file. Each looks at traces that other modules have judged already, and says *found*, *not found* or *can't
//! tell* with the reason. A rule does not speak before it has the number of requests that it names.

mod batching;
mod browser_queue;
mod buffered;
mod cache;
mod case;
mod client;
mod coalesced;
mod cold;
mod completion;
mod compression;
mod hidden;
mod preflight;
mod rank;
mod render;
mod server_queue;
mod stage;
mod tail;
mod unit;
mod unreadable;
mod usual;
mod walk;

pub use stage::Stage;
pub use walk::{State, Step, StepVerdict, Walk, Walks, walk};

use crate::report::Run;
use crate::summary::Summary;
use crate::text::{Dia, Lang};
use case::Case;

/// The smallest sample of which a rule speaks: the smallest whose median has a 95 % interval with both ends
/// ([`crate::stats::minimum_n`]).
pub const ENOUGH: usize = 6;
/// A property of the path (a buffer, a compressor, a preflight) shows in at least this share of the requests that can show
/// it: then the typical request has it, and what a few of many show is an accident of theirs.
pub const TYPICAL: f64 = 0.5;
/// What is met in this share of the requests is in the p95, and so in what slow users see.
pub const TAIL: f64 = 0.05;
/// One request alone may be an accident whatever its share is.
pub const NOT_ALONE: usize = 2;
/// A time that is less than this share of the waits in which it lies would not be worth a change: ordinary scatter from one
/// request to the next is larger.
pub const MATTERS: f64 = 0.05;

/// A rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// Something collected outputs before passing them on.
    Buffered,
    /// A compressor held the stream.
    Compression,
    /// The wait grows with what is under way while the server's reported time does not.
    ServerQueue,
    /// Requests waited for one of the browser's connections.
    BrowserQueue,
    /// A preflight before each request.
    Preflight,
    /// Connections opened for requests.
    Cold,
    /// The client could not keep up.
    Client,
    /// Arrived, not painted.
    Render,
    /// Several outputs in one read.
    Coalesced,
    /// The page was hidden, frozen or throttled.
    Hidden,
    /// The server's report is in another unit than it says.
    Unit,
    /// A header that can't be read.
    Unreadable,
    /// Throughput rose while the first output came later.
    Batching,
    /// Streaming did not change completion.
    Completion,
    /// One number hides the tail.
    Tail,
    /// A cache made it fast.
    Cache,
}

impl Rule {
    /// Every rule, in the order in which those with equal weight are listed.
    pub const ALL: [Rule; 16] = [
        Rule::Hidden,
        Rule::Client,
        Rule::Unit,
        Rule::ServerQueue,
        Rule::BrowserQueue,
        Rule::Preflight,
        Rule::Cold,
        Rule::Compression,
        Rule::Buffered,
        Rule::Coalesced,
        Rule::Render,
        Rule::Batching,
        Rule::Tail,
        Rule::Cache,
        Rule::Completion,
        Rule::Unreadable,
    ];

    /// The stable name.
    pub fn code(self) -> &'static str {
        match self {
            Rule::Buffered => "buffered_upstream",
            Rule::Compression => "compression_holds",
            Rule::ServerQueue => "queue_outside_report",
            Rule::BrowserQueue => "browser_queue",
            Rule::Preflight => "preflight_each_time",
            Rule::Cold => "cold_connections",
            Rule::Client => "client_limited",
            Rule::Render => "render_bound",
            Rule::Coalesced => "coalesced_reads",
            Rule::Hidden => "hidden_or_throttled",
            Rule::Unit => "server_unit",
            Rule::Unreadable => "unreadable_header",
            Rule::Batching => "batching",
            Rule::Completion => "completion_unchanged",
            Rule::Tail => "hidden_tail",
            Rule::Cache => "cache_made_it_fast",
        }
    }

    /// What it is about, in a few words.
    pub fn title(self, lang: Lang) -> &'static str {
        match self {
            Rule::Buffered => Dia::BufferedTitle,
            Rule::Compression => Dia::CompressionTitle,
            Rule::ServerQueue => Dia::ServerQueueTitle,
            Rule::BrowserQueue => Dia::BrowserQueueTitle,
            Rule::Preflight => Dia::PreflightTitle,
            Rule::Cold => Dia::ColdTitle,
            Rule::Client => Dia::ClientTitle,
            Rule::Render => Dia::RenderTitle,
            Rule::Coalesced => Dia::CoalescedTitle,
            Rule::Hidden => Dia::HiddenTitle,
            Rule::Unit => Dia::UnitTitle,
            Rule::Unreadable => Dia::UnreadableTitle,
            Rule::Batching => Dia::BatchingTitle,
            Rule::Completion => Dia::CompletionTitle,
            Rule::Tail => Dia::TailTitle,
            Rule::Cache => Dia::CacheTitle,
        }
        .get(lang)
    }

    fn check(self, case: &Case<'_>) -> Result<Told, String> {
        match self {
            Rule::Buffered => buffered::check(case),
            Rule::Compression => compression::check(case),
            Rule::ServerQueue => server_queue::check(case),
            Rule::BrowserQueue => browser_queue::check(case),
            Rule::Preflight => preflight::check(case),
            Rule::Cold => cold::check(case),
            Rule::Client => client::check(case),
            Rule::Render => render::check(case),
            Rule::Coalesced => coalesced::check(case),
            Rule::Hidden => hidden::check(case),
            Rule::Unit => unit::check(case),
            Rule::Unreadable => unreadable::check(case),
            Rule::Batching => batching::check(case),
            Rule::Completion => completion::check(case),
            Rule::Tail => tail::check(case),
            Rule::Cache => cache::check(case),
        }
    }
}

/// What a rule says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The evidence is there.
    Found,
    /// The evidence is missing that would decide.
    CantTell,
    /// The evidence is against it.
    NotFound,
}

impl Verdict {
    /// The stable name.
    pub fn code(self) -> &'static str {
        match self {
            Verdict::Found => "found",
            Verdict::CantTell => "cant_tell",
            Verdict::NotFound => "not_found",
        }
    }
}

/// What one rule says of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Which rule.
    pub rule: Rule,
    /// What it says.
    pub verdict: Verdict,
    /// What it is about.
    pub title: String,
    /// The figures with their n: a sentence if found, else a few words; why it can't tell and what it needs.
    pub evidence: String,
    /// What to do; empty if not found.
    pub advice: String,
    /// The requests that show it; may be empty.
    pub requests: Vec<u32>,
    /// The share of the waits that it explains, where that is known.
    pub share: Option<f64>,
}

/// What a rule that could tell says.
struct Told {
    found: bool,
    evidence: String,
    advice: String,
    requests: Vec<u32>,
    share: Option<f64>,
}

impl Told {
    fn found(evidence: String, advice: String, requests: Vec<u32>, share: Option<f64>) -> Told {
        Told { found: true, evidence, advice, requests, share }
    }

    fn not_found(evidence: String) -> Told {
        Told { found: false, evidence, advice: String::new(), requests: Vec::new(), share: None }
    }
}

/// What every rule says: what was found first (the largest share of the waits before, unknown shares behind), then what can't
/// be told, then what was not found. `summary` is that of the run.
pub fn diagnose(run: &Run, summary: &Summary, lang: Lang) -> Vec<Finding> {
    let case = Case::new(run, summary, lang);
    let mut findings: Vec<Finding> = Rule::ALL.into_iter().map(|rule| finding(rule, &case)).collect();
    // Stable: rules with equal weight keep their order.
    findings.sort_by(|a, b| a.verdict.cmp(&b.verdict).then(b.share.unwrap_or(-1.0).total_cmp(&a.share.unwrap_or(-1.0))));
    findings
}

fn finding(rule: Rule, case: &Case<'_>) -> Finding {
    let title = rule.title(case.lang).to_owned();
    match rule.check(case) {
        Ok(told) => Finding {
            rule,
            verdict: if told.found { Verdict::Found } else { Verdict::NotFound },
            title,
            evidence: told.evidence,
            advice: told.advice,
            requests: told.requests,
            share: told.share,
        },
        Err(why) => Finding {
            rule,
            verdict: Verdict::CantTell,
            title,
            evidence: why,
            advice: String::new(),
            requests: Vec::new(),
            share: None,
        },
    }
}

#[cfg(test)]
mod tests;
