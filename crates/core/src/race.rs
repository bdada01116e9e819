//! Streaming against not streaming: what is sent for a race, what one race showed, and what many pairs say.
//!
//! A race is an ordinary run, twice: once with every lane at the same moment, for people to watch; and in interleaved pairs,
//! one request at a time, for a verdict. Lanes at the same moment compete for one server and one browser, so the first of
//! these is never a verdict.

mod link;
mod margin;
mod one;
mod press;
#[cfg(test)]
mod tests;
mod verdict;

pub use link::{RaceSetup, Target};
pub use margin::{Margin, NoMargin};
pub use one::{LaneLine, OneRace, competing, lane_lines, lane_name, one, press_lines, sentence};
pub use press::{Agreement, Pressed, agreement, caused_by};
pub use verdict::{Compared, MAX_PAIRS, MIN_PAIRS, Verdicts, verdict_section, verdicts};

use crate::config::{ModeChoice, RunConfig, TargetKind};
use crate::load::{Cases, Load, Versus, What, plan};
use crate::order::by_key;
use crate::trace::Mode;
use crate::workload::{CacheMode, Workload};

/// One lane of a race at the same moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Streaming, or not.
    pub mode: Mode,
    /// 1: at the second endpoint.
    pub arm: u8,
    /// The request that runs in it, as its place in the plan.
    pub id: u32,
}

/// What every race leaves out of a configuration: it asks one prompt, and judges nothing but its lanes.
fn plain(config: &RunConfig) -> RunConfig {
    RunConfig {
        mode: ModeChoice::Both,
        load: Load::default(),
        workload: Workload::default(),
        cache: CacheMode::AsIs,
        confirmation: false,
        thresholds: Vec::new(),
        stop_rules: Vec::new(),
        decision: None,
        ..config.clone()
    }
}

/// Every lane at the same moment: two requests, or four where the configuration has a second endpoint. No warm-up: what is
/// watched begins with the click.
pub fn at_once(config: &RunConfig) -> RunConfig {
    let versus = second(config).map(|what| Versus { what: what.clone(), one_in: 2 });
    let lanes = if versus.is_some() { 4 } else { 2 };
    // Requests are counted a mode where that is all there is, else all of them.
    let requests = if versus.is_some() { lanes } else { 1 };
    RunConfig { versus, requests, concurrency: lanes, warmup: 0, ..plain(config) }
}

/// Interleaved pairs of one endpoint, one request at a time; the first pair is a warm-up. `arm` 1 is the second endpoint.
pub fn in_pairs(config: &RunConfig, pairs: u32, arm: u8) -> RunConfig {
    let mut of_arm = plain(&config.of_arm(arm));
    if arm == 1 {
        of_arm.target = TargetKind::Own;
    }
    RunConfig { versus: None, requests: pairs, concurrency: 1, warmup: 1, ..of_arm }
}

/// The other endpoint, where there is one.
fn second(config: &RunConfig) -> Option<&What> {
    config.versus.as_ref().map(|versus| &versus.what).filter(|what| matches!(what, What::Endpoint { .. }))
}

/// The arms of a configuration.
pub fn arms(config: &RunConfig) -> &'static [u8] {
    if second(config).is_some() { &[0, 1] } else { &[0] }
}

/// The lanes of [`at_once`]: the first endpoint before the second, streaming before not. The order in which they are sent is
/// that of their ids, which the seed draws.
pub fn lanes(config: &RunConfig) -> Vec<Lane> {
    let sent = plan(config, &Cases::ONE, config.concurrency);
    let mut lanes: Vec<Lane> = sent.iter().map(|p| Lane { mode: p.mode, arm: p.arm, id: p.id }).collect();
    by_key(&mut lanes, |lane| (lane.arm, lane.mode == Mode::NonStreaming));
    lanes
}
