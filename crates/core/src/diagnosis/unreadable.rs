//! A header that can't be read: what hides the server's own times or the browser's network timing, and which line mends it?

use super::Told;
use super::case::{Case, hides_timing, ids};
use crate::format::count;
use crate::server_report::{ALLOW_TIMING, Access};
use crate::summary::expose_lines;
use crate::text::Dia;
use crate::trace::Trace;

pub(super) fn check(case: &Case<'_>) -> Result<Told, String> {
    let replies: Vec<&Trace> = case.measured.iter().copied().filter(|t| t.response.is_some()).collect();
    // One reply suffices: a header is there or it is not.
    case.enough(replies.len(), 1, Dia::OfReplies)?;
    let expose = expose_lines(case.run);
    let hides_header = |t: &Trace| {
        let crossed = t.response.as_ref().is_some_and(|r| r.cross_origin);
        expose.is_some() && crossed && (t.server_timing_access == Access::HiddenOrNotSent || !names_server_timing(&expose))
    };
    let headers: Vec<&Trace> = replies.iter().copied().filter(|t| hides_header(t)).collect();
    let timing: Vec<&Trace> = replies.iter().copied().filter(|t| hides_timing(t)).collect();
    let lines = match &expose {
        Some(lines) => lines.clone(),
        None if !timing.is_empty() => ALLOW_TIMING.to_owned(),
        None => return Ok(Told::not_found(case.say(Dia::UnreadableNot, &[&count(replies.len())]))),
    };
    let quoted: Vec<String> = lines.lines().map(|line| format!("“{line}”")).collect();
    let evidence = case.say(Dia::UnreadableFound, &[&count(replies.len()), &count(headers.len()), &count(timing.len())]);
    let hidden = replies.into_iter().filter(|t| hides_header(t) || hides_timing(t));
    let requests = ids(hidden);
    Ok(Told::found(evidence, case.say(Dia::UnreadableDo, &[&quoted.join(", ")]), requests, None))
}

fn names_server_timing(lines: &Option<String>) -> bool {
    lines.as_ref().is_some_and(|lines| lines.contains("Server-Timing"))
}
