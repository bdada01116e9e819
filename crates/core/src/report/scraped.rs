//! What was read of a server's metrics, as it stands in the file: a column for each quantity, and of a histogram only the
//! samples in which it changed.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Micros;
use crate::scrape::{Buckets, Missed, Quantity, Sample, Scraped, Speaker, Unusable, Values};

/// The series of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScrapedFile {
    /// `[at, took]` of each sample, in µs: the middle between question and answer, and how far these were apart.
    pub(crate) samples: Vec<(i64, i64)>,
    /// `[sample, reason, particulars]` of those that are missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) missed: Vec<(u32, String, String)>,
    /// Quantity → its number in each sample; null where it is missing.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub(crate) numbers: Map<String, Value>,
    /// Histograms since the server started.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) histograms: Vec<HistogramFile>,
    /// Whose names were found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) speakers: Vec<String>,
    /// `[quantity, why, samples]` of known names that told nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) unusable: Vec<(String, String, u32)>,
    /// Lines that were not understood.
    #[serde(default)]
    pub(crate) not_understood: u64,
}

/// A histogram with one set of edges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct HistogramFile {
    /// The quantity.
    pub(crate) of: String,
    /// Upper edges, in seconds; a last bucket has none.
    pub(crate) edges: Vec<f64>,
    /// `[sample, cumulative counts]`: so from this sample on; without counts it is absent from here on.
    pub(crate) rows: Vec<(u32, Vec<u64>)>,
}

fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// The file's shape.
pub(super) fn to_file(scraped: &Scraped) -> ScrapedFile {
    let samples = &scraped.samples;
    let missed = samples.iter().zip(0..).filter_map(|(sample, at)| {
        let (why, detail) = match sample.read.as_ref().err()? {
            Missed::Network(words) => ("network", words.clone()),
            Missed::Status(status) => ("status", status.to_string()),
            Missed::NothingKnown => ("nothing_known", String::new()),
            Missed::Busy => ("busy", String::new()),
        };
        Some((at, why.to_owned(), detail))
    });
    let told = |sample: &Sample, quantity| sample.read.as_ref().ok().and_then(|values| values.number(quantity));
    let column = |quantity: Quantity| {
        let column: Vec<Option<f64>> = samples.iter().map(|sample| told(sample, quantity)).collect();
        let is_told = column.iter().any(Option::is_some);
        is_told.then(|| (quantity.code().to_owned(), column.into_iter().map(short).collect::<Vec<_>>().into()))
    };
    ScrapedFile {
        samples: samples.iter().map(|sample| (sample.at.0, sample.took.0)).collect(),
        missed: missed.collect(),
        numbers: Quantity::ALL.into_iter().filter_map(column).collect(),
        histograms: Quantity::ALL.into_iter().flat_map(|quantity| histograms_to_file(samples, quantity)).collect(),
        speakers: scraped.speakers.iter().map(|speaker| speaker.name().to_owned()).collect(),
        unusable: scraped
            .unusable
            .iter()
            .map(|(q, why, n)| (q.code().to_owned(), unusable_code(*why).to_owned(), *n))
            .collect(),
        not_understood: scraped.not_understood,
    }
}

/// Whole numbers without their `.0`.
fn short(number: Option<f64>) -> Value {
    match number {
        Some(whole) if whole.fract() == 0.0 && whole.abs() < 9e15 => Value::from(whole as i64),
        other => Value::from(other),
    }
}

fn histograms_to_file(samples: &[Sample], quantity: Quantity) -> Vec<HistogramFile> {
    let mut files: Vec<HistogramFile> = Vec::new();
    let mut before: Option<&Buckets> = None;
    for (at, values) in samples.iter().enumerate().filter_map(|(at, sample)| Some((index(at), sample.read.as_ref().ok()?))) {
        let now = values.histogram(quantity);
        if now == before {
            continue;
        }
        let same_edges = now.is_some_and(|now| files.last().is_some_and(|file| file.edges == now.edges));
        match (files.last_mut(), now) {
            (Some(file), Some(now)) if same_edges => file.rows.push((at, now.cumulative.clone())),
            (file, now) => {
                if let (Some(file), Some(_)) = (file, before) {
                    file.rows.push((at, Vec::new()));
                }
                files.extend(now.map(|now| HistogramFile {
                    of: quantity.code().to_owned(),
                    edges: now.edges.clone(),
                    rows: vec![(at, now.cumulative.clone())],
                }));
            }
        }
        before = now;
    }
    files
}

fn unusable_code(why: Unusable) -> &'static str {
    match why {
        Unusable::Value => "value",
        Unusable::Buckets => "buckets",
        Unusable::Summary => "summary",
    }
}

/// From the file's shape; an error names what can't be read.
pub(super) fn from_file(file: ScrapedFile) -> Result<Scraped, String> {
    let count = file.samples.len();
    let mut reads: Vec<Result<Values, Missed>> = vec![Ok(Values::default()); count];
    for (at, why, detail) in file.missed {
        let missed = match why.as_str() {
            "network" => Missed::Network(detail),
            "status" => Missed::Status(detail.parse().map_err(|_| format!("a status {detail} of the server's metrics"))?),
            "nothing_known" => Missed::NothingKnown,
            "busy" => Missed::Busy,
            _ => return Err(format!("a sample of the server's metrics is missing because of {why}")),
        };
        *reads.get_mut(at as usize).ok_or("a missing sample of the server's metrics that is not there")? = Err(missed);
    }
    for quantity in Quantity::ALL {
        let Some(column) = file.numbers.get(quantity.code()) else { continue };
        let of = || format!("the server's metric {}", quantity.code());
        let column = column.as_array().filter(|column| column.len() == count).ok_or_else(of)?;
        for (read, number) in reads.iter_mut().zip(column) {
            match (read, number) {
                (_, Value::Null) => {}
                (Ok(values), number) => values.numbers.push((quantity, number.as_f64().ok_or_else(of)?)),
                (Err(_), _) => return Err(of()),
            }
        }
    }
    for quantity in Quantity::ALL {
        for histogram in file.histograms.iter().filter(|h| h.of == quantity.code()) {
            histogram_from_file(histogram, quantity, &mut reads)
                .ok_or_else(|| format!("the server's histogram {}", quantity.code()))?;
        }
    }
    let unusable = file.unusable.iter().filter_map(|(quantity, why, n)| {
        let why = [Unusable::Value, Unusable::Buckets, Unusable::Summary].into_iter().find(|u| unusable_code(*u) == why)?;
        Some((Quantity::from_code(quantity)?, why, *n))
    });
    let at_times = file.samples.iter().zip(reads);
    Ok(Scraped {
        samples: at_times.map(|((at, took), read)| Sample { at: Micros(*at), took: Micros(*took), read }).collect(),
        speakers: file.speakers.iter().filter_map(|name| Speaker::from_name(name)).collect(),
        unusable: unusable.collect(),
        not_understood: file.not_understood,
    })
}

/// None if its rows are not in order or don't fit its edges.
fn histogram_from_file(file: &HistogramFile, quantity: Quantity, reads: &mut [Result<Values, Missed>]) -> Option<()> {
    let fits = |row: &Vec<u64>| row.is_empty() || (row.len() == file.edges.len() + 1 && row.is_sorted());
    let sound = file.edges.is_sorted() && file.rows.iter().all(|(at, row)| (*at as usize) < reads.len() && fits(row));
    if !sound || !file.rows.is_sorted_by(|one, next| one.0 < next.0) {
        return None;
    }
    let ends = file.rows.iter().skip(1).map(|(at, _)| *at as usize).chain([reads.len()]);
    for ((from, row), to) in file.rows.iter().zip(ends).filter(|((_, row), _)| !row.is_empty()) {
        for values in reads[*from as usize..to].iter_mut().filter_map(|read| read.as_mut().ok()) {
            let buckets = Buckets { edges: file.edges.clone(), cumulative: row.clone() };
            values.histograms.push((quantity, buckets));
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scrape::tests::{page, scraped};

    #[test]
    fn a_series_comes_back_as_it_was() {
        let other_edges = page(2, 0, 9, &[0.02]).replace("0.05", "0.06");
        let scraped = scraped(&[
            (0, Ok(page(1, 0, 5, &[]))),
            (1000, Ok(page(1, 0, 7, &[0.02]))),
            (2000, Err(Missed::Network("Failed to fetch".into()))),
            (3000, Ok(page(1, 0, 7, &[0.02]) + "vllm:kv_cache_usage_perc 0.125\nsglang:token_usage 7\n?\n")),
            (4000, Err(Missed::Status(503))),
            (5000, Ok("vllm:num_requests_running 3\n".into())),
            (6000, Ok(other_edges)),
            (7000, Err(Missed::Busy)),
            (8000, Ok("nothing 1\n".into())),
            (9000, Ok(page(2, 0, 9, &[0.02]))),
        ]);
        let file = to_file(&scraped);
        assert_eq!(file.numbers["running"].to_string(), "[1,1,null,1,null,3,2,null,null,2]");
        assert_eq!(file.numbers["cache_use"][3], 0.125);
        let rows: Vec<(usize, usize)> =
            file.histograms.iter().flat_map(|h| h.rows.iter().map(|(at, row)| (*at as usize, row.len()))).collect();
        assert_eq!(rows, [(0, 5), (1, 5), (5, 0), (6, 5), (9, 0), (9, 5)], "only where it changed");
        let text = serde_json::to_string(&file).expect("json");
        assert_eq!(from_file(serde_json::from_str(&text).expect("a file")), Ok(scraped));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let sound = to_file(&scraped(&[(0, Ok(page(1, 0, 5, &[]))), (1000, Ok(page(1, 0, 5, &[0.02])))]));
        let refused = |spoil: fn(&mut ScrapedFile)| {
            let mut file = sound.clone();
            spoil(&mut file);
            from_file(file).is_err()
        };
        assert!(!refused(|_| {}));
        assert!(refused(|f| f.numbers["running"] = serde_json::json!([1])));
        assert!(refused(|f| f.numbers["running"] = serde_json::json!([1, "x"])));
        assert!(refused(|f| f.missed.push((0, "busy".into(), String::new()))), "a number of a missing sample");
        assert!(refused(|f| f.missed.push((7, "busy".into(), String::new()))));
        assert!(refused(|f| f.missed.push((0, "rain".into(), String::new()))));
        assert!(refused(|f| f.histograms[0].rows[0].0 = 9));
        assert!(refused(|f| f.histograms[0].rows.swap(0, 1)));
        assert!(refused(|f| f.histograms[0].edges.push(9.0)));
        assert!(refused(|f| f.histograms[0].rows[1].1[0] = 9));
    }
}
