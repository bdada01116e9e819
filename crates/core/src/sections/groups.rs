//! Figures of groups, never mixed: by class, user group, turn, connection and outcome.

use super::{Section, Table, heads, interval, measured, quantile};
use crate::Micros;
use crate::breakdown::{Connection, Figures, Group, by, connection, elapsed_by_outcome, waits};
use crate::format::{count, millis};
use crate::metrics::Metric;
use crate::report::Run;
use crate::summary::{Edge, browser_name};
use crate::text::{GridText, Lang, Sec, Sum, fill, metric_name, outcome};
use crate::trace::Trace;

pub(super) fn groups(run: &Run, lang: Lang) -> Option<Section> {
    let set = measured(run);
    let metrics = waits(&set);
    let step = Micros(run.clock.step_us);
    let mut section = Section::new("groups", Sec::GroupsTitle.get(lang));
    let mut add = |title: &str, groups: Vec<Group<String>>| {
        // One group is the whole.
        if groups.len() > 1 {
            section.tables.push(table(title, &groups, lang, step));
        }
    };
    let labels = run.labels();
    let label = |of: &dyn Fn(&crate::report::Label) -> String| {
        by(&set, &metrics, |t: &Trace| labels.of(t.planned.case).map(of).unwrap_or_default())
    };
    if labels.any() {
        add(Sec::ByClass.get(lang), label(&|l| l.class.to_owned()));
        let none = Sec::NoGroup.get(lang);
        add(Sec::ByGroup.get(lang), label(&|l| l.group.clone().unwrap_or_else(|| none.to_owned())));
        let turn = |n: u32| fill(Sec::Turn.get(lang), &[&n.to_string()]);
        add(Sec::ByTurn.get(lang), label(&|l| turn(l.turn)));
    }
    if run.is_merged() {
        let kind = |t: &Trace| browser_name(&run.environment_of(t.planned.id).user_agent);
        add(GridText::ByKind.get(lang), by(&set, &metrics, kind));
        let part = |t: &Trace| run.part_of(t.planned.id).unwrap_or_default();
        let named =
            |g: Group<u32>| rename(g, |at| run.parts.get(at as usize).map(|part| part.label.clone()).unwrap_or_default());
        add(GridText::ByBrowser.get(lang), by(&set, &metrics, part).into_iter().map(named).collect());
    }
    let connections = by(&set, &metrics, connection);
    if connections.iter().any(|g| g.key != Connection::Unknown) {
        let named = |g: Group<Connection>| rename(g, |key| crate::text::connection(lang, key).to_owned());
        add(Sec::ByConnection.get(lang), connections.into_iter().map(named).collect());
    }
    let outcomes = elapsed_by_outcome(&set).into_iter().map(|g| {
        let of = set.iter().find(|t| t.outcome.code() == g.key).map(|t| outcome(lang, &t.outcome));
        rename(g, |key| of.unwrap_or_else(|| key.to_owned()))
    });
    add(Sec::ByOutcome.get(lang), outcomes.collect());
    (!section.tables.is_empty()).then_some(section)
}

fn rename<K>(group: Group<K>, name: impl FnOnce(K) -> String) -> Group<String> {
    Group { key: name(group.key), requests: group.requests, failures: group.failures, figures: group.figures }
}

fn figure_name(lang: Lang, metric: Option<Metric>, edge: Edge) -> String {
    let name = metric.map_or(Sec::Elapsed.get(lang), |m| metric_name(lang, m));
    match edge {
        Edge::Value => name.to_owned(),
        Edge::Earliest => fill(Sum::EdgeEarliest.get(lang), &[name]),
        Edge::Latest => fill(Sum::EdgeLatest.get(lang), &[name]),
    }
}

fn table(caption: &str, groups: &[Group<String>], lang: Lang, step: Micros) -> Table {
    let row = |g: &Group<String>, f: &Figures| {
        let cell = |p: Option<(crate::stats::Quantile, crate::stats::Interval<crate::stats::Quantile>)>| {
            p.map_or(["–".to_owned(), String::new()], |(q, i)| [quantile(q, step), interval(i, lang, step)])
        };
        let ([p50, i50], [p95, i95]) = (cell(f.p50), cell(f.p95));
        let mean = f.mean.map_or("–".to_owned(), |m| millis(m.round() as i64, step));
        let counts = [count(g.requests), count(g.failures)];
        let [requests, failures] = counts;
        vec![g.key.clone(), requests, failures, figure_name(lang, f.metric, f.edge), count(f.n), p50, i50, p95, i95, mean]
    };
    let between = Sec::ColInterval.get(lang);
    let head = heads([
        Sec::ColGroup.get(lang),
        Sec::ColRequests.get(lang),
        Sec::ColFailed.get(lang),
        Sec::ColFigure.get(lang),
        "n",
        "p50",
        between,
        "p95",
        between,
        crate::text::Res::ColMean.get(lang),
    ]);
    let none = |g: &Group<String>| {
        let counts = [g.key.clone(), count(g.requests), count(g.failures), "–".to_owned(), count(0)];
        counts.into_iter().chain(std::iter::repeat_n("–".to_owned(), 5)).collect()
    };
    let rows = groups.iter().flat_map(|g| match g.figures.is_empty() {
        true => vec![none(g)],
        false => g.figures.iter().map(|f| row(g, f)).collect(),
    });
    let rows = rows.collect();
    Table { caption: caption.to_owned(), head, rows }
}
