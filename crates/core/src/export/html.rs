//! A run as one HTML file: the parts and the charts of the page's results. It loads nothing and runs nothing, and a policy in it
//! says so; it is well-formed XML too.

use super::content::{Content, holds_figures};
use crate::chart::svg::{self, escaped};
use crate::chart::{Chart, Figure, KeyLine, Sheet, Size, height_of, metrics_of};
use crate::metrics::Metric;
use crate::report::Run;
use crate::sections::{Section, Table, Tone};
use crate::summary::{Headline, Role};
use crate::text::{Cht, Exp, Lang};

/// Nothing may be loaded or run; styles are those in the file.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
/// As wide as a sheet of A4 has room for at 96 pixels an inch.
const WIDTH: f64 = 700.0;
const STATS: [&str; 8] = ["p50", "p90", "p95", "p99", "p99.9", "max", "mean", "sd"];

/// The text.
pub(super) fn write(run: &Run, lang: Lang) -> String {
    let content = Content::of(run, lang);
    let mut page = Page(String::new());
    page.headlines(&content);
    page.section(&content.picture());
    let mut sections = content.sections();
    let decided = sections.iter().take_while(|part| ["decision", "versus", "diagnosis"].contains(&part.id)).count();
    sections.drain(..decided).for_each(|part| page.section(&part));
    page.charts(&content);
    page.section(&content.figures(&STATS));
    sections.iter().for_each(|part| page.section(part));
    page.section(&content.outcomes());
    page.section(&content.pace());
    page.section(&content.context());
    page.definitions(&content);
    let title = escaped(&content.title());
    format!(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta http-equiv=\"Content-Security-Policy\" \
         content=\"{POLICY}\"/>\n<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>{title}</title>\n\
         <style>{}</style>\n</head>\n<body>\n{}\n<main>\n<h1>{title}</h1>\n{}</main>\n</body>\n</html>\n",
        lang.code(),
        include_str!("report.css"),
        svg::hatch(),
        page.0
    )
}

struct Page(String);

impl Page {
    fn line(&mut self, name: &str, class: &str, text: &str) {
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        self.0.push_str(&format!("<{name}{class}>{}</{name}>\n", escaped(text)));
    }

    fn headlines(&mut self, content: &Content<'_>) {
        for line in content.headlines() {
            let Headline { seen, against_server, context, .. } = &line;
            self.line("p", "lead", seen);
            self.line("p", "", against_server);
            self.line("p", "context", context);
        }
        let roles = Role::ALL.into_iter().filter(|role| *role != Role::Way || !content.run.probes.before.is_empty());
        self.0.push_str("<ul class=\"legend\">");
        for role in roles {
            self.0.push_str(&format!(
                "<li><svg width=\"12\" height=\"12\" aria-hidden=\"true\"><rect width=\"12\" height=\"12\" fill=\"{}\"/></svg> {}</li>",
                fill_of(role),
                escaped(role.name(content.lang))
            ));
        }
        self.0.push_str("</ul>\n");
    }

    fn section(&mut self, part: &Section) {
        self.0.push_str(&format!("<section id=\"{}\">\n", part.id));
        self.line("h2", "", &part.title);
        for (tone, text) in &part.sentences {
            let (class, mark) = match tone {
                Tone::Plain => ("", ""),
                Tone::Good => ("strong", "● "),
                Tone::Warn => ("strong warn", "▲ "),
            };
            self.line("p", class, &format!("{mark}{text}"));
        }
        part.tables.iter().for_each(|of| self.table(of));
        if !part.context.is_empty() {
            self.line("p", "context", &part.context);
        }
        self.0.push_str("</section>\n");
    }

    fn table(&mut self, table: &Table) {
        let class = |at: usize| if holds_figures(table, at) { " class=\"n\"" } else { "" };
        self.0.push_str("<div class=\"scroll\" tabindex=\"0\" role=\"group\"><table>");
        if !table.caption.is_empty() {
            self.line("caption", "", &table.caption);
        }
        if !table.head.is_empty() {
            let cell = |(at, text): (usize, &String)| format!("<th scope=\"col\"{}>{}</th>", class(at), escaped(text));
            self.0
                .push_str(&format!("<thead><tr>{}</tr></thead>", table.head.iter().enumerate().map(cell).collect::<String>()));
        }
        self.0.push_str("<tbody>");
        for row in &table.rows {
            let cell = |(at, text): (usize, &String)| match at {
                0 => format!("<th scope=\"row\">{}</th>", escaped(text)),
                _ => format!("<td{}>{}</td>", class(at), with_interval(text, holds_figures(table, at))),
            };
            self.0.push_str(&format!("<tr>{}</tr>", row.iter().enumerate().map(cell).collect::<String>()));
        }
        self.0.push_str("</tbody></table></div>\n");
    }

    fn charts(&mut self, content: &Content<'_>) {
        self.0.push_str("<section id=\"charts\">\n");
        self.line("h2", "", Cht::Title.get(content.lang));
        let modes = content.run.config.modes();
        for (at, mode) in modes.iter().enumerate() {
            if modes.len() > 1 {
                self.line("h3", "", content.mode(*mode));
            }
            let metric = metrics_of(&content.summary, *mode).first().copied().unwrap_or(Metric::FirstAnswer);
            for chart in Chart::ALL.into_iter().filter(|chart| at == 0 || !chart.is_of_run()) {
                let size = Size { width: WIDTH, height: height_of(chart) };
                let sheet = Sheet { run: content.run, summary: &content.summary, mode: *mode, size, lang: content.lang };
                if let Some(figure) = chart.draw(&sheet, metric) {
                    self.figure(&figure, content.lang);
                }
            }
        }
        self.0.push_str("</section>\n");
    }

    fn figure(&mut self, figure: &Figure, lang: Lang) {
        self.0.push_str("<figure>\n");
        self.line("figcaption", "", &figure.title);
        if !figure.is_empty() {
            self.0.push_str(&svg::inline(figure));
            let item = |line: &KeyLine| format!("<li>{} {}</li>", svg::inline_key(line), escaped(&line.name));
            self.0.push_str(&format!("\n<ul class=\"legend\">{}</ul>\n", figure.key.iter().map(item).collect::<String>()));
        }
        figure.notes.iter().for_each(|note| self.line("p", "quiet", note));
        self.line("p", "context", &figure.context);
        if !figure.is_empty() && !figure.table.rows.is_empty() {
            self.0.push_str(&format!("<details><summary>{}</summary>", escaped(Cht::AsTable.get(lang))));
            self.table(&figure.table);
            self.0.push_str("</details>\n");
        }
        self.0.push_str("</figure>\n");
    }

    fn definitions(&mut self, content: &Content<'_>) {
        self.0.push_str("<section id=\"definitions\">\n");
        self.line("h2", "", Exp::Definitions.get(content.lang));
        self.0.push_str("<dl>");
        for (name, definition) in content.definitions() {
            self.line("dt", "", name);
            self.line("dd", "", definition);
        }
        self.0.push_str("</dl>\n</section>\n");
    }
}

/// A figure with its interval below it.
fn with_interval(text: &str, figure: bool) -> String {
    match text.split_once(" (").filter(|_| figure).and_then(|(value, rest)| Some((value, rest.strip_suffix(')')?))) {
        Some((value, interval)) => format!("{}<small>{}</small>", escaped(value), escaped(interval)),
        None => escaped(text),
    }
}

fn fill_of(role: Role) -> &'static str {
    match role {
        Role::Server => "var(--server)",
        Role::Received => "var(--received)",
        Role::Seen => "var(--seen-fill)",
        Role::Way => "var(--way)",
        Role::Unattributed => "url(#hatch)",
    }
}

#[cfg(test)]
mod tests;
