//! A run's summary, as text.

use firstlight_core::report::Run;
use firstlight_core::summary::{Summary, headline, table};
use firstlight_core::text::{Lang, outcome};
use firstlight_core::trace::Mode;

/// Statistics that have a column.
const COLUMNS: [&str; 2] = ["p50", "p95"];

/// Prints a summary; true if some requests failed.
pub(super) fn print(run: &Run, lang: Lang) -> bool {
    let summary = Summary::of(run);
    for line in headline(run, &summary, lang) {
        println!("{}\n{}\n{}\n", line.seen, line.against_server, line.context);
    }
    for (mode, how, count) in &summary.outcomes {
        println!("{count:>6}  {}  ({})", outcome(lang, how), written(*mode));
    }
    println!();
    for row in table(run, &summary, lang).iter().filter(|row| !row.cells.is_empty()) {
        let figure = |stat: &&str| row.cells.iter().find(|c| c.stat == *stat).map(|c| format!("{stat} {:>8}", c.text));
        let figures: Vec<String> = COLUMNS.iter().filter_map(figure).collect();
        println!("{}  {} ({}), n = {}", figures.join("  "), row.name, row.unit, row.n);
    }
    summary.failed() > 0
}

fn written(mode: Mode) -> &'static str {
    match mode {
        Mode::Streaming => "streaming",
        Mode::NonStreaming => "non-streaming",
    }
}
