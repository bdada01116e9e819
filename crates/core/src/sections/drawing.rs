//! What did it cost to draw the answers, and how were they drawn?

use super::{Section, Tone, measured, quantile};
use crate::Micros;
use crate::config::Rendering;
use crate::format::{count, millis};
use crate::metrics::Metric;
use crate::report::Run;
use crate::stats::{P50, P95};
use crate::summary::{metric_rows, side};
use crate::text::{Draw, Lang, fill, metric_name};
use crate::trace::Trace;

/// The render gaps and the long frames of the answers that were drawn.
pub(super) fn drawing(run: &Run, lang: Lang) -> Option<Section> {
    let set: Vec<&Trace> = measured(run).into_iter().filter(|t| t.flags.long_frames.is_some()).collect();
    let step = Micros(run.clock.step_us);
    let drawn = match run.config.rendering {
        Rendering::Plain => Draw::AsPlain,
        Rendering::Markdown => Draw::AsMarkdown,
    };
    // It begins a sentence.
    let drawn = drawn.get(lang).replacen('d', "D", 1);
    let mut section = Section::new("drawing", Draw::Title.get(lang));
    for mode in run.config.modes() {
        let of_mode: Vec<&Trace> = set.iter().copied().filter(|t| t.planned.mode == *mode).collect();
        let gaps = [Metric::RenderGapFirst, Metric::RenderGapLast];
        gaps.into_iter()
            .filter_map(|gap| gap_sentence(gap, *mode, &of_mode, &drawn, step, lang))
            .for_each(|gap| section.say(Tone::Plain, gap));
    }
    if let Some((tone, frames)) = frames_sentence(&set, &drawn, lang) {
        section.say(tone, frames);
    }
    Some(section)
}

fn gap_sentence(
    gap: Metric,
    mode: crate::trace::Mode,
    set: &[&Trace],
    drawn: &str,
    step: Micros,
    lang: Lang,
) -> Option<String> {
    let rows = metric_rows(gap, mode, set);
    let side = side(&rows)?;
    let of = |distribution: &crate::stats::Distribution, p| distribution.percentile(p).map(|q| quantile(q, step));
    let [low50, high50, low95, high95] = [of(side.low, P50)?, of(side.high, P50)?, of(side.low, P95)?, of(side.high, P95)?];
    let (name, n) = (metric_name(lang, gap), count(side.low.n()));
    Some(match rows.len() {
        1 => fill(Draw::Gaps.get(lang), &[drawn, name, &low50, &low95, &n]),
        _ => fill(Draw::GapBounds.get(lang), &[drawn, name, &low50, &high50, &low95, &high95, &n]),
    })
}

fn frames_sentence(set: &[&Trace], drawn: &str, lang: Lang) -> Option<(Tone, String)> {
    let frames = || set.iter().filter_map(|t| t.flags.long_frames.as_ref());
    let answers = count(frames().count());
    let with = frames().filter(|frames| !frames.is_empty()).count();
    // Answers that came at once share their frames, so that only the longest is one of the run.
    match frames().flatten().max() {
        _ if set.is_empty() => None,
        None => Some((Tone::Plain, fill(Draw::NoLongFrames.get(lang), &[drawn, &answers]))),
        Some(longest) => {
            let values = [count(with), answers, millis(longest.0, Micros::ms(1))];
            Some((Tone::Warn, fill(Draw::LongFrames.get(lang), &[drawn, &values[0], &values[1], &values[2]])))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::{Method, Seen};
    use crate::summary::fixture::{run, trace};

    fn sentences(run: &Run) -> Vec<String> {
        drawing(run, Lang::En).expect("a part").sentences.into_iter().map(|(_, text)| text).collect()
    }

    /// Drawn so many ms after it came.
    fn drawn(id: u32, gap: i64, frames: &[i64]) -> Trace {
        let mut one = trace(id, 100);
        one.planned.painted = true;
        let at = Micros::ms(1100 + gap);
        one.first_visible = Ok(Seen { method: Method::ElementTiming, earliest: at, latest: Some(at), value: Some(at) });
        one.flags.long_frames = Some(frames.iter().map(|ms| Micros::ms(*ms)).collect());
        one
    }

    #[test]
    fn the_cost_is_said_with_the_way_it_was_drawn() {
        let mut run = run(vec![drawn(0, 8, &[]), drawn(1, 12, &[])]);
        let said = sentences(&run);
        assert_eq!(
            said[0],
            "Drawn as plain text: Render gap, first p50 8.00 ms, p95 12.0 ms (n = 2); from arrival to the screen."
        );
        assert_eq!(said[1], "Drawn as plain text: no frame over 50 ms while 2 answers came.");
        run.config.rendering = Rendering::Markdown;
        run.traces[0] = drawn(0, 8, &[60, 180]);
        let said = sentences(&run);
        assert_eq!(said[1], "Drawn as Markdown: frames over 50 ms in 1 of 2 answers while they came; the longest took 180 ms.");
        assert!(crate::summary::context_line(&run, Lang::En, None, "", "").contains("drawn as Markdown"));
    }

    #[test]
    fn where_nobody_looked_nothing_is_said() {
        assert!(sentences(&run(vec![trace(0, 100)])).is_empty());
    }
}
