//! A run as a summary for a pull request: the sentences, what every number carries, the figures, the ends, and what was decided.

use super::content::{Content, holds_figures};
use crate::report::Run;
use crate::sections::{Section, Table, Tone};
use crate::text::Lang;

/// Percentiles that have a column.
const STATS: [&str; 3] = ["p50", "p95", "p99"];
/// What a reviewer wants to know of what follows.
const SECTIONS: [&str; 5] = ["decision", "versus", "limits", "quality", "load"];

/// The text.
pub(super) fn write(run: &Run, lang: Lang) -> String {
    let content = Content::of(run, lang);
    let mut out = format!("## {}\n", escaped(&content.title()));
    for line in content.headlines() {
        out.push_str(&format!("\n**{}** {}\n", escaped(&line.seen), escaped(&line.against_server)));
        out.push_str(&format!("\n<sub>{}</sub>\n", escaped(&line.context)));
    }
    let sections = content.sections().into_iter().filter(|part| SECTIONS.contains(&part.id));
    let (decided, others): (Vec<_>, Vec<_>) = sections.partition(|part| part.id == "decision");
    let parts = decided.into_iter().chain([content.figures(&STATS), content.outcomes()]).chain(others);
    for part in parts.chain([content.pace(), content.context()]) {
        section(&mut out, &part);
    }
    out
}

fn section(out: &mut String, part: &Section) {
    out.push_str(&format!("\n### {}\n", escaped(&part.title)));
    for (tone, text) in &part.sentences {
        let mark = match tone {
            Tone::Plain => "",
            Tone::Good => "● ",
            Tone::Warn => "▲ ",
        };
        out.push_str(&format!("\n{mark}{}\n", escaped(text)));
    }
    part.tables.iter().for_each(|of| table(out, of));
}

/// Figures stand to the right.
fn table(out: &mut String, table: &Table) {
    if !table.caption.is_empty() {
        out.push_str(&format!("\n{}\n", escaped(&table.caption)));
    }
    let Some(width) = table.rows.iter().chain([&table.head]).map(Vec::len).max().filter(|width| *width > 0) else { return };
    let line = |cells: &[String]| {
        let cell = |at: usize| cells.get(at).map(|text| escaped(text)).unwrap_or_default();
        format!("| {} |\n", (0..width).map(cell).collect::<Vec<_>>().join(" | "))
    };
    let rule = |at: usize| if holds_figures(table, at) { "---:" } else { "---" };
    let rules: Vec<&str> = (0..width).map(rule).collect();
    out.push_str(&format!("\n{}| {} |\n", line(&table.head), rules.join(" | ")));
    table.rows.iter().for_each(|row| out.push_str(&line(row)));
}

/// Text that stays text: nothing in it becomes markup, a link, an address of a person or the end of a cell.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let inside_a_word = before.is_alphanumeric() && rest.peek().is_some_and(|next| next.is_alphanumeric());
        match c {
            '\n' | '\r' | '\t' => out.push(' '),
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '_' if inside_a_word => out.push('_'),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '!' => {
                out.push('\\');
                out.push(c);
            }
            // What a host would take for somebody's name.
            '@' => out.push_str("@\u{2060}"),
            c if c.is_control() => {}
            c => out.push(c),
        }
        before = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use pulldown_cmark::{Event, Options, Parser, Tag};

    /// What a reader of GitHub's dialect sees.
    fn read(markdown: &str) -> (String, Vec<String>) {
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
        let (mut text, mut other) = (String::new(), Vec::new());
        for event in Parser::new_ext(markdown, options) {
            match event {
                Event::Text(t) => text.push_str(&t),
                Event::Start(Tag::Paragraph) | Event::End(_) => {}
                event => other.push(format!("{event:?}")),
            }
        }
        (text, other)
    }

    #[test]
    fn what_others_wrote_stays_text() {
        for said in [
            "a|b",
            "*x* _y_ `z` ~~q~~ # h",
            "<script>alert(1)</script>",
            "[link](http://x) ![image](http://x)",
            "p95(first_visible)<=800ms & more",
            "back\\slash\\|",
            "snake_case_name and _private_",
            "&lt;b&gt;",
        ] {
            assert_eq!(read(&escaped(said)), (said.to_owned(), Vec::new()), "{}", escaped(said));
        }
        assert_eq!(escaped("two\nlines"), "two lines");
        assert!(!escaped("ask @somebody").contains("@s"));
    }

    #[test]
    fn a_table_keeps_its_cells() {
        let of = Table {
            caption: String::new(),
            head: vec!["A".into(), "B".into()],
            rows: vec![vec!["a|b".into(), "1".into()], vec!["c".into()]],
        };
        let mut out = String::new();
        table(&mut out, &of);
        assert_eq!(out, "\n| A | B |\n| --- | ---: |\n| a\\|b | 1 |\n| c |  |\n");
        let mut bare = String::new();
        table(&mut bare, &Table { head: Vec::new(), rows: vec![vec!["Load".into(), "closed".into()]], ..Table::default() });
        assert_eq!(bare, "\n|  |  |\n| --- | --- |\n| Load | closed |\n");
    }
}
