//! How long does it take to read a request of a very long run backwards, the first one and every other?
//! `cargo run --release -p firstlight-core --example walk RUN.json`

use std::time::{Duration, Instant};

use firstlight_core::diagnosis::{Walks, walk};
use firstlight_core::report::Run;
use firstlight_core::text::Lang;

/// So many are opened.
const OPENED: usize = 200;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("name a run file")?;
    let run = Run::from_json(&std::fs::read_to_string(file)?)?;
    let ids: Vec<u32> = run.traces.iter().step_by((run.traces.len() / OPENED).max(1)).map(|t| t.planned.id).collect();
    let mut walks = Walks::new(&run);
    let times: Vec<Duration> = ids
        .iter()
        .map(|id| {
            let begun = Instant::now();
            walks.walk(*id, Lang::En);
            begun.elapsed()
        })
        .collect();
    let (first, mut others) = (times[0], times[1..].to_vec());
    others.sort_unstable();
    println!("{} requests: the first took {first:?}", run.traces.len());
    println!("{} others: median {:?}, longest {:?}", others.len(), others[others.len() / 2], others[others.len() - 1]);
    let begun = Instant::now();
    walk(&run, ids[ids.len() / 2], Lang::En);
    println!("one alone, with nothing kept: {:?}", begun.elapsed());
    Ok(())
}
