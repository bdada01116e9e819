//! What every chart is made from: a run, its figures, one way of asking, a size and a language.

use super::frame::plot;
use super::scene::{Axis, Figure, Reading, Rect, Size};
use crate::Micros;
use crate::align::Alignment;
use crate::format::{count, millis, quantile, value};
use crate::gap::{Split, Wait, split_aligned};
use crate::mark::{Absence, Mark};
use crate::metrics::{Figure as Value, Metric, Unit};
use crate::outcome::Outcome;
use crate::report::Run;
use crate::sections::Table;
use crate::stats::{Distribution, Interval, P, Quantile};
use crate::summary::{Row, Summary, clock_error, context_line, wait_name, with_subset};
use crate::text::{Cht, Lang, absence, fill};
use crate::trace::{Mode, Trace};

/// The most rows of a table behind a chart.
const TABLE_ROWS: usize = 200;

/// What a chart is drawn from and for.
#[derive(Clone, Copy)]
pub struct Sheet<'a> {
    /// The run.
    pub run: &'a Run,
    /// Its figures.
    pub summary: &'a Summary,
    /// Of requests asked for in this way.
    pub mode: Mode,
    /// How large.
    pub size: Size,
    /// In which language.
    pub lang: Lang,
}

/// One request's figure: exact where both ends are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sample {
    pub id: u32,
    pub low: i64,
    /// None where nothing bounds it, and of a request that had not got there when it ended.
    pub high: Option<i64>,
    /// It had not got there: `low` is how long it had been going.
    pub censored: bool,
}

impl<'a> Sheet<'a> {
    pub(super) fn say(&self, key: Cht, values: &[&str]) -> String {
        fill(key.get(self.lang), values)
    }

    pub(super) fn step(&self) -> Micros {
        Micros(self.run.clock.step_us)
    }

    pub(super) fn ms(&self, us: i64) -> String {
        millis(us, self.step())
    }

    pub(super) fn quantile(&self, q: Quantile) -> String {
        quantile(q, |value| self.ms(value))
    }

    /// A percentile as text.
    pub(super) fn percentile(&self, of: &Distribution, p: P) -> String {
        of.percentile(p).map_or_else(|| "–".to_owned(), |q| self.quantile(q))
    }

    /// Requests of this mode, warm-up among them, of the present one where two are compared.
    pub(super) fn all(&self) -> impl Iterator<Item = &'a Trace> {
        let mode = self.mode;
        self.run.traces.iter().filter(move |t| t.planned.arm == 0 && t.planned.mode == mode)
    }

    /// Of these the ones that enter distributions.
    pub(super) fn entering(&self) -> impl Iterator<Item = &'a Trace> {
        self.all().filter(|t| !t.planned.warmup && t.outcome.enters_distributions())
    }

    /// A metric's rows that have samples: one, or two of bounds.
    pub(super) fn rows(&self, metric: Metric) -> Vec<&'a Row> {
        let mine = |r: &&Row| r.metric == metric && r.mode == self.mode && r.distribution.n() > 0;
        self.summary.rows.iter().filter(mine).collect()
    }

    /// A metric's samples, by rising lower ends; those that had not got there come last, as they rank.
    pub(super) fn samples(&self, metric: Metric) -> Vec<Sample> {
        let mut samples: Vec<Sample> = self.entering().filter_map(|t| sample(t, metric)).collect();
        samples.sort_by_key(|s| (s.censored, s.low, s.id));
        samples
    }

    /// The waits that have a comparable report, with their parts.
    pub(super) fn splits(&self, wait: Wait) -> Vec<(u32, Split)> {
        let (error, alignment) = (clock_error(self.run), Alignment::of(self.run));
        let parts = |t: &Trace| split_aligned(t, wait, error, &alignment).ok();
        self.entering().filter_map(|t| Some((t.planned.id, parts(t)?))).collect()
    }

    /// The first wait of which some request has a comparable report.
    pub(super) fn reported_wait(&self) -> Option<Wait> {
        self.summary.gaps.iter().find(|(mode, _, gaps)| *mode == self.mode && gaps.outside.n() > 0).map(|(_, wait, _)| *wait)
    }

    /// What is left out of a wait's comparison, in words.
    pub(super) fn left_out(&self, wait: Wait) -> Vec<String> {
        let gaps = self.summary.gaps_of(self.mode, wait);
        let counts = gaps.map_or((0, 0), |g| (g.without_report, g.inconsistent));
        let note = |key, n: u32| (n > 0).then(|| self.say(key, &[&count(n as usize)]));
        [note(Cht::NoteWithoutReport, counts.0), note(Cht::NoteInconsistent, counts.1)].into_iter().flatten().collect()
    }

    /// The context of a wait's figures.
    pub(super) fn wait_context(&self, wait: Wait, n: usize) -> String {
        let metric = match wait {
            Wait::FirstOutput => Metric::Ttft,
            Wait::FirstAnswer => Metric::FirstAnswer,
            Wait::FirstVisible => Metric::FirstVisible,
            Wait::LastOutput => Metric::EndToEnd,
            Wait::CompleteVisible => Metric::CompleteVisible,
        };
        let statistic = format!("n = {}", count(n));
        let statistic = with_subset(self.run, self.lang, metric, self.mode, &statistic);
        context_line(self.run, self.lang, Some(self.mode), wait_name(wait, self.lang), &statistic)
    }

    /// A figure with nothing in it yet.
    pub(super) fn figure(&self, id: &'static str, title: String, plot: Rect) -> Figure {
        Figure {
            id,
            title,
            about: String::new(),
            size: self.size,
            plot,
            x: Axis::default(),
            y: Axis::default(),
            names: Vec::new(),
            layers: Vec::new(),
            spots: Vec::new(),
            members: Vec::new(),
            reading: Reading::Texts(Vec::new()),
            key: Vec::new(),
            table: Table::default(),
            notes: Vec::new(),
            context: context_line(self.run, self.lang, Some(self.mode), "", ""),
        }
    }

    /// A figure that says why there is nothing to draw.
    pub(super) fn nothing(&self, id: &'static str, title: String, why: Vec<String>) -> Figure {
        let about = format!("{title}. {}", why.join(" "));
        Figure { notes: why, about, ..self.figure(id, title, plot(self.size, 0.0)) }
    }

    /// How many measured requests that ended well are not drawn, since they have no figure of a metric, and why.
    pub(super) fn missing(&self, metric: Metric) -> Vec<String> {
        let mut reasons: Vec<(Absence, usize)> = Vec::new();
        let well = |t: &&Trace| !t.planned.warmup && t.outcome == Outcome::Complete;
        for why in self.all().filter(well).filter_map(|t| metric.of(t).err()) {
            match reasons.iter_mut().find(|(known, _)| *known == why) {
                Some((_, n)) => *n += 1,
                None => reasons.push((why, 1)),
            }
        }
        let say = |(why, n): &(Absence, usize)| self.say(Cht::NoteMissing, &[&count(*n), absence(self.lang, *why)]);
        reasons.iter().map(say).collect()
    }

    /// Percentiles of a metric with their intervals, a row for each set of samples.
    pub(super) fn percentiles(&self, metric: Metric, sets: &[(String, &Distribution)]) -> Table {
        let show = |q: Quantile| quantile(q, |of| value(of, metric.unit(), self.step()));
        let cell = |d: &Distribution, p: P| match (d.percentile(p), d.interval(p)) {
            (Some(q), Interval::Between { lower, upper }) => format!("{} ({}–{})", show(q), show(lower), show(upper)),
            (Some(q), Interval::Needs { .. }) => show(q),
            (None, _) => "–".to_owned(),
        };
        let row = |(name, d): &(String, &Distribution)| {
            let figures = P::SHOWN.into_iter().map(|p| cell(d, p));
            [name.clone(), count(d.n())].into_iter().chain(figures).collect()
        };
        let head = |p: P| match unit(metric) {
            "" => p.name().to_owned(),
            unit => format!("{} ({unit})", p.name()),
        };
        let head =
            [Cht::ColFigure.get(self.lang), "n"].into_iter().map(str::to_owned).chain(P::SHOWN.into_iter().map(head)).collect();
        Table { caption: String::new(), head, rows: sets.iter().map(row).collect() }
    }

    /// An interval behind a figure, or what it needs.
    pub(super) fn interval(&self, interval: Interval<Quantile>) -> String {
        match interval {
            Interval::Between { lower, upper } => self.say(Cht::ReadInterval, &[&self.quantile(lower), &self.quantile(upper)]),
            Interval::Needs { at_least, .. } => self.say(Cht::ReadNeeds, &[&count(at_least)]),
        }
    }

    /// A table of at most [`TABLE_ROWS`] rows; its caption says so if there were more.
    pub(super) fn table<const N: usize>(&self, head: [Cht; N], rows: impl ExactSizeIterator<Item = [String; N]>) -> Table {
        self.rows_of(head.iter().map(|k| k.get(self.lang).to_owned()).collect(), rows.map(|row| row.to_vec()))
    }

    /// The same with heads that are words already.
    pub(super) fn rows_of(&self, head: Vec<String>, rows: impl ExactSizeIterator<Item = Vec<String>>) -> Table {
        let all = rows.len();
        let caption = match all > TABLE_ROWS {
            true => self.say(Cht::NoteRowsCut, &[&count(TABLE_ROWS), &count(all)]),
            false => String::new(),
        };
        Table { caption, head, rows: rows.take(TABLE_ROWS).collect() }
    }

    /// The names of a mark's one row or of its two bounds.
    pub(super) fn edge_names(&self, name: &str, rows: usize) -> Vec<String> {
        match rows {
            2 => vec![self.say(Cht::Earliest, &[name]), self.say(Cht::Latest, &[name])],
            _ => vec![name.to_owned()],
        }
    }
}

/// One request's figure of a metric.
pub(super) fn sample(trace: &Trace, metric: Metric) -> Option<Sample> {
    let id = trace.planned.id;
    match metric.of(trace) {
        Ok(Value::Exact(value)) => Some(Sample { id, low: value, high: Some(value), censored: false }),
        Ok(Value::Bounds(low, high)) => Some(Sample { id, low, high, censored: false }),
        Err(Absence::NotReached) if trace.outcome.censors() && metric.unit() == Unit::Time => {
            Some(Sample { id, low: trace.elapsed()?.0, high: None, censored: true })
        }
        Err(_) => None,
    }
}

/// When the first request of a run was sent.
pub(super) fn begin(run: &Run) -> Option<Micros> {
    run.traces.iter().filter_map(|t| t.marks.get(Mark::Sent).ok()).min()
}

/// A unit as an axis writes it.
pub(super) fn unit(metric: Metric) -> &'static str {
    match metric.unit() {
        Unit::Time => "ms",
        Unit::Count => "",
        Unit::TokenRate => "tok/s",
    }
}

/// A metric's value with its unit.
pub(super) fn with_unit(metric: Metric, of: i64, step: Micros) -> String {
    format!("{} {}", value(of, metric.unit(), step), unit(metric)).trim_end().to_owned()
}

/// A metric's integer in the unit of its axis.
pub(super) fn axis_value(of: i64) -> f64 {
    of as f64 / 1000.0
}
