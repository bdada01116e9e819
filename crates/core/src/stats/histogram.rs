//! HdrHistogram: for merging and interchange. Where raw samples exist, they are what is shown.

use base64::Engine as _;
use hdrhistogram::serialization::{Serializer as _, V2Serializer};

use super::Distribution;

/// The largest value held: one hour, in µs.
pub const HISTOGRAM_MAX: i64 = 3_600_000_000;

/// A histogram of µs from 1 to one hour with three significant figures. Values outside are clamped and counted.
pub struct Histogram {
    inner: hdrhistogram::Histogram<u64>,
    /// Values above the largest.
    pub clamped_high: u64,
    /// Values of 0 µs, held as 1.
    pub clamped_low: u64,
    /// Negative values (differences within clock error), held as 1.
    pub negative: u64,
}

/// A step of a percentile distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The largest value of the bucket that was reached.
    pub value: u64,
    /// The quantile of the step, 0 to 1.
    pub quantile: f64,
    /// Values in this bucket and below it.
    pub at_or_below: u64,
}

/// Parts of a bucket, at three significant figures.
pub const SUB_BUCKETS: u32 = 2048;

impl Histogram {
    /// Of the measured samples; censored ones have no value and are not in it.
    pub fn of(distribution: &Distribution) -> Option<Histogram> {
        let mut inner = hdrhistogram::Histogram::new_with_bounds(1, HISTOGRAM_MAX as u64, 3).ok()?;
        let (mut clamped_high, mut clamped_low, mut negative) = (0, 0, 0);
        for &value in distribution.sorted() {
            clamped_high += u64::from(value > HISTOGRAM_MAX);
            clamped_low += u64::from(value == 0);
            negative += u64::from(value < 0);
            inner.saturating_record(value.clamp(1, HISTOGRAM_MAX) as u64);
        }
        Some(Histogram { inner, clamped_high, clamped_low, negative })
    }

    /// How many values.
    pub fn len(&self) -> u64 {
        self.inner.len()
    }

    /// No values.
    pub fn is_empty(&self) -> bool {
        self.inner.is_empty()
    }

    /// The value at a percentile, to one bucket.
    pub fn percentile(&self, p: super::P) -> u64 {
        self.inner.value_at_quantile(p.probability())
    }

    /// The largest value, as its bucket's largest.
    pub fn max(&self) -> u64 {
        self.inner.max()
    }

    /// Mean and standard deviation, of the middles of buckets.
    pub fn moments(&self) -> (f64, f64) {
        (self.inner.mean(), self.inner.stdev())
    }

    /// How many buckets there are, each twice as coarse as the one before.
    pub fn buckets(&self) -> u8 {
        self.inner.buckets()
    }

    /// The percentile distribution: so many steps for each halving of the distance to 100 %. Levels are in per cent, as
    /// HdrHistogram's other tools have them: in quantiles, rounding would take some steps to the bucket behind.
    pub fn steps(&self, per_half_distance: u32) -> Vec<Step> {
        let total = self.inner.len();
        let (mut steps, mut level, mut at_or_below) = (Vec::new(), 0.0, 0);
        for bucket in self.inner.iter_recorded() {
            at_or_below += bucket.count_since_last_iteration();
            let value = self.inner.highest_equivalent(bucket.value_iterated_to());
            let mut step = |level: f64| steps.push(Step { value, quantile: level / 100.0, at_or_below });
            while 100.0 * at_or_below as f64 / total as f64 >= level {
                step(level);
                if at_or_below == total {
                    step(100.0);
                    break;
                }
                level += 100.0 / (f64::from(per_half_distance) * slices(level));
            }
        }
        steps
    }

    /// The interchange form: V2 in a zlib stream, in base64 (`HISTFAAAA…`).
    pub fn encode(&self) -> Option<String> {
        let mut v2 = Vec::new();
        V2Serializer::new().serialize(&self.inner, &mut v2).ok()?;
        let stream = zlib_stored(&v2);
        let mut bytes = COMPRESSED_V2.to_be_bytes().to_vec();
        bytes.extend(u32::try_from(stream.len()).ok()?.to_be_bytes());
        bytes.extend(stream);
        Some(base64::engine::general_purpose::STANDARD.encode(bytes))
    }

    /// Reads the interchange form.
    pub fn decode(text: &str) -> Option<Histogram> {
        let bytes = base64::engine::general_purpose::STANDARD.decode(text).ok()?;
        let inner = hdrhistogram::serialization::Deserializer::new().deserialize(&mut bytes.as_slice()).ok()?;
        Some(Histogram { inner, clamped_high: 0, clamped_low: 0, negative: 0 })
    }

    /// Adds another one.
    pub fn add(&mut self, other: &Histogram) -> bool {
        self.clamped_high += other.clamped_high;
        self.clamped_low += other.clamped_low;
        self.negative += other.negative;
        self.inner.add(&other.inner).is_ok()
    }
}

/// Into how many parts of the size of the half distance at this level 100 % can be cut: 2 below 50, 4 below 75, and so on.
fn slices(level: f64) -> f64 {
    let (mut slices, mut half) = (2.0, 50.0);
    while 100.0 - level <= half {
        slices *= 2.0;
        half /= 2.0;
    }
    slices
}

/// What a compressed V2 histogram begins with.
const COMPRESSED_V2: u32 = 0x1c84_9314;

/// A zlib stream whose blocks are stored as they are: V2 is dense already, and a compressor would be a tenth of the page.
fn zlib_stored(data: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let blocks = data.chunks(0xffff);
    let last = blocks.len().saturating_sub(1);
    for (at, block) in blocks.enumerate() {
        let length = block.len() as u16;
        stream.push(u8::from(at == last));
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend(block);
    }
    let (a, b) = data.iter().fold((1u32, 0u32), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65_521;
        (a, (b + a) % 65_521)
    });
    stream.extend((b << 16 | a).to_be_bytes());
    stream
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::P;
    use proptest::prelude::*;

    #[test]
    fn what_does_not_fit_is_clamped_and_counted() {
        let h = Histogram::of(&Distribution::new(vec![-5, 0, 7, HISTOGRAM_MAX + 1], vec![])).expect("histogram");
        assert_eq!((h.negative, h.clamped_low, h.clamped_high, h.len()), (1, 1, 1, 4));
    }

    #[test]
    fn steps_fall_on_exact_shares() {
        // Of twelve values nine are exactly 75 %.
        let h = Histogram::of(&Distribution::new((1..=12).collect(), vec![])).expect("histogram");
        let steps = h.steps(5);
        let at = |quantile: f64| steps.iter().find(|s| (s.quantile - quantile).abs() < 1e-12).map(|s| (s.value, s.at_or_below));
        assert_eq!([0.0, 0.5, 0.75, 0.9, 0.925, 1.0].map(at), [1, 6, 9, 11, 12, 12].map(|n| Some((n, n))));
        assert!(steps.is_sorted_by(|one, next| one.quantile < next.quantile && one.value <= next.value));
        assert_eq!(Histogram::of(&Distribution::default()).expect("histogram").steps(5), []);
    }

    #[test]
    fn the_interchange_form_is_read_back_and_merges() {
        let h = Histogram::of(&Distribution::new((1..=1000).map(|v| v * 100).collect(), vec![])).expect("histogram");
        let text = h.encode().expect("encoded");
        assert!(text.starts_with("HISTFAAA"), "{text}");
        let mut back = Histogram::decode(&text).expect("decoded");
        assert!(back.add(&h));
        assert_eq!(back.len(), 2000);
        assert_eq!(back.percentile(P(500)), h.percentile(P(500)));
        assert!(Histogram::decode("nonsense").is_none());
    }

    proptest! {
        #[test]
        fn it_agrees_with_the_raw_samples_to_one_bucket(v in prop::collection::vec(1i64..10_000_000, 1..300)) {
            let d = Distribution::new(v, vec![]);
            let h = Histogram::of(&d).expect("histogram");
            for p in P::SHOWN {
                let raw = d.percentile(p).expect("not empty").value;
                let bucket = (raw / 1000).max(1);
                let hdr = h.percentile(p) as i64;
                prop_assert!((hdr - raw).abs() <= bucket, "{} {} {:?}", hdr, raw, p);
            }
        }
    }
}
