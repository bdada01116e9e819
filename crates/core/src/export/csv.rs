//! Samples as CSV (RFC 4180): a row for each request; an empty cell has its reason in the last column.

use super::samples::{Cell, Of, columns};
use crate::report::Run;

/// The text.
pub(super) fn write(run: &Run) -> String {
    let (of, columns) = (Of::run(run), columns());
    let names: Vec<String> = columns.iter().map(|column| column.name()).collect();
    let mut out = names.join(",");
    out.push_str(",absent\r\n");
    for trace in &run.traces {
        let mut absent = String::new();
        for (column, name) in columns.iter().zip(&names) {
            match column.told(&of, trace) {
                Ok(cell) => out.push_str(&text(cell)),
                Err(why) => absent.push_str(&format!("{}{name}={why}", if absent.is_empty() { "" } else { ";" })),
            }
            out.push(',');
        }
        out.push_str(&absent);
        out.push_str("\r\n");
    }
    out
}

fn text(cell: Cell) -> String {
    match cell {
        Cell::Code(code) => code.to_owned(),
        Cell::Text(text) => quoted(&guarded(&text)),
        Cell::Flag(holds) => holds.to_string(),
        Cell::Count(n) => n.to_string(),
        Cell::Thousandths(n) => thousandths(n),
        Cell::Parts(parts) => quoted(&parts.to_string()),
    }
}

/// Three decimals, exactly.
fn thousandths(n: i64) -> String {
    let sign = if n < 0 { "-" } else { "" };
    format!("{sign}{}.{:03}", n.unsigned_abs() / 1000, n.unsigned_abs() % 1000)
}

/// A text that a spreadsheet would take for a formula begins with an apostrophe.
fn guarded(text: &str) -> String {
    let formula = |c: char| matches!(c, '=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '＝' | '＋' | '－' | '＠');
    if text.trim_start_matches(' ').starts_with(formula) { format!("'{text}") } else { text.to_owned() }
}

/// Quoted where it holds what would end a cell.
fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\r', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_guarded_and_separators_quoted() {
        let check = |said: &str, want: &str| assert_eq!(text(Cell::Text(said.into())), want);
        check("plain", "plain");
        check("=1+1", "'=1+1");
        check(" =HYPERLINK(\"http://x\",\"y\")", "\"' =HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"");
        check("@x", "'@x");
        check("-x\n+y", "\"'-x\n+y\"");
        check("\tx", "'\tx");
        check("a,b", "\"a,b\"");
        // Numbers are no texts: a negative one stays a number.
        assert_eq!(text(Cell::Thousandths(-1)), "-0.001");
        assert_eq!(text(Cell::Thousandths(1_234_567)), "1234.567");
        assert_eq!(text(Cell::Thousandths(-61_050)), "-61.050");
    }
}
