//! How long did each request wait outside of what the server reported? A histogram of per-request gaps; percentiles of two
//! distributions are never subtracted.

use super::frame::{Along, across, along_side, upright};
use super::scene::{Figure, Form, Ink, Layer, Reading, Rect, Shape};
use super::sheet::{Sheet, axis_value};
use crate::format::{count, significant};
use crate::stats::{P50, P95};
use crate::text::Cht;

/// The smallest of 1, 2, 5, 10, … µs that is not smaller than this.
fn round_step(rough: i64) -> i64 {
    let mut power = 1;
    loop {
        for step in [1, 2, 5] {
            if step * power >= rough {
                return step * power;
            }
        }
        power *= 10;
    }
}

/// A bin: its lower end in µs, and whose gap lies in it.
struct Bin {
    from: i64,
    requests: Vec<u32>,
}

fn bins(mut gaps: Vec<(i64, u32)>, most: usize) -> (i64, Vec<Bin>) {
    gaps.sort_unstable();
    let (first, last) = (gaps.first().map_or(0, |g| g.0), gaps.last().map_or(0, |g| g.0));
    let wanted = ((gaps.len() as f64).sqrt().ceil() as usize).clamp(5, most.max(5)) as i64;
    let step = round_step((last - first) / wanted + 1);
    let lowest = first.div_euclid(step);
    let mut bins: Vec<Bin> = (lowest..=last.div_euclid(step)).map(|at| Bin { from: at * step, requests: Vec::new() }).collect();
    for (gap, id) in gaps {
        bins[(gap.div_euclid(step) - lowest) as usize].requests.push(id);
    }
    (step, bins)
}

/// The distribution of the per-request gap.
pub fn gap_distribution(sheet: &Sheet) -> Figure {
    let (id, title) = ("gap", Cht::Gap.get(sheet.lang).to_owned());
    let of_wait = |wait| Some((wait, sheet.summary.gaps_of(sheet.mode, wait)?));
    let Some((wait, gaps)) = sheet.reported_wait().and_then(of_wait) else {
        let mut why = vec![Cht::NoteNoReport.get(sheet.lang).to_owned()];
        why.extend(sheet.left_out(crate::gap::Wait::FirstAnswer));
        return sheet.nothing(id, title, why);
    };
    let of_requests = sheet.splits(wait).into_iter().filter(|(_, split)| split.has_report);
    let of_requests = of_requests.map(|(id, split)| ((split.total - split.reported()).0, id)).collect();
    let (step, bins) = bins(of_requests, (sheet.size.width / 16.0) as usize);
    let highest = bins.iter().map(|b| b.requests.len()).max().unwrap_or(0);
    let (plot, y, _) = upright(sheet.size, 0.0, highest as f64);
    let ends = (bins.first().map_or(0, |b| b.from), bins.last().map_or(0, |b| b.from) + step);
    let x = Along::right(plot, axis_value(ends.0), axis_value(ends.1));
    let mut figure = sheet.figure(id, title, plot);
    figure.x = across(Cht::AxisGap.get(sheet.lang), "ms", x.ticks(), sheet.size);
    figure.y = along_side(Cht::AxisRequests.get(sheet.lang), "", y.whole_ticks());
    let n = gaps.outside.n();
    let (mut bars, mut texts, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    for bin in &bins {
        let hits = bin.requests.len();
        let cells = [sheet.ms(bin.from), sheet.ms(bin.from + step), count(hits)];
        if hits > 0 {
            let bar =
                Rect::between((x.at(axis_value(bin.from)), y.at(0.0)), (x.at(axis_value(bin.from + step)), y.at(hits as f64)));
            let middle = (bar.x + bar.width / 2.0, bar.y + bar.height / 2.0);
            figure.spot(middle, (bar.width / 2.0, bar.height / 2.0), &bin.requests);
            let share = significant(100.0 * hits as f64 / n.max(1) as f64, 1);
            texts.push(sheet.say(Cht::ReadBin, &[&cells[0], &cells[1], &cells[2], &count(n), &share]));
            bars.push(bar);
        }
        rows.push(cells);
    }
    // Light, so that the names of percentiles can be read over them.
    figure.layers.push(Layer::faint(Ink::Neutral, Shape::Rects(bars)));
    figure.key(Ink::Neutral, Form::Band, Cht::Count.get(sheet.lang));
    for p in [P50, P95] {
        if let Some(q) = gaps.outside.percentile(p) {
            let at = x.at(axis_value(q.value));
            let label = format!("{} {}", p.name(), sheet.ms(q.value));
            figure.layers.push(Layer::new(Ink::Muted, Shape::Rule { from: (at, plot.y), to: (at, plot.bottom()), label }));
        }
    }
    let shown = |p| sheet.percentile(&gaps.outside, p);
    let largest = gaps.outside.max().map_or_else(String::new, |q| sheet.quantile(q));
    let about = sheet.say(Cht::AboutGap, &[&count(n), &shown(P50), &shown(P95), &largest]);
    figure.about = format!("{}. {about}", figure.title);
    figure.reading = Reading::Texts(texts);
    figure.notes = sheet.left_out(wait);
    figure.table = sheet.table([Cht::ColFrom, Cht::ColTo, Cht::AxisRequests], rows.into_iter());
    figure.context = sheet.wait_context(wait, n);
    figure
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn steps_are_round() {
        assert_eq!([1, 2, 3, 5, 6, 11, 99, 101].map(round_step), [1, 2, 5, 5, 10, 20, 100, 200]);
    }

    proptest! {
        #[test]
        fn every_gap_is_in_the_one_bin_that_holds_it(gaps in prop::collection::vec(-20_000i64..5_000_000, 1..200)) {
            let numbered: Vec<(i64, u32)> = gaps.iter().copied().zip(0u32..).collect();
            let (step, bins) = bins(numbered, 40);
            prop_assert!(bins.len() <= 42);
            prop_assert_eq!(bins.iter().map(|b| b.requests.len()).sum::<usize>(), gaps.len());
            for bin in &bins {
                prop_assert!(bin.requests.iter().all(|id| (bin.from..bin.from + step).contains(&gaps[*id as usize])));
            }
        }
    }
}
