//! The workload's fields: what is typed, and the workload it asks for.

use firstlight_core::config::{Field, Problem};
use firstlight_core::text::Ui;
use firstlight_core::workload::{CacheMode, Generator, Lengths, Source, Workload, import};
use leptos::prelude::*;

use super::text;

/// Where cases come from.
pub const KINDS: [(&str, Ui); 3] =
    [("prompt", Ui::WorkloadPrompt), (CASES, Ui::WorkloadCases), (GENERATED, Ui::WorkloadGenerated)];
/// Cases of a file.
pub const CASES: &str = "cases";
/// Cases made from a seed.
pub const GENERATED: &str = "generated";

/// Cache modes, in the order of [`MODES`].
pub const CACHES: [(&str, Ui); 3] = [("as-is", Ui::CacheAsIs), ("bust", Ui::CacheBust), ("reuse", Ui::CacheReuse)];
const MODES: [CacheMode; 3] = [CacheMode::AsIs, CacheMode::Bust, CacheMode::Reuse];

/// The fields. `Copy`.
#[derive(Clone, Copy)]
pub struct WorkloadForm {
    /// Which of [`KINDS`].
    pub kind: RwSignal<String>,
    /// JSONL.
    pub lines: RwSignal<String>,
    /// Generated: how many cases.
    pub cases: RwSignal<String>,
    /// Generated: input lengths.
    pub input: RwSignal<String>,
    /// Generated: output limits.
    pub output: RwSignal<String>,
    /// Generated: tokens of the shared beginning.
    pub prefix: RwSignal<String>,
    /// Generated: its seed.
    seed: RwSignal<u64>,
    /// Which of [`CACHES`].
    pub cache: RwSignal<String>,
    /// Only cases that are held out.
    pub confirmation: RwSignal<bool>,
    /// The lines that were read or shown last, and their workload: they are asked for at every change of the form, and what lines
    /// can't carry of a workload that came from elsewhere is not lost.
    known: StoredValue<Option<(String, Workload)>>,
}

impl Default for WorkloadForm {
    fn default() -> WorkloadForm {
        WorkloadForm {
            kind: text(KINDS[0].0),
            lines: text(""),
            cases: text("100"),
            input: text("lognormal median 200 p95 800"),
            output: text(""),
            prefix: text("0"),
            seed: RwSignal::new(1),
            cache: text(CACHES[0].0),
            confirmation: RwSignal::new(false),
            known: StoredValue::new(None),
        }
    }
}

impl WorkloadForm {
    /// The cache mode that is chosen.
    pub fn cache_mode(&self) -> CacheMode {
        let chosen = self.cache.get_untracked();
        CACHES.iter().position(|(code, _)| *code == chosen).map_or(CacheMode::AsIs, |at| MODES[at])
    }

    /// The workload that is asked for.
    pub fn read(&self, problems: &mut Vec<Problem>) -> Workload {
        match self.kind.get_untracked().as_str() {
            CASES => self.read_cases(problems),
            GENERATED => Workload { source: Source::Generated(self.read_generator(problems)), ..Workload::default() },
            _ => Workload::default(),
        }
    }

    fn read_cases(&self, problems: &mut Vec<Problem>) -> Workload {
        let lines = self.lines.get_untracked();
        let known = self.known.with_value(|known| known.as_ref().filter(|(text, _)| *text == lines).map(|(_, w)| w.clone()));
        if let Some(workload) = known {
            return workload;
        }
        match import(&lines) {
            Ok(imported) => {
                self.known.set_value(Some((lines, imported.workload.clone())));
                imported.workload
            }
            Err(errors) => {
                // The rest would be as many lines of the same kind.
                problems.extend(errors.into_iter().take(5).map(Problem::Import));
                Workload::default()
            }
        }
    }

    fn read_generator(&self, problems: &mut Vec<Problem>) -> Generator {
        let mut wrong = |error| problems.push(Problem::Spelling(Field::Workload, error));
        let input = Lengths::spelled(&self.input.get_untracked()).unwrap_or_else(|error| {
            wrong(error);
            Lengths::Fixed(100)
        });
        let output = self.output.get_untracked();
        let output = (!output.trim().is_empty()).then(|| Lengths::spelled(&output).map_err(&mut wrong).ok()).flatten();
        // Not a number: as wrong as the largest.
        let number = |text: RwSignal<String>| text.get_untracked().trim().parse().unwrap_or(u32::MAX);
        Generator {
            cases: number(self.cases),
            seed: self.seed.get_untracked(),
            input,
            output,
            shared_prefix: number(self.prefix),
            held_out: 0,
        }
    }

    /// Shows a workload that came from elsewhere.
    pub fn show(&self, workload: &Workload, cache: CacheMode, confirmation: bool) {
        let kind = match &workload.source {
            Source::Prompt => KINDS[0].0,
            Source::Cases(cases) => {
                let line = |case| serde_json::to_string(case).unwrap_or_default() + "\n";
                let lines: String = cases.iter().map(line).collect();
                self.lines.set(lines.clone());
                self.known.set_value(Some((lines, workload.clone())));
                CASES
            }
            Source::Generated(generator) => {
                self.cases.set(generator.cases.to_string());
                self.input.set(generator.input.to_string());
                self.output.set(generator.output.map(|o| o.to_string()).unwrap_or_default());
                self.prefix.set(generator.shared_prefix.to_string());
                self.seed.set(generator.seed);
                GENERATED
            }
        };
        self.kind.set(kind.to_owned());
        let at = MODES.iter().position(|m| *m == cache).unwrap_or(0);
        self.cache.set(CACHES[at].0.to_owned());
        self.confirmation.set(confirmation);
    }
}
