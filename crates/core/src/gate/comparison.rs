//! A comparison of two runs for other programs, and for people who read a pull request.

use serde_json::{Value, json};

use super::{Case, all};
use crate::compare::{Arms, ContextDifference, MetricDifference, compare_runs};
use crate::report::Run;
use crate::sections::{Table, Tone, compared_within, margin};
use crate::stats::{Bounds, Interval, Share};
use crate::text::{GateText, Lang};

/// The comparison as JSON. Times are in µs, counts and rates of a request in thousandths, shares in fractions of 1.
pub fn comparison_json(base: &Run, run: &Run, margin_us: Option<i64>, cases: &[Case]) -> Value {
    let comparison = compare_runs(base, run, margin_us.or_else(|| margin(run)));
    let modes = comparison.modes.iter().map(|(mode, arms)| {
        let Arms { metrics, failures } = arms;
        json!({
            "mode": mode.code(),
            "metrics": metrics.iter().map(metric).collect::<Vec<Value>>(),
            "failures": {
                "base": share(failures.a), "new": share(failures.b),
                "difference_interval": failures.interval.map(|(lower, upper)| json!({"lower": lower, "upper": upper})),
            },
        })
    });
    let limits = cases.iter().map(|case| json!({"limit": case.name, "said": case.said.code(), "message": case.message}));
    json!({
        "context": comparison.context.iter().map(context).collect::<Vec<Value>>(),
        "modes": modes.collect::<Vec<Value>>(),
        "limits": limits.collect::<Vec<Value>>(),
        "said": all(cases).code(),
    })
}

fn context(of: &ContextDifference) -> Value {
    // The item's own name, or that of the setting.
    let item = match &of.item {
        crate::compare::ContextItem::Setting(name) => name.clone(),
        known => snake(&format!("{known:?}")),
    };
    json!({"item": item, "base": of.a, "new": of.b})
}

/// `TimeLimit` → `time_limit`.
fn snake(name: &str) -> String {
    name.char_indices().fold(String::new(), |mut out, (at, c)| {
        if at > 0 && c.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
        out
    })
}

fn metric(of: &MetricDifference) -> Value {
    let interval = match of.difference.interval {
        Interval::Between { lower, upper } => json!({"lower": lower, "upper": upper}),
        Interval::Needs { at_least, has } => json!({"needs": at_least, "has": has}),
    };
    json!({
        "metric": of.metric.code(), "percentile": of.difference.p.name(),
        "n": [of.difference.n.0, of.difference.n.1],
        "base": bounds(of.a), "new": bounds(of.b), "difference": bounds(of.difference.estimate),
        "difference_interval": interval, "verdict": of.verdict.code(),
    })
}

fn bounds(of: Bounds) -> Value {
    json!({"lower": of.lower, "upper": of.upper})
}

fn share(of: Share) -> Value {
    json!({"failed": of.hits, "of": of.of})
}

/// The comparison as Markdown: limits first, then what differs in the contexts, then the figures.
pub fn comparison_markdown(base: &Run, run: &Run, margin_us: Option<i64>, cases: &[Case], lang: Lang) -> String {
    let section = compared_within(base, run, margin_us, lang);
    let mut out = format!("## {}\n\n", section.title);
    if !cases.is_empty() {
        let rows = cases.iter().map(|c| vec![c.said.words(lang).to_owned(), format!("`{}`", c.name), c.message.clone()]);
        let head = [GateText::ColSaid, GateText::ColLimit, GateText::ColFound].map(|key| key.get(lang).to_owned());
        out.push_str(&table(&Table { caption: String::new(), head: head.to_vec(), rows: rows.collect() }));
    }
    for (tone, text) in &section.sentences {
        out.push_str(&format!("- {}{}\n", if *tone == Tone::Warn { "⚠ " } else { "" }, cell(text)));
    }
    out.push('\n');
    section.tables.iter().for_each(|of| out.push_str(&table(of)));
    out.push_str(&format!("{}\n", cell(&section.context)));
    out
}

/// What Markdown would take for something of its own.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;").replace('\n', " ")
}

fn table(of: &Table) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.iter().map(|c| cell(c)).collect::<Vec<_>>().join(" | "));
    let mut out = line(&of.head);
    out.push_str(&format!("|{}\n", " --- |".repeat(of.head.len())));
    of.rows.iter().for_each(|row| out.push_str(&line(row)));
    out.push('\n');
    out
}
