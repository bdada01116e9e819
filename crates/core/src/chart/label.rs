//! What does a spot read out? Texts of thousands of spots are made when somebody asks for one.

use super::scatter::since_sent;
use super::scene::{Figure, Reading};
use super::server_metrics::told;
use super::sheet::{begin, sample, unit, with_unit};
use crate::Micros;
use crate::align::Alignment;
use crate::format::{count, millis, significant};
use crate::gap::{Wait, split_aligned};
use crate::mark::Mark;
use crate::metrics::Metric;
use crate::report::Run;
use crate::summary::{TimeCell, clock_error, time_cell, wait_name};
use crate::text::{Agg, Cht, Lang, fill, metric_name, outcome, quantity_name};

impl Figure {
    /// The exact values at a spot, in words; empty if there is no such spot. `run` is the run that the figure is of.
    pub fn label(&self, run: &Run, spot: usize, lang: Lang) -> String {
        let requests = self.requests(spot);
        let made = match (&self.reading, requests) {
            (Reading::Texts(texts), _) => texts.get(spot).cloned(),
            (Reading::Samples(metric), [id]) => of_sample(run, *metric, *id, lang),
            (Reading::Waits(wait), [id]) => of_wait(run, *wait, *id, lang),
            (Reading::Pairs(rows), [a, b]) => {
                let mut end = 0;
                let metric = rows.iter().find_map(|(metric, n)| {
                    end += n;
                    (spot < end).then_some(*metric)
                });
                metric.and_then(|metric| of_pair(run, metric, (*a, *b), lang))
            }
            (Reading::Told(values), under_way) => values.get(spot).map(|(quantity, value, at)| {
                let (value, at) = (told(*quantity, *value), significant(at.as_secs(), 2));
                fill(Agg::Read.get(lang), &[quantity_name(lang, *quantity), &value, &at, &count(under_way.len())])
            }),
            _ => None,
        };
        made.unwrap_or_default()
    }
}

fn of_sample(run: &Run, metric: Metric, id: u32, lang: Lang) -> Option<String> {
    let trace = run.request(id)?;
    let step = Micros(run.clock.step_us);
    let value = match (time_cell(trace, metric, step, lang), sample(trace, metric)) {
        (TimeCell::Time(value), _) if metric.unit() == crate::metrics::Unit::Time => format!("{value} {}", unit(metric)),
        (TimeCell::Time(_), Some(sample)) => with_unit(metric, sample.low, step),
        (_, Some(censored)) => fill(Cht::ReadAtLeast.get(lang), &[&millis(censored.low, step)]),
        (TimeCell::Missing(_, why), None) => why.to_owned(),
        (TimeCell::Time(value), None) => value,
    };
    let value = fill(Cht::ReadTime.get(lang), &[metric_name(lang, metric), &value]);
    let sent = significant((trace.marks.get(Mark::Sent).ok()? - begin(run)?).as_secs(), 2);
    let mut ended = outcome(lang, &trace.outcome);
    if trace.planned.warmup {
        ended = format!("{ended}, {}", Cht::WarmUp.get(lang));
    }
    Some(fill(Cht::ReadSample.get(lang), &[&count(id as usize), &value, &ended, &sent]))
}

fn of_wait(run: &Run, wait: Wait, id: u32, lang: Lang) -> Option<String> {
    let split = split_aligned(run.request(id)?, wait, clock_error(run), &Alignment::of(run)).ok()?;
    let ms = |time: Micros| millis(time.0, Micros(run.clock.step_us));
    let (waited, reported) = (since_sent(&split), split.reported());
    let values = [&count(id as usize), wait_name(wait, lang), &ms(waited), &ms(reported), &ms(waited - reported)];
    Some(fill(Cht::ReadWait.get(lang), &values))
}

fn of_pair(run: &Run, metric: Metric, (a, b): (u32, u32), lang: Lang) -> Option<String> {
    let value = |id| Some(sample(run.request(id)?, metric)?.low);
    let (first, second) = (value(a)?, value(b)?);
    let ms = |v: i64| millis(v, Micros(run.clock.step_us));
    let sign = if second > first { "+" } else { "" };
    let difference = format!("{sign}{}", ms(second - first));
    let [id_a, id_b] = [a, b].map(|id| count(id as usize));
    Some(fill(Cht::ReadPair.get(lang), &[&id_a, &id_b, metric_name(lang, metric), &ms(first), &ms(second), &difference]))
}
