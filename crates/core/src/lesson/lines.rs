//! A lesson in words: what is run, what is predicted beside what was measured, and what may be said of the claim.

use super::figure::{Estimate, Figure, PerSecond};
use super::verdict::{Answer, Finding, Judgement, Verdict, Why};
use super::{Check, Lesson, Step};
use crate::Micros;
use crate::compare::{context_differences, context_lines};
use crate::config::ModeChoice;
use crate::format::{count, millis, signed_millis, significant, value};
use crate::gap::Wait;
use crate::metrics::{Metric, Unit};
use crate::report::Run;
use crate::stats::{Bounds, Interval, P50};
use crate::summary::context_line;
use crate::text::{Lang, Les, absence, fill};
use crate::trace::Mode;

/// One prediction beside what was measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingLine {
    /// What the figure is of.
    pub name: &'static str,
    /// What was predicted.
    pub predicted: String,
    /// What bears it out.
    pub counts: String,
    /// What was measured, or why there is nothing.
    pub measured: String,
    /// Its interval and its number of samples.
    pub spread: String,
    /// What it says; none before it was measured.
    pub answer: Option<(Answer, &'static str)>,
    /// Why nothing can be said; empty where something can.
    pub why: String,
    /// The figure's context; empty before it was measured.
    pub context: String,
}

/// What is run, in one line.
pub fn step_line(step: &Step, lang: Lang) -> String {
    let config = step.config("", "", 0);
    let key = if config.mode == ModeChoice::Both { Les::StepBoth } else { Les::Step };
    let (requests, at_once) = (count(step.requests() as usize), count(step.concurrency() as usize));
    fill(key.get(lang), &[step.name.get(lang), &requests, &at_once])
}

/// Every prediction, beside what was measured where it was.
pub fn finding_lines(lesson: Lesson, judged: Option<(&Judgement, &[&Run])>, lang: Lang) -> Vec<FindingLine> {
    match judged {
        None => lesson.plan().checks.iter().map(|check| predicted_line(check, fine(), lang)).collect(),
        Some((judgement, runs)) => judgement.findings.iter().map(|finding| line(finding, runs, lang)).collect(),
    }
}

/// Predictions are whole milliseconds and need no clock.
fn fine() -> Micros {
    Micros(1)
}

fn predicted_line(check: &Check, step: Micros, lang: Lang) -> FindingLine {
    let show = |value: i64| shown(check.figure, value, step, lang);
    let counts = match (check.counts.from, check.counts.to) {
        (Some(from), Some(to)) if from == to => match check.figure {
            Figure::Stopped { .. } => String::new(),
            _ => Les::CountsExactly.get(lang).to_owned(),
        },
        (Some(from), Some(to)) => fill(Les::CountsBetween.get(lang), &[&show(from), &show(to)]),
        (Some(from), None) => fill(Les::CountsFrom.get(lang), &[&show(from)]),
        (None, _) => String::new(),
    };
    FindingLine {
        name: check.says.get(lang),
        predicted: show(check.predicted),
        counts,
        measured: Les::NotMeasured.get(lang).to_owned(),
        spread: String::new(),
        answer: None,
        why: String::new(),
        context: String::new(),
    }
}

fn line(finding: &Finding, runs: &[&Run], lang: Lang) -> FindingLine {
    let check = &finding.check;
    let needed: Vec<&Run> = check.figure.runs().into_iter().filter_map(|run| runs.get(run).copied()).collect();
    let step = needed.iter().map(|run| Micros(run.clock.step_us)).max().unwrap_or(fine());
    let show = |value: i64| shown(check.figure, value, step, lang);
    let word = match finding.answer {
        Answer::Holds => Les::Holds,
        Answer::Fails => Les::Fails,
        Answer::Open(_) => Les::Open,
    };
    let (measured, spread) = match &finding.measured {
        Ok(estimate) => (bounds(estimate.value, &show), spread(check.figure, estimate, &show, lang)),
        Err(_) => ("–".to_owned(), String::new()),
    };
    let why = match finding.answer {
        Answer::Open(why) => reason(why, lang),
        _ => String::new(),
    };
    FindingLine {
        measured,
        spread,
        answer: Some((finding.answer, word.get(lang))),
        why,
        context: context(check.figure, &needed, lang),
        ..predicted_line(check, fine(), lang)
    }
}

/// A value of a figure with its unit.
fn shown(figure: Figure, of: i64, step: Micros, lang: Lang) -> String {
    let number = |of: i64| significant(of as f64 / 1000.0, 1);
    match figure {
        Figure::Stopped { .. } => (if of == 0 { Les::FiresNot } else { Les::Fires }).get(lang).to_owned(),
        Figure::Rate { of: PerSecond::Items, .. } => fill(Les::PerSecondItems.get(lang), &[&number(of)]),
        Figure::Rate { .. } => fill(Les::PerSecondTokens.get(lang), &[&number(of)]),
        Figure::Percentile { metric, .. } if metric.unit() == Unit::TokenRate => {
            fill(Les::PerSecondTokens.get(lang), &[&number(of)])
        }
        Figure::Paired { .. } | Figure::Modes { .. } | Figure::Runs { .. } => {
            fill(Les::Ms.get(lang), &[&signed_millis(of, step)])
        }
        _ => fill(Les::Ms.get(lang), &[&value(of, Unit::Time, step)]),
    }
}

fn bounds(of: Bounds, show: &dyn Fn(i64) -> String) -> String {
    match (of.lower, of.upper) {
        (Some(low), Some(high)) if low == high => show(low),
        (Some(low), Some(high)) => format!("{}–{}", show(low), show(high)),
        (Some(low), None) => format!("≥ {}", show(low)),
        (None, Some(high)) => format!("≤ {}", show(high)),
        (None, None) => "–".to_owned(),
    }
}

fn spread(figure: Figure, estimate: &Estimate, show: &dyn Fn(i64) -> String, lang: Lang) -> String {
    let n = fill(Les::N.get(lang), &[&count(estimate.n)]);
    let interval = match estimate.interval {
        Some(Interval::Between { lower, upper }) => fill(Les::Interval.get(lang), &[&bounds(Bounds { lower, upper }, show)]),
        // The reason says what it needs.
        Some(Interval::Needs { .. }) => return n,
        None if matches!(figure, Figure::Stopped { .. }) => return n,
        None => Les::NoInterval.get(lang).to_owned(),
    };
    format!("{interval}, {n}")
}

/// Why nothing can be said.
fn reason(why: Why, lang: Lang) -> String {
    let say = |key: Les, values: &[&str]| fill(key.get(lang), values);
    match why {
        Why::NotRun => say(Les::WhyNotRun, &[]),
        Why::Failed { failed, of } => say(Les::WhyFailed, &[&count(failed), &count(of)]),
        Why::Absent(why) => absence(lang, why).to_owned(),
        Why::TooFew { at_least, has } => say(Les::WhyTooFew, &[&count(at_least), &count(has)]),
        Why::Undecided => say(Les::WhyUndecided, &[]),
    }
}

/// Boundary, workload, load, statistic; of a difference also what differs between its two sides.
fn context(figure: Figure, runs: &[&Run], lang: Lang) -> String {
    let Some(run) = runs.first() else { return String::new() };
    let say = |key: Les, values: &[&str]| fill(key.get(lang), values);
    let boundary = |metric: Metric| metric.boundary().map(|(from, to)| format!("{from} → {to}")).unwrap_or_default();
    let streaming = run.config.modes().first().copied();
    let (mode, boundary, statistic) = match figure {
        Figure::Percentile { mode, metric, p, .. } => (Some(mode), boundary(metric), p.name().to_owned()),
        Figure::Mean { metric, .. } => (streaming, boundary(metric), say(Les::StatMean, &[])),
        Figure::Paired { metric, .. } => (None, boundary(metric), say(Les::StatPaired, &[])),
        Figure::Modes { metric, p, .. } => (None, boundary(metric), say(Les::StatModes, &[p.name()])),
        Figure::Runs { metric, p, .. } => (Some(Mode::Streaming), boundary(metric), say(Les::StatRuns, &[p.name()])),
        Figure::Outside { wait, .. } => {
            let metric = if wait == Wait::LastOutput { Metric::EndToEnd } else { Metric::FirstAnswer };
            (streaming, boundary(metric), say(Les::StatOutside, &[]))
        }
        Figure::Reported { name, .. } => (streaming, String::new(), say(Les::StatReported, &[name])),
        Figure::Rate { .. } => (streaming, String::new(), say(Les::StatThroughput, &[])),
        Figure::Stopped { .. } => {
            let rules: Vec<String> = run.config.stop_rules.iter().map(ToString::to_string).collect();
            (streaming, String::new(), say(Les::StatStopped, &[&rules.join(", ")]))
        }
    };
    let line = context_line(run, lang, mode, &boundary, &statistic);
    match runs {
        [a, b] => format!("{line} · {}", context_lines(&context_differences(a, b), lang).join(" ")),
        _ => line,
    }
}

/// The verdict in a word or two.
pub fn verdict_word(verdict: Verdict, lang: Lang) -> &'static str {
    match verdict {
        Verdict::BorneOut => Les::BorneOut,
        Verdict::NotBorneOut => Les::NotBorneOut,
        Verdict::CantTell(_) => Les::CantTell,
    }
    .get(lang)
}

/// What is said of the claim after it was run.
pub fn verdict_sentence(judgement: &Judgement, lang: Lang) -> String {
    match judgement.verdict {
        Verdict::BorneOut => Les::SaidBorneOut.get(lang).to_owned(),
        Verdict::NotBorneOut => {
            let failed = judgement.findings.iter().filter(|finding| finding.answer == Answer::Fails);
            let names: Vec<&str> = failed.map(|finding| finding.check.says.get(lang)).collect();
            fill(Les::SaidNotBorneOut.get(lang), &[&names.join(" · ")])
        }
        Verdict::CantTell(why) => fill(Les::SaidCantTell.get(lang), &[&reason(why, lang)]),
    }
}

/// The figures of each batch and where the first response gets worse; none of lessons that sweep nothing.
pub fn levels_table(lesson: Lesson, runs: &[&Run], lang: Lang) -> Option<crate::sections::Table> {
    if lesson != Lesson::Batching || runs.is_empty() {
        return None;
    }
    let head = [Les::ColBatch, Les::ColOverall, Les::ColEach, Les::ColFirst, Les::ColRule].map(|key| key.get(lang).to_owned());
    let row = |run: &&Run| {
        let measured = [super::figure::Measured { run, summary: crate::summary::Summary::of(run) }];
        let step = Micros(run.clock.step_us);
        let of = |figure: Figure, show: &dyn Fn(i64) -> String| {
            figure.of(&measured).map_or_else(|why| reason(why, lang), |estimate| bounds(estimate.value, show))
        };
        let rate = |of: i64| significant(of as f64 / 1000.0, 1);
        let percentile = |metric| Figure::Percentile { run: 0, mode: Mode::Streaming, metric, p: P50 };
        let rule = match run.stopped_by {
            Some(by) => fill(Les::RuleFired.get(lang), &[&count(by.seen as usize)]),
            None => Les::RuleHeld.get(lang).to_owned(),
        };
        vec![
            count(run.config.concurrency as usize),
            of(Figure::Rate { run: 0, of: PerSecond::Tokens }, &rate),
            of(percentile(Metric::OutputRate), &rate),
            of(percentile(Metric::Ttft), &|of| millis(of, step)),
            rule,
        ]
    };
    let rows = runs.iter().map(row).collect();
    Some(crate::sections::Table { caption: Les::Levels.get(lang).to_owned(), head: head.to_vec(), rows })
}
