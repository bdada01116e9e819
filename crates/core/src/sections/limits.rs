//! Which requests met their limits, which results passed their checks, and what did they cost?

use super::{Section, Table, Tone, amount, heads, measured, of_mode};
use crate::cost::{Spend, cost_per_useful, pass_rate};
use crate::format::{count, significant};
use crate::mark::Absence;
use crate::order::by_key;
use crate::report::Run;
use crate::slo::{Attainment, attainment, goodput};
use crate::stats::Share;
use crate::text::{Lang, Sec, absence, fill};
use crate::trace::{Mode, Trace};

/// A share in per cent with its exact interval.
pub(super) fn percent(share: Share) -> String {
    let show = |x: f64| significant(x * 100.0, 1);
    match share.value().zip(share.exact()) {
        Some((value, (low, high))) => format!("{} % ({}–{})", show(value), show(low), show(high)),
        None => "–".to_owned(),
    }
}

/// Measured requests of each mode by themselves, with the mode where there are several.
fn by_mode(run: &Run) -> Vec<(Option<Mode>, Vec<&Trace>)> {
    let set = measured(run);
    let of = |mode: Mode| (Some(mode), set.iter().copied().filter(|t| t.planned.mode == mode).collect::<Vec<_>>());
    let both: Vec<_> = Mode::ALL.into_iter().map(of).filter(|(_, set)| !set.is_empty()).collect();
    if both.len() > 1 { both } else { vec![(None, set)] }
}

/// Attainment of each limit and of all, and goodput; of each mode by itself.
pub(super) fn limits(run: &Run, lang: Lang) -> Option<Section> {
    if run.config.thresholds.is_empty() {
        return None;
    }
    let mut section = Section::new("limits", Sec::LimitsTitle.get(lang));
    let row = |name: String, of: &Attainment| {
        let unjudged: u32 = of.not_judged.iter().map(|(_, n)| n).sum();
        let whys: Vec<&str> = of.not_judged.iter().filter_map(|(why, _)| Some(absence(lang, (*why)?))).collect();
        let unjudged = match whys.is_empty() {
            true => count(unjudged as usize),
            false => format!("{} ({})", count(unjudged as usize), whys.join(" · ")),
        };
        let [met, not_met, left_out] = [of.met, of.not_met, of.left_out].map(|n| count(n as usize));
        vec![name, met, not_met, unjudged, left_out, percent(of.share())]
    };
    let modes = by_mode(run);
    let mut rows = Vec::new();
    for (mode, set) in &modes {
        let name = |text: String| mode.map_or(text.clone(), |mode| of_mode(&text, mode, lang));
        let Some((each, all)) = attainment(&run.config.thresholds, set) else { continue };
        rows.extend(each.iter().map(|(limit, of)| row(name(limit.to_string()), of)));
        if each.len() > 1 {
            rows.push(row(name(Sec::AllLimits.get(lang).to_owned()), &all));
        }
    }
    let columns = [Sec::ColLimit, Sec::ColMet, Sec::ColNotMet, Sec::ColNotJudged, Sec::ColLeftOut, Sec::ColAttainment];
    section.tables.push(Table { caption: String::new(), head: heads(columns.map(|k| k.get(lang))), rows });
    for (mode, set) in &modes {
        for text in good(run, set, lang) {
            let text = mode.map_or(text.clone(), |mode| of_mode(&text, mode, lang));
            section.say(Tone::Plain, text);
        }
    }
    Some(section)
}

/// What is said of goodput.
fn good(run: &Run, set: &[&Trace], lang: Lang) -> Vec<String> {
    let say = |key: Sec, values: &[&str]| fill(key.get(lang), values);
    let good = if run.is_merged() { Some(Err(Absence::OwnClocks)) } else { goodput(&run.config.thresholds, set) };
    match good {
        Some(Ok(good)) => {
            let (rate, window) = (significant(good.requests, 2), significant(good.window.as_secs(), 2));
            let mut texts = vec![match good.tokens {
                Some((tokens, estimated)) => {
                    let tokens = format!("{}{}", if estimated { "~" } else { "" }, significant(tokens, 1));
                    say(Sec::GoodputTokens, &[&rate, &tokens, &window])
                }
                None => say(Sec::Goodput, &[&rate, &window]),
            }];
            if good.not_judged > 0 {
                texts.push(say(Sec::GoodputAtLeast, &[&count(good.not_judged as usize)]));
            }
            texts
        }
        Some(Err(why)) => vec![say(Sec::GoodputNone, &[absence(lang, why)])],
        None => Vec::new(),
    }
}

/// Checks of results, and cost.
pub(super) fn quality(run: &Run, lang: Lang) -> Option<Section> {
    let say = |key: Sec, values: &[&str]| fill(key.get(lang), values);
    let mut section = Section::new("quality", Sec::CostTitle.get(lang));
    let set = measured(run);
    let passed = pass_rate(&set, &|t| t.passed());
    if passed.of > 0 {
        let tone = if passed.hits < passed.of { Tone::Warn } else { Tone::Good };
        section.say(tone, say(Sec::PassRate, &[&count(passed.hits), &count(passed.of), &percent(passed)]));
    }
    let mut failures: Vec<(String, usize)> = Vec::new();
    for why in set.iter().filter_map(|t| t.check.as_ref()?.as_ref().err()) {
        let words = crate::text::check_failure(lang, why);
        match failures.iter_mut().find(|(known, _)| *known == words) {
            Some((_, n)) => *n += 1,
            None => failures.push((words, 1)),
        }
    }
    by_key(&mut failures, |(_, n)| std::cmp::Reverse(*n));
    if !failures.is_empty() {
        let rows = failures.into_iter().take(10).map(|(words, n)| vec![words, count(n)]).collect();
        section.tables.push(Table {
            caption: String::new(),
            head: heads([Sec::FailedChecks.get(lang), Sec::ColRequests.get(lang)]),
            rows,
        });
    }
    if let Some(prices) = &run.config.prices {
        let spend = Spend::of(&run.traces);
        let tokens = [spend.input, spend.output].map(|n| count(n as usize));
        section.say(Tone::Plain, say(Sec::Spent, &[&amount(spend.amount(prices)), &prices.currency, &tokens[0], &tokens[1]]));
        if spend.unknown > 0 {
            section.say(Tone::Warn, say(Sec::SpentUnknown, &[&count(spend.unknown as usize)]));
        }
        let all: Vec<_> = run.traces.iter().collect();
        if let Ok(cost) = cost_per_useful(&all, Some(prices), &|t| t.passed().filter(|_| !t.planned.warmup)) {
            section.say(Tone::Plain, say(Sec::CostPerUseful, &[&amount(cost.amount), &prices.currency]));
        }
    }
    Some(section)
}
