//! What a summary and a report say: parts made of sentences and tables, whatever they are written in.

use crate::Micros;
use crate::format::count;
use crate::report::Run;
use crate::sections::{Section, Table, Tone, sections};
use crate::summary::{
    Headline, Summary, TableRow, circumstance_lines, clock_line, environment_line, headline, load_line, pace_line,
    paired_lines, parts_sentence, table, typical_waits, workload_line,
};
use crate::text::{Exp, Lang, Res, Sum, fill, metric_definition, metric_name, outcome};
use crate::trace::Mode;
use crate::validity::Effect;
use crate::workload::{CacheMode, Source, describe};

/// A run with its figures, in a language.
pub(super) struct Content<'a> {
    pub(super) run: &'a Run,
    pub(super) summary: Summary,
    pub(super) lang: Lang,
}

impl<'a> Content<'a> {
    pub(super) fn of(run: &'a Run, lang: Lang) -> Content<'a> {
        Content { run, summary: Summary::of(run), lang }
    }

    /// What is measured, in a line.
    pub(super) fn title(&self) -> String {
        fill(Exp::Title.get(self.lang), &[&workload_line(self.run, self.lang, None)])
    }

    pub(super) fn headlines(&self) -> Vec<Headline> {
        headline(self.run, &self.summary, self.lang)
    }

    fn both(&self) -> bool {
        self.run.config.modes().len() > 1
    }

    pub(super) fn mode(&self, mode: Mode) -> &'static str {
        if mode == Mode::Streaming { Sum::Streaming } else { Sum::NotStreaming }.get(self.lang)
    }

    /// What every number carries, a row each, and where it was measured.
    pub(super) fn context(&self) -> Section {
        let (run, lang) = (self.run, self.lang);
        let headlines = self.headlines();
        let of_mode = |h: &Headline| match self.both() {
            true => fill(Exp::BoundaryOf.get(lang), &[self.mode(h.mode)]),
            false => Exp::Boundary.get(lang).to_owned(),
        };
        let boundaries = headlines.iter().filter(|h| !h.boundary.is_empty()).map(|h| (of_mode(h), h.boundary.to_owned()));
        // Of other workloads it stands in their line already.
        let plain = run.config.workload.source == Source::Prompt && run.config.cache == CacheMode::AsIs;
        let described = run
            .workload
            .as_ref()
            .filter(|_| plain)
            .map(|w| describe(lang, &run.config.workload, w, run.config.cache, run.config.confirmation));
        let workload = [Some(workload_line(run, lang, None)), described].into_iter().flatten().collect::<Vec<_>>().join(" · ");
        let statistic: Vec<String> = std::iter::once(Res::MetricsStatistic.get(lang).to_owned())
            .chain(headlines.iter().filter(|h| !h.statistic.is_empty()).map(|h| match self.both() {
                true => format!("{}: {}", self.mode(h.mode), h.statistic),
                false => h.statistic.clone(),
            }))
            .chain([clock_line(run, lang)])
            .collect();
        let processors = run.environment.processors.map(|n| fill(Exp::Processors.get(lang), &[&n.to_string()]));
        let rows = boundaries
            .chain([
                (Exp::Workload.get(lang).to_owned(), workload),
                (Exp::Load.get(lang).to_owned(), load_line(run, lang)),
                (Exp::Statistic.get(lang).to_owned(), statistic.join(" · ")),
                (Exp::Where.get(lang).to_owned(), environment_line(run, lang)),
            ])
            .chain(processors.map(|processors| (Exp::Machine.get(lang).to_owned(), processors)))
            .chain([
                (Exp::Browser.get(lang).to_owned(), run.environment.user_agent.clone()),
                (Exp::WrittenBy.get(lang).to_owned(), format!("Firstlight {}", env!("CARGO_PKG_VERSION"))),
            ])
            .map(|(name, text)| vec![name, text])
            .collect();
        let mut part = Section::new("context", Exp::Context.get(lang));
        part.tables.push(Table { caption: String::new(), head: Vec::new(), rows });
        part
    }

    /// Every metric with these statistics, behind a percentile, in brackets, its interval or what one needs; then which requests are
    /// not in them, and why.
    pub(super) fn figures(&self, stats: &[&'static str]) -> Section {
        let lang = self.lang;
        let (mut rows, mut missing) = (Vec::new(), Vec::new());
        for row in table(self.run, &self.summary, lang) {
            if row.cells.is_empty() || !row.missing.is_empty() {
                missing.push(self.missing(&row));
            }
            if !row.cells.is_empty() {
                rows.push(self.figure_row(row, stats));
            }
        }
        let name = |stat: &&'static str| match *stat {
            "max" => Res::ColMax.get(lang),
            "mean" => Res::ColMean.get(lang),
            stat => stat,
        };
        let mut head = vec![Res::ColMetric.get(lang).to_owned(), Res::ColUnit.get(lang).to_owned(), "n".to_owned()];
        head.extend(stats.iter().map(|stat| name(stat).to_owned()));
        let mut part = Section::new("figures", Res::MetricsTitle.get(lang));
        if !rows.is_empty() {
            part.tables.push(Table { caption: String::new(), head, rows });
        }
        if !missing.is_empty() {
            let head = vec![Res::ColMetric.get(lang).to_owned(), Exp::Missing.get(lang).to_owned()];
            part.tables.push(Table { caption: String::new(), head, rows: missing });
        }
        part
    }

    fn named(&self, row: &TableRow) -> String {
        if self.both() { format!("{}, {}", row.name, self.mode(row.mode)) } else { row.name.clone() }
    }

    fn missing(&self, row: &TableRow) -> Vec<String> {
        let why = match row.missing.is_empty() {
            true => Res::MetricsNobody.get(self.lang).to_owned(),
            false => row.missing.join(" · "),
        };
        vec![self.named(row), why]
    }

    fn figure_row(&self, row: TableRow, stats: &[&'static str]) -> Vec<String> {
        let cell = |stat: &&'static str| {
            let cell = row.cells.iter().find(|cell| cell.stat == *stat);
            cell.map_or_else(String::new, |cell| match &cell.interval {
                Some(interval) => format!("{} ({interval})", cell.text),
                None => cell.text.clone(),
            })
        };
        let name = [self.named(&row), row.unit.to_owned(), row.n.clone()];
        name.into_iter().chain(stats.iter().map(cell)).collect()
    }

    /// How requests ended, and what was met on the way.
    pub(super) fn outcomes(&self) -> Section {
        let lang = self.lang;
        let words = |key: Exp| key.get(lang).to_owned();
        let mut part = Section::new("outcomes", Res::OutcomesTitle.get(lang));
        let rows = self.summary.outcomes.iter().map(|(mode, ended, n)| {
            let mark = if *ended == crate::outcome::Outcome::Complete { "●" } else { "▲" };
            vec![format!("{mark} {}", outcome(lang, ended)), self.mode(*mode).to_owned(), count(*n as usize)]
        });
        let head = vec![Res::ColOutcome.get(lang).to_owned(), words(Exp::Mode), words(Exp::Count)];
        part.tables.push(Table { caption: String::new(), head, rows: rows.collect() });
        if self.summary.warmup > 0 {
            part.sentences.push((Tone::Plain, fill(Res::Warmups.get(lang), &[&count(self.summary.warmup as usize)])));
        }
        let effect = |effect| match effect {
            Effect::Kept => Res::CircKept,
            Effect::Bounded => Res::CircBounded,
            Effect::Excluded => Res::CircExcluded,
        };
        let lines = circumstance_lines(self.run, lang).into_iter();
        let rows: Vec<_> = lines
            .map(|l| vec![l.name.to_owned(), effect(l.effect).get(lang).to_owned(), l.how_many, l.meaning.to_owned()])
            .collect();
        if !rows.is_empty() {
            let head = vec![Res::CircTitle.get(lang).to_owned(), words(Exp::Effect), words(Exp::Met), words(Exp::Meaning)];
            part.tables.push(Table { caption: String::new(), head, rows });
        }
        part
    }

    /// Where the wait of the request in the middle passed.
    pub(super) fn picture(&self) -> Section {
        let (lang, step) = (self.lang, Micros(self.run.clock.step_us));
        let mut part = Section::new("picture", Res::PictureTitle.get(lang));
        part.sentences.push((Tone::Plain, Res::PictureHint.get(lang).to_owned()));
        for mode in self.run.config.modes() {
            for typical in typical_waits(self.run, &self.summary, *mode) {
                let of = fill(Res::PictureBar.get(lang), &[&typical.id.to_string(), &count(typical.of)]);
                let mode = if self.both() { format!("{}, ", self.mode(*mode)) } else { String::new() };
                part.sentences.push((Tone::Plain, format!("{} ({mode}{of})", parts_sentence(&typical.split, step, lang))));
            }
        }
        if part.sentences.len() == 1 {
            part.sentences = vec![(Tone::Plain, Res::PictureNone.get(lang).to_owned())];
        }
        part
    }

    /// How much was done per second, and how pairs compare.
    pub(super) fn pace(&self) -> Section {
        let lang = self.lang;
        let mut part = Section::new("pace", Res::PaceTitle.get(lang));
        for mode in self.run.config.modes() {
            let line = pace_line(&self.summary, *mode, lang);
            part.sentences.push((Tone::Plain, if self.both() { format!("{}: {line}", self.mode(*mode)) } else { line }));
        }
        let rows: Vec<_> = paired_lines(&self.summary, Micros(self.run.clock.step_us), lang)
            .into_iter()
            .map(|l| vec![l.name.to_owned(), l.median, l.interval, l.n])
            .collect();
        if !rows.is_empty() {
            let head = [Res::ColMetric, Res::PairedMedian, Res::PairedInterval, Res::PairedPairs];
            let head = head.map(|key| key.get(lang).to_owned()).to_vec();
            part.tables.push(Table { caption: Res::PairedHint.get(lang).to_owned(), head, rows });
        }
        part
    }

    /// What follows from limits, loads and groups. Of checks only how many passed: why one failed tells of the answer.
    pub(super) fn sections(&self) -> Vec<Section> {
        let mut parts = sections(self.run, &self.summary, self.lang);
        parts.iter_mut().filter(|part| part.id == "quality").for_each(|part| part.tables.clear());
        parts
    }

    /// What each metric is.
    pub(super) fn definitions(&self) -> Vec<(&'static str, &'static str)> {
        let metrics = crate::metrics::Metric::ALL.into_iter();
        metrics.map(|m| (metric_name(self.lang, m), metric_definition(self.lang, m))).collect()
    }
}

/// A column of figures, which stand to the right.
pub(super) fn holds_figures(table: &Table, at: usize) -> bool {
    // A sentence may begin with a number too.
    const LONGEST: usize = 24;
    let figure = |cell: &String| {
        let value = cell.split(" (").next().unwrap_or(cell);
        value.starts_with(|c: char| c.is_ascii_digit() || "–−+~≥≤".contains(c)) && value.chars().count() <= LONGEST
    };
    let mut cells = table.rows.iter().filter_map(|row| row.get(at)).filter(|cell| !cell.is_empty()).peekable();
    at > 0 && cells.peek().is_some() && cells.all(figure)
}
