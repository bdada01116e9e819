//! One message catalogue, two languages. Every text that a person reads comes from here; templates hold `{0}`, `{1}`, …

mod catalogue;
mod circumstances;
mod notes;
mod results;
mod setup;
mod summary;

use crate::config::{Direct, Field, Problem, Recipe};

pub use circumstances::{Circ, circumstance_effect, circumstance_name};
pub use notes::{absence, diagnostic, diagnostic_code, outcome, outcome_advice};
pub use results::Res;
pub use setup::Ui;
pub use summary::{Sum, metric_definition, metric_name};

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
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled_in_any_order() {
        assert_eq!(fill("{1} of {0}, {1}", &["a", "b"]), "b of a, b");
    }

    #[test]
    fn both_languages_fill_the_same_places() {
        let places = |text: &str| (0..6).filter(|n| text.contains(&format!("{{{n}}}"))).collect::<Vec<_>>();
        let ui = Ui::ALL.iter().map(|k| (k.get(Lang::En), k.get(Lang::Ko)));
        let res = Res::ALL.iter().map(|k| (k.get(Lang::En), k.get(Lang::Ko)));
        let sum = Sum::ALL.iter().map(|k| (k.get(Lang::En), k.get(Lang::Ko)));
        for (en, ko) in ui.chain(res).chain(sum) {
            assert_eq!(places(en), places(ko), "{en} / {ko}");
            assert!(!en.is_empty() && !ko.is_empty());
        }
    }
}
