//! A run's summary, as text.

use firstlight_core::report::Run;
use firstlight_core::sections::{Section, Table, Tone, sections};
use firstlight_core::summary::{Summary, headline, table};
use firstlight_core::text::{Lang, outcome};
use firstlight_core::trace::Mode;

/// Statistics that have a column.
const COLUMNS: [&str; 2] = ["p50", "p95"];

/// Prints a summary.
pub(super) fn print(run: &Run, lang: Lang) {
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
    sections(run, &summary, lang).iter().for_each(|part| print!("\n{}", text(part)));
}

/// A part of a result: its title, what it says, and its tables.
pub(super) fn text(part: &Section) -> String {
    let mut out = format!("{}\n", part.title);
    for (tone, text) in &part.sentences {
        out.push_str(&format!("{}{text}\n", if *tone == Tone::Warn { "! " } else { "" }));
    }
    part.tables.iter().for_each(|table| out.push_str(&table_of(table)));
    out
}

/// Columns as wide as their cells.
fn table_of(table: &Table) -> String {
    let mut out = String::new();
    if !table.caption.is_empty() {
        out.push_str(&format!("{}\n", table.caption));
    }
    let rows: Vec<&Vec<String>> = std::iter::once(&table.head).chain(&table.rows).collect();
    let wide = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..table.head.len()).map(wide).collect();
    for row in rows {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        out.push_str(&format!("  {}\n", cells.collect::<Vec<_>>().join("  ").trim_end()));
    }
    out
}

fn written(mode: Mode) -> &'static str {
    match mode {
        Mode::Streaming => "streaming",
        Mode::NonStreaming => "non-streaming",
    }
}
