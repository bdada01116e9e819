//! A cache made it fast: how much of the prompts came from the server's cache, and what did it bring?

use super::case::{Case, ids, reaches};
use super::{ENOUGH, TYPICAL, Told};
use crate::breakdown::waits;
use crate::format::{count, percent};
use crate::load::What;
use crate::stats::{P50, Verdict, difference};
use crate::summary::{metric_rows, side};
use crate::text::Dia;
use crate::trace::{Mode, Trace};

/// A prompt of which at least this share was cached: reading it then took at most about half as long.
const HALF: f64 = 0.5;
/// Dialects whose count of input tokens leaves cached ones out.
const BESIDE: [&str; 2] = ["anthropic", "bedrock"];

pub(super) fn check(case: &Case<'_>) -> Result<Told, String> {
    let advice = Dia::CacheDo.get(case.lang).to_owned();
    let by_browser: Vec<&Trace> =
        case.entering.iter().copied().filter(|t| t.network.as_ref().is_ok_and(|n| n.from_cache)).collect();
    if reaches(by_browser.len(), case.entering.len(), TYPICAL, ENOUGH / 2) {
        let evidence = case.say(Dia::CacheFoundBrowser, &[&count(by_browser.len()), &count(case.entering.len())]);
        return Ok(Told::found(evidence, advice, ids(by_browser), None));
    }
    let arms = case.run.config.versus.as_ref().filter(|v| v.what == What::Cache).map(|_| by_arms(case, &advice));
    if let Some(Ok(told)) = arms {
        return Ok(told);
    }
    match (by_tokens(case, advice), arms) {
        (Ok(told), _) if told.found => Ok(told),
        (_, Some(Err(open))) => Err(open),
        (tokens, _) => tokens,
    }
}

/// Both cache modes, interleaved in one run.
fn by_arms(case: &Case<'_>, advice: &str) -> Result<Told, String> {
    let free: Vec<&Trace> = case.run.traces.iter().filter(|t| !t.planned.warmup && t.planned.arm == 1).collect();
    let Some(metric) = waits(&free).first().copied() else { return Err(case.needs(0, ENOUGH, Dia::OfCached)) };
    let rows = |traces: &[&Trace]| metric_rows(metric, Mode::Streaming, traces);
    let (busted, reused) = (rows(&case.measured), rows(&free));
    let n = |rows| side(rows).map_or(0, |side| side.low.n());
    let (of_busted, of_reused) = (n(&busted), n(&reused));
    case.enough(of_busted.min(of_reused), ENOUGH, Dia::OfCached)?;
    let sides = side(&busted).zip(side(&reused));
    let Some(compared) = sides.and_then(|(a, b)| difference(a, b, P50, case.run.config.seed)) else {
        return Err(case.needs(0, ENOUGH, Dia::OfCached));
    };
    let between = case.between(compared.interval);
    let (a, b) = (count(of_busted), count(of_reused));
    match compared.verdict(None) {
        Verdict::Lower => {
            let shorter = compared.estimate.upper.or(compared.estimate.lower).unwrap_or(0);
            let by = format!("{} ms", case.signed(shorter));
            Ok(Told::found(case.say(Dia::CacheFoundArms, &[&by, &between, &a, &b]), advice.to_owned(), ids(free), None))
        }
        Verdict::Higher => Ok(Told::not_found(case.say(Dia::CacheNotArms, &[&between, &a, &b]))),
        _ => Err(case.say(Dia::CacheOpen, &[&between, &a, &b])),
    }
}

/// Tokens that the server took from its cache.
fn by_tokens(case: &Case<'_>, advice: String) -> Result<Told, String> {
    let tokens = |t: &&Trace| {
        let (cached, input) = (t.usage?.cached?, t.usage?.input?);
        // Some servers count cached tokens beside the others, not among them.
        let beside = cached > input || t.dialect.is_some_and(|(name, _)| BESIDE.iter().any(|b| name.contains(b)));
        let all = if beside { input.saturating_add(cached) } else { input };
        (all > 0).then_some((cached, all))
    };
    let known: Vec<(&Trace, (u64, u64))> = case.entering.iter().filter_map(|t| Some((*t, tokens(t)?))).collect();
    case.enough(known.len(), ENOUGH, Dia::OfCached)?;
    let hits: Vec<&Trace> =
        known.iter().filter(|(_, (cached, input))| *cached as f64 >= HALF * *input as f64).map(|(t, _)| *t).collect();
    let (n, of) = (count(hits.len()), count(known.len()));
    if !reaches(hits.len(), known.len(), TYPICAL, ENOUGH / 2) {
        return Ok(Told::not_found(case.say(Dia::CacheNotTokens, &[&n, &of])));
    }
    let sum = |of: fn(&(u64, u64)) -> u64| known.iter().map(|(_, tokens)| of(tokens) as f64).sum::<f64>();
    let share = (sum(|t| t.0) / sum(|t| t.1)).min(1.0);
    Ok(Told::found(case.say(Dia::CacheFoundTokens, &[&n, &of, &percent(share)]), advice, ids(hits), None))
}
