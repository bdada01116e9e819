//! Many browsers at once: which ones, which gave no run, and how many were measuring at the same time.

use serde::{Deserialize, Serialize};

/// The browser of one run on a grid, as its WebDriver service named it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// Its number among the browsers that were asked for, from 1.
    pub number: u32,
    /// `browserName`; empty where the service did not say.
    pub browser: String,
    /// `browserVersion`.
    pub version: String,
    /// `platformName`.
    pub platform: String,
}

impl Session {
    /// What it is called: `3: firefox 153.0, linux`.
    pub fn label(&self) -> String {
        let name = [self.browser.as_str(), self.version.as_str()];
        let name = name.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
        let parts = [name.as_str(), self.platform.as_str()];
        let parts = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
        if parts.is_empty() { self.number.to_string() } else { format!("{}: {parts}", self.number) }
    }
}

/// Why a browser gave no run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lost {
    /// The service opened none.
    NoSession,
    /// It could not open the page.
    NotOpened,
    /// It did not fetch its job in time.
    NotFetched,
    /// The page could not begin.
    CouldNotBegin,
    /// It went away while it measured.
    WentAway,
    /// It did not report in time.
    NoReport,
    /// Its report can't be read.
    Unreadable,
}

/// A browser that gave no run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostBrowser {
    /// Which, as far as it is known.
    pub session: Session,
    /// Why.
    pub why: Lost,
    /// In the words of whoever said it; empty if nobody did.
    #[serde(default)]
    pub said: String,
}

/// The browsers of a run that many took part in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grid {
    /// How many were asked for.
    pub asked: u32,
    /// How many gave a run.
    pub measured: u32,
    /// Pause between the starts of two, as asked, in ms.
    pub stagger_ms: u32,
    /// The most that were measuring at the same moment, by the clock of the page's server: from fetching the job to handing the
    /// run back. Those that gave no run are among them for as long as they were there.
    pub at_once: u32,
    /// For how long all that gave a run were measuring at the same moment, in ms.
    pub together_ms: u64,
    /// Those that gave none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<LostBrowser>,
}

/// The browsers of several runs that are merged: as many at once as in each. None if in some there was one alone.
pub(super) fn of_all<'a>(mut grids: impl Iterator<Item = Option<&'a Grid>>) -> Option<Grid> {
    let first = grids.next()??.clone();
    grids.try_fold(first, |all, grid| {
        let grid = grid?;
        Some(Grid {
            at_once: all.at_once.min(grid.at_once),
            together_ms: all.together_ms.min(grid.together_ms),
            lost: [all.lost, grid.lost.clone()].concat(),
            ..all
        })
    })
}

/// When one browser measured, in ms of one clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// It had fetched its job.
    pub from_ms: u64,
    /// It had handed its run back, or was lost.
    pub to_ms: u64,
    /// It gave a run.
    pub measured: bool,
}

/// The most at the same moment, and for how long all that gave a run measured together.
pub fn overlap(stretches: &[Stretch]) -> (u32, u64) {
    let at = |moment: u64| stretches.iter().filter(|s| s.from_ms <= moment && moment < s.to_ms.max(s.from_ms + 1)).count();
    // The most are there just as one of them begins.
    let most = stretches.iter().map(|s| at(s.from_ms)).max().unwrap_or(0);
    let measured = || stretches.iter().filter(|s| s.measured);
    let (last_begin, first_end) = (measured().map(|s| s.from_ms).max(), measured().map(|s| s.to_ms).min());
    let together = last_begin.zip(first_end).map_or(0, |(begin, end)| end.saturating_sub(begin));
    (u32::try_from(most).unwrap_or(u32::MAX), together)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn stretch(from_ms: u64, to_ms: u64, measured: bool) -> Stretch {
        Stretch { from_ms, to_ms, measured }
    }

    #[test]
    fn of_three_that_began_one_after_the_other() {
        let all = [stretch(0, 100, true), stretch(50, 150, true), stretch(90, 95, false), stretch(200, 300, true)];
        assert_eq!(overlap(&all), (3, 0));
        assert_eq!(overlap(&all[..3]), (3, 50));
        assert_eq!(overlap(&[]), (0, 0));
        // One that ends as another begins is not there with it.
        assert_eq!(overlap(&[stretch(0, 10, true), stretch(10, 20, true)]), (1, 0));
    }

    proptest! {
        #[test]
        fn the_most_is_what_any_moment_has(ends in prop::collection::vec((0u64..60, 1u64..60), 1..8)) {
            let all: Vec<Stretch> = ends.iter().map(|(from, took)| stretch(*from, from + took, true)).collect();
            let (most, together) = overlap(&all);
            let at = |moment: u64| all.iter().filter(|s| s.from_ms <= moment && moment < s.to_ms).count();
            let counted: Vec<usize> = (0..130).map(at).collect();
            prop_assert_eq!(most as usize, counted.iter().copied().max().unwrap_or(0));
            prop_assert_eq!(together, counted.iter().filter(|n| **n == all.len()).count() as u64);
        }
    }

    #[test]
    fn merged_runs_had_as_many_at_once_as_each_of_them() {
        let grid = |at_once, together_ms| Grid { asked: 4, measured: 4, at_once, together_ms, ..Grid::default() };
        let (a, b) = (grid(4, 900), grid(3, 700));
        assert_eq!(of_all([Some(&a), Some(&b)].into_iter()), Some(grid(3, 700)));
        assert_eq!(of_all([Some(&a), None].into_iter()), None);
    }

    #[test]
    fn a_browser_is_called_by_what_is_known_of_it() {
        let session = |browser: &str, version: &str, platform: &str| Session {
            number: 3,
            browser: browser.into(),
            version: version.into(),
            platform: platform.into(),
        };
        assert_eq!(session("firefox", "153.0", "linux").label(), "3: firefox 153.0, linux");
        assert_eq!(session("", "", "linux").label(), "3: linux");
        assert_eq!(session("", "", "").label(), "3");
    }
}
