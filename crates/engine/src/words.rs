//! The words of the answers: sentences over and over, one token a word.

use crate::error::ScheduleError;

/// The first sentence has ten words, so that even a short answer holds a whole one.
const ANSWER: &str = "Over the café, air scatters blue light more than red. \
That is why the sky (하늘) looks blue when the sun ☀️ stands high. \
At dusk the light comes a longer way, loses its blue, and the horizon turns naïvely red 🌇. \
On Mars, where dust does the scattering, it is the other way round: pink by day, blue at dusk. \
None of this needs a mirror, an ocean or a déjà vu — only air and light.";

/// Words of one script, so that much of them is drawn as quickly as most answers are.
pub(crate) const PLAIN: &str = " So the blue light of the sun is sent from everywhere, and the red goes its way.";

/// What chat models like to write: headings, lists, code. It ends in an empty line, so that it can begin again.
const MARKDOWN: &str = "## Why the *sky* is blue\n\nAir scatters **blue light** more than red, by the \
fourth power of the wavelength: `1 / λ⁴`.\n\n- At **noon** the way is short: blue.\n- At *dusk* it is long:\n  - \
the blue is gone,\n  - the red is left. 🌇\n\n```python\ndef scattered(wavelength):\n    return 1 / wavelength ** 4\n\
```\n\n| colour | nm |\n|---|---|\n| blue | 450 |\n| red | 700 |\n\n1. Read [more](https://example.com/sky).\n\
2. Or look <b>up</b>.\n\n";

/// What an answer is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Writing {
    /// Sentences.
    #[default]
    Prose,
    /// Markdown with every usual mark.
    Markdown,
}

impl Writing {
    const ALL: [(&'static str, Writing); 2] = [("prose", Writing::Prose), ("markdown", Writing::Markdown)];

    /// What a name means.
    pub(crate) fn parse(value: &str) -> Result<Writing, ScheduleError> {
        Writing::ALL.iter().find(|(name, _)| *name == value).map(|(_, writing)| *writing).ok_or_else(|| ScheduleError::Choice {
            name: "writing".to_owned(),
            value: value.to_owned(),
            allowed: Writing::ALL.map(|(name, _)| name).join(", "),
        })
    }

    /// Tokens until it begins again.
    pub(crate) fn tokens(self) -> u64 {
        self.text().split(' ').count() as u64
    }

    fn text(self) -> &'static str {
        match self {
            Writing::Prose => ANSWER,
            Writing::Markdown => MARKDOWN,
        }
    }
}

const REASONING: &str = "The question is about the colour of the sky. \
Rayleigh scattering goes with the inverse fourth power of the wavelength, so λ⁻⁴ favours blue. \
Three short sentences will do; mention dusk as a check.";

/// A token of the answer, with a leading space unless it is the first.
pub(crate) fn answer(writing: Writing, token: u64) -> String {
    word(writing.text(), token)
}

/// A token of the reasoning, with a leading space unless it is the first.
pub(crate) fn reasoning(token: u64) -> String {
    word(REASONING, token)
}

fn word(text: &str, token: u64) -> String {
    let count = text.split(' ').count() as u64;
    let word = text.split(' ').nth((token % count) as usize).unwrap_or_default();
    if token == 0 { word.to_owned() } else { format!(" {word}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prose(token: u64) -> String {
        answer(Writing::Prose, token)
    }

    #[test]
    fn tokens_make_readable_text_that_begins_again() {
        let text: String = (0..10).map(prose).collect();
        assert_eq!(text, "Over the café, air scatters blue light more than red.");
        let long: String = (0..500).map(prose).collect();
        assert!(long.contains("air and light. Over the café"), "{long}");
        assert!(long.contains("하늘") && long.contains('🌇'));
        assert!(!long.contains("  "));
        let marked: String = (0..2 * Writing::Markdown.tokens()).map(|token| answer(Writing::Markdown, token)).collect();
        assert_eq!(marked, format!("{MARKDOWN} {MARKDOWN}"));
        assert_eq!(reasoning(0), "The");
        assert_eq!(reasoning(1), " question");
    }
}
