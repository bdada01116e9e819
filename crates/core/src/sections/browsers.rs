//! Which browsers took part in a run of many, whether they were at it at once, and which of them gave no run.

use super::{Section, Table, Tone, heads};
use crate::format::{count, significant};
use crate::report::Run;
use crate::text::{GridText, Lang, fill, lost};

pub(super) fn browsers(run: &Run, lang: Lang) -> Option<Section> {
    let grid = run.environment.grid.as_deref()?;
    let mut section = Section::new("browsers", GridText::Title.get(lang));
    let measured = count(grid.measured as usize);
    if !grid.lost.is_empty() {
        let text = fill(GridText::SomeLost.get(lang), &[&count(grid.lost.len()), &count(grid.asked as usize)]);
        section.say(Tone::Warn, text);
    }
    match (grid.measured, grid.together_ms) {
        (0 | 1, _) => {}
        (_, 0) => {
            section.say(Tone::Warn, fill(GridText::NotTogether.get(lang), &[&measured, &count(grid.at_once as usize)]));
        }
        (_, ms) => {
            let seconds = significant(ms as f64 / 1000.0, 1);
            let stagger = count(grid.stagger_ms as usize);
            section.say(Tone::Plain, fill(GridText::AllTogether.get(lang), &[&measured, &seconds, &stagger]));
        }
    }
    if !grid.lost.is_empty() {
        let row = |of: &crate::report::LostBrowser| vec![of.session.label(), lost(lang, of.why).to_owned(), of.said.clone()];
        let head = [GridText::ColBrowser, GridText::ColWhy, GridText::ColSaid].map(|key| key.get(lang));
        let rows = grid.lost.iter().map(row).collect();
        section.tables.push(Table { caption: GridText::LostTitle.get(lang).to_owned(), head: heads(head), rows });
    }
    Some(section)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Grid, Lost, LostBrowser, Session};
    use crate::summary::fixture::run;
    use crate::summary::load_line;

    fn of(grid: Grid) -> Run {
        let mut run = run(Vec::new());
        run.config.concurrency = 4;
        run.environment.grid = Some(Box::new(grid));
        run
    }

    #[test]
    fn the_load_names_its_browsers() {
        let run = of(Grid { asked: 20, measured: 20, stagger_ms: 100, at_once: 20, together_ms: 12_340, lost: Vec::new() });
        assert_eq!(load_line(&run, Lang::En), "20 browsers × closed loop, 4 at once");
        let alone = of(Grid { asked: 1, measured: 1, at_once: 1, ..Grid::default() });
        assert_eq!(load_line(&alone, Lang::En), "closed loop, 4 at once");
        let section = browsers(&run, Lang::En).expect("a section");
        let said = "All 20 browsers measured at the same time for 12.3 s; began 100 ms apart, as asked.";
        assert_eq!((section.sentences.as_slice(), section.tables.len()), ([(Tone::Plain, said.to_owned())].as_slice(), 0));
    }

    #[test]
    fn browsers_that_gave_no_run_are_counted_and_named() {
        let session = Session { number: 2, browser: "chrome".into(), version: "156".into(), platform: "linux".into() };
        let lost = vec![LostBrowser { session, why: Lost::WentAway, said: String::new() }];
        let run = of(Grid { asked: 3, measured: 2, at_once: 2, lost, ..Grid::default() });
        let section = browsers(&run, Lang::En).expect("a section");
        assert!(section.sentences[0].1.starts_with("1 of 3 browsers gave no run"), "{:?}", section.sentences);
        assert!(section.sentences[1].1.contains("at most 2 did"), "{:?}", section.sentences);
        assert_eq!(section.tables[0].rows, [["2: chrome 156, linux", "it went away while it measured", ""].map(str::to_owned)]);
        assert!(browsers(&crate::summary::fixture::run(Vec::new()), Lang::En).is_none());
    }
}
