//! What does one page of metrics say, in our own quantities?

use std::collections::BTreeMap;

use super::exposition::{Exposition, Kind, Sample, parse};
use super::names::{KNOWN, Quantity, Speaker, Together, known_name};
use crate::order::by_key;

/// Labels of copies of one number: ranks of one copy of a model say the same when all of them are made to speak (SGLang's
/// `--enable-metrics-for-all-schedulers`).
const RANKS: [&str; 3] = ["tp_rank", "pp_rank", "moe_ep_rank"];

/// A histogram as a server tells it: how many were at most each edge, since it started.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Buckets {
    /// Upper edges in seconds, rising, all finite.
    pub edges: Vec<f64>,
    /// How many were at most each edge, and at the end how many there were: one more than edges, never falling.
    pub cumulative: Vec<u64>,
}

impl Buckets {
    /// How many there were.
    pub fn count(&self) -> u64 {
        self.cumulative.last().copied().unwrap_or(0)
    }
}

/// Why a known name told nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unusable {
    /// A value that the quantity can't have.
    Value,
    /// A histogram whose buckets don't fit together.
    Buckets,
    /// The server made quantiles itself, over a time that it chose: they can't be cut to a run's.
    Summary,
}

/// What one page said.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Whose names were found.
    pub speakers: Vec<Speaker>,
    /// Gauges and counters.
    pub values: Vec<(Quantity, f64)>,
    /// Histograms.
    pub histograms: Vec<(Quantity, Buckets)>,
    /// Known names that told nothing.
    pub unusable: Vec<(Quantity, Unusable)>,
    /// Lines that were not understood.
    pub not_understood: usize,
}

impl Reading {
    /// Reads a page.
    pub fn of(text: &str) -> Reading {
        let page = parse(text, |name| known_name(name).is_some());
        let mut reading = Reading { not_understood: page.not_understood, ..Reading::default() };
        let mut by_name: BTreeMap<usize, Vec<(&str, &Sample<'_>)>> = BTreeMap::new();
        for sample in &page.samples {
            if let Some((at, _)) = known_name(&sample.name) {
                by_name.entry(at).or_default().push((&sample.name[KNOWN[at].name.len()..], sample));
            }
        }
        for (at, samples) in by_name {
            reading.take(at, &samples, &page);
        }
        by_key(&mut reading.values, |(quantity, _)| *quantity);
        by_key(&mut reading.histograms, |(quantity, _)| *quantity);
        reading
    }

    /// A gauge's or counter's value.
    pub fn value(&self, quantity: Quantity) -> Option<f64> {
        self.values.iter().find(|(q, _)| *q == quantity).map(|(_, value)| *value)
    }

    /// A histogram.
    pub fn histogram(&self, quantity: Quantity) -> Option<&Buckets> {
        self.histograms.iter().find(|(q, _)| *q == quantity).map(|(_, buckets)| buckets)
    }

    fn take(&mut self, at: usize, samples: &[(&str, &Sample<'_>)], page: &Exposition<'_>) {
        let known = KNOWN[at];
        let quantity = known.quantity;
        if !self.speakers.contains(&known.speaker) {
            self.speakers.push(known.speaker);
        }
        if self.value(quantity).is_some() || self.histogram(quantity).is_some() {
            return;
        }
        if !quantity.is_histogram() {
            let values = samples.iter().map(|(_, sample)| (*sample, sample.value * known.scale));
            match together(quantity, values.filter(|(_, value)| quantity.can_be(*value))) {
                Some(value) => self.values.push((quantity, value)),
                None => self.unusable.push((quantity, Unusable::Value)),
            }
            return;
        }
        let family = samples.first().map(|(suffix, sample)| &sample.name[..sample.name.len() - suffix.len()]);
        if family.is_some_and(|family| page.kind(family) == Some(Kind::Summary)) {
            self.unusable.push((quantity, Unusable::Summary));
            return;
        }
        match buckets(samples) {
            Some(buckets) => self.histograms.push((quantity, buckets)),
            None => self.unusable.push((quantity, Unusable::Buckets)),
        }
    }
}

/// One number of all label sets; none of none. Of ranks of one copy the largest counts.
fn together<'a>(quantity: Quantity, values: impl Iterator<Item = (&'a Sample<'a>, f64)>) -> Option<f64> {
    let mut sets: BTreeMap<String, f64> = BTreeMap::new();
    for (sample, value) in values {
        let so_far = sets.entry(set_of(sample)).or_insert(value);
        *so_far = so_far.max(value);
    }
    let n = sets.len();
    let values = sets.into_values();
    match quantity.together() {
        _ if n == 0 => None,
        Together::Sum => Some(values.sum()),
        Together::Mean => Some(values.sum::<f64>() / n as f64),
        Together::Largest => values.reduce(f64::max),
    }
}

/// Labels but for those of ranks and of edges, in one order.
fn set_of(sample: &Sample<'_>) -> String {
    let is_set = |name: &str| name != "le" && !RANKS.contains(&name);
    let mut labels: Vec<String> =
        sample.labels.iter().filter(|(name, _)| is_set(name)).map(|(name, value)| format!("{name}={value:?}")).collect();
    labels.sort_unstable();
    labels.join(",")
}

/// One histogram of all label sets, added up edge by edge; none if their edges differ, a count falls, or one is no count.
fn buckets(samples: &[(&str, &Sample<'_>)]) -> Option<Buckets> {
    // By label set, then by edge. Edges are not negative, so that their bits are in their order.
    let mut sets: BTreeMap<String, BTreeMap<u64, u64>> = BTreeMap::new();
    for (_, sample) in samples.iter().filter(|(suffix, _)| *suffix == "_bucket") {
        let edge = firstlight_json::number(sample.label("le")?).filter(|edge| *edge >= 0.0)?;
        let count = Some(sample.value).filter(|v| (0.0..9e15).contains(v) && v.fract() == 0.0)? as u64;
        let edges = sets.entry(set_of(sample)).or_default();
        let so_far = edges.entry((edge + 0.0).to_bits()).or_insert(count);
        *so_far = count.max(*so_far);
    }
    let mut sum: Option<BTreeMap<u64, u64>> = None;
    for edges in sets.into_values() {
        if edges.values().zip(edges.values().skip(1)).any(|(low, high)| low > high) {
            return None;
        }
        match &mut sum {
            None => sum = Some(edges),
            Some(sum) if sum.keys().eq(edges.keys()) => {
                sum.iter_mut().zip(edges.values()).for_each(|((_, n), m)| *n = n.saturating_add(*m))
            }
            Some(_) => return None,
        }
    }
    let sum = sum?;
    let mut edges: Vec<f64> = sum.keys().map(|bits| f64::from_bits(*bits)).collect();
    // Without the bucket of all there is no count.
    edges.pop().filter(|edge| *edge == f64::INFINITY)?;
    Some(Buckets { edges, cumulative: sum.into_values().collect() })
}

#[cfg(test)]
#[path = "reading_tests.rs"]
mod tests;
