//! One message catalogue, two languages. Every text that a person reads comes from here; templates hold `{0}`, `{1}`, …

mod aggregates;
mod align;
mod catalogue;
mod charts;
mod circumstances;
mod compare;
mod diagnosis;
mod drawing;
mod embed;
mod export;
mod gate;
mod grid;
mod history;
mod lesson;
mod link;
mod load;
mod notes;
mod race;
mod results;
mod scrape;
mod sections;
mod setup;
mod summary;
mod walk;
mod workload;

use crate::config::{Direct, Field, Problem, Recipe};

pub use aggregates::Agg;
pub use align::{Align, refusal, stage_name};
pub use charts::Cht;
pub use circumstances::{Circ, circumstance_effect, circumstance_name};
pub use compare::{Cmp, slo_problem};
pub use diagnosis::Dia;
pub use drawing::Draw;
pub use embed::Emb;
pub use export::{Exp, format_name};
pub use gate::GateText;
pub use grid::{GridText, lost};
pub use history::His;
pub use lesson::Les;
pub use link::{LinkText, link_error};
pub(crate) use load::levels_text;
pub use load::{LoadText, client_limit, load_wrong, saturated};
pub use notes::{absence, diagnostic, diagnostic_code, outcome, outcome_advice};
pub use race::Rac;
pub use results::Res;
pub use scrape::{Scr, missed, not_observed, quantity_name, unusable};
pub use sections::{Sec, answer, connection, if_it_fails, missing, replay_error};
pub use setup::Ui;
pub use summary::{Sum, metric_definition, metric_name};
pub use walk::WalkText;
pub use workload::{Work, case_problem, check_error, check_failure, class_name, import_error, import_note, workload_problem};

/// A language of the interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Korean.
    Ko,
}

impl Lang {
    /// Both languages.
    pub const ALL: [Lang; 2] = [Lang::En, Lang::Ko];

    /// The language tag.
    pub fn code(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Ko => "ko",
        }
    }

    /// In its own words.
    pub fn name(self) -> &'static str {
        match self {
            Lang::En => "English",
            Lang::Ko => "한국어",
        }
    }

    /// The best fit for a browser's language tag.
    pub fn for_tag(tag: &str) -> Lang {
        if tag.to_ascii_lowercase().starts_with("ko") { Lang::Ko } else { Lang::En }
    }
}

/// Fills a template in.
pub fn fill(template: &str, values: &[&str]) -> String {
    let mut text = template.to_owned();
    for (at, value) in values.iter().enumerate() {
        text = text.replace(&format!("{{{at}}}"), value);
    }
    text
}

/// The name of a form field, as its label says it.
pub fn field(lang: Lang, field: Field) -> &'static str {
    match field {
        Field::Url => Ui::Url,
        Field::Headers => Ui::Headers,
        Field::Key => Ui::ApiKey,
        Field::KeyHeader => Ui::KeyHeader,
        Field::Body => Ui::BodyFields,
        Field::Prompt => Ui::Prompt,
        Field::Requests => Ui::Requests,
        Field::Concurrency => Ui::Concurrency,
        Field::WarmUp => Ui::WarmUp,
        Field::Timeout => Ui::TimeLimit,
        Field::MaxTokens => Ui::MaxTokens,
        Field::Format => Ui::Format,
        Field::TextPointer => Ui::TextPointer,
        Field::ItemsPointer => Ui::ItemsPointer,
        Field::Spans => Ui::Spans,
        Field::Cancel => Ui::CancelShare,
        Field::Versus => Ui::VersusTitle,
        Field::Thresholds => Ui::Thresholds,
        Field::StopRules => Ui::StopRules,
        Field::Criteria => Ui::Criteria,
        Field::Prices => Ui::PriceOutput,
        Field::Probe => Ui::Probe,
        Field::Load => return LoadText::Field.get(lang),
        Field::MetricsUrl => Ui::MetricsUrl,
        Field::MetricsPeriod => Ui::MetricsPeriod,
        Field::Workload => return Work::Workload.get(lang),
    }
    .get(lang)
}

/// Whether a page may call a recipe's target, and what to do. `page` is the page's origin.
pub fn direct(lang: Lang, recipe: &Recipe, page: &str) -> String {
    let key = match recipe.direct {
        Direct::Yes => Ui::DirectYes,
        Direct::WithHeader => Ui::DirectWithHeader,
        Direct::WhenTold(how) => return fill(Ui::DirectWhenTold.get(lang), &[&how.replace("PAGE", page)]),
        Direct::No => Ui::DirectNo,
        Direct::Unknown => Ui::DirectUnknown,
    };
    fill(key.get(lang), &[recipe.code, recipe.url.split('/').take(3).collect::<Vec<_>>().join("/").as_str()])
}

/// What is wrong with a field and what to do.
pub fn problem(lang: Lang, problem: &Problem) -> String {
    let say = |key: Ui, values: &[&str]| fill(key.get(lang), values);
    match problem {
        Problem::Url(text) => say(Ui::ProblemUrl, &[text]),
        Problem::Scheme(scheme) => say(Ui::ProblemScheme, &[scheme]),
        Problem::Credentials => say(Ui::ProblemCredentials, &[]),
        Problem::MixedContent => say(Ui::ProblemMixedContent, &[]),
        Problem::Header(line) => say(Ui::ProblemHeader, &[&line.to_string()]),
        Problem::ForbiddenHeader(name) => say(Ui::ProblemForbiddenHeader, &[name]),
        Problem::Key => say(Ui::ProblemKey, &[]),
        Problem::KeyHeader => say(Ui::ProblemKeyHeader, &[]),
        Problem::Format(code) => say(Ui::ProblemFormat, &[code]),
        Problem::Pointer(f) => say(Ui::ProblemPointer, &[field(lang, *f)]),
        Problem::Span(line) => say(Ui::ProblemSpan, &[&line.to_string()]),
        Problem::Body(error) => say(Ui::ProblemBody, &[error]),
        Problem::BodyNotObject => say(Ui::ProblemBodyNotObject, &[]),
        Problem::Range { field: f, min, max } => {
            say(Ui::ProblemRange, &[field(lang, *f), &min.to_string(), &crate::format::count(*max as usize)])
        }
        Problem::Prompt => say(Ui::ProblemPrompt, &[]),
        Problem::Probe(wrong) => say(Ui::ProblemWords, &[Ui::Probe.get(lang), &crate::text::problem(lang, wrong)]),
        Problem::Candidate(wrong) => say(Ui::ProblemWords, &[Ui::VersusUrl.get(lang), &crate::text::problem(lang, wrong)]),
        Problem::Metrics(wrong) => say(Ui::ProblemWords, &[Ui::MetricsUrl.get(lang), &crate::text::problem(lang, wrong)]),
        Problem::Spelling(f, error) => say(Ui::ProblemSpelling, &[field(lang, *f), &error.found, error.expected]),
        Problem::Replay(error) => replay_error(lang, error),
        Problem::Import(error) => import_error(lang, error),
        Problem::Limit(f, error) => say(Ui::ProblemWords, &[field(lang, *f), &slo_problem(lang, error)]),
        Problem::Price(text) => say(Ui::ProblemPrice, &[text]),
        Problem::Decision => say(Ui::ProblemDecision, &[]),
        Problem::SpendWithoutPrices => say(Ui::ProblemSpend, &[]),
        Problem::Load(wrong) => load_wrong(lang, *wrong).to_owned(),
        Problem::Workload(problem) => workload_problem(lang, problem),
    }
}

#[cfg(test)]
mod fill_in_tests {
    /// The places that a template fills; every catalogue tests its own with it.
    pub fn places(text: &str) -> Vec<usize> {
        (0..7).filter(|n| text.contains(&format!("{{{n}}}"))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled_in_any_order() {
        assert_eq!(fill("{1} of {0}, {1}", &["a", "b"]), "b of a, b");
    }
}
