//! When the shown answer first became useful, by the workload's own rule.

use unicode_segmentation::UnicodeSegmentation;

/// What makes an answer useful. Part of the workload's context.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// One whole word by Unicode word segmentation (UAX #29).
    #[default]
    Word,
    /// One whole sentence: up to a full stop, question or exclamation mark that white space follows.
    Sentence,
    /// This many characters.
    Chars(u32),
    /// This text occurs.
    Contains(String),
    /// The first complete JSON value.
    Json,
}

/// Watches a growing answer until the rule is satisfied.
pub struct Watch {
    rule: Rule,
    text: String,
    satisfied: bool,
}

impl Watch {
    /// Begins with an empty answer.
    pub fn new(rule: Rule) -> Watch {
        Watch { rule, text: String::new(), satisfied: false }
    }

    /// Takes a piece of the answer; true the first time that the rule is satisfied.
    pub fn push(&mut self, piece: &str) -> bool {
        if self.satisfied {
            return false;
        }
        self.text.push_str(piece);
        self.settle(self.holds(false))
    }

    /// The answer is whole; true if only this satisfies the rule (the last word needs no follower to be whole).
    pub fn end(&mut self) -> bool {
        !self.satisfied && self.settle(self.holds(true))
    }

    fn settle(&mut self, holds: bool) -> bool {
        if holds {
            self.satisfied = true;
            self.text = String::new();
        }
        holds
    }

    fn holds(&self, ended: bool) -> bool {
        let whole = |at: usize, piece: &str| ended || at + piece.len() < self.text.len();
        match &self.rule {
            Rule::Word => self
                .text
                .split_word_bound_indices()
                .any(|(at, word)| word.chars().any(char::is_alphanumeric) && whole(at, word)),
            Rule::Sentence => {
                let mut before = false;
                let mut chars = self.text.chars().peekable();
                while let Some(c) = chars.next() {
                    before |= c.is_alphanumeric();
                    let closes = matches!(c, '。' | '！' | '？');
                    let stops = closes || matches!(c, '.' | '!' | '?' | '…');
                    let followed = chars.peek().map_or(ended, |next| next.is_whitespace());
                    if before && stops && (closes || followed) {
                        return true;
                    }
                }
                ended && before
            }
            Rule::Chars(n) => self.text.chars().count() >= *n as usize,
            Rule::Contains(wanted) => self.text.contains(wanted.as_str()),
            Rule::Json => {
                let start = self.text.find(['{', '[']).unwrap_or(self.text.len());
                let mut values = serde_json::Deserializer::from_str(&self.text[start..]).into_iter::<serde::de::IgnoredAny>();
                matches!(values.next(), Some(Ok(_)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The index of the piece that satisfies the rule; `pieces.len()` if only the end does.
    fn check(rule: Rule, pieces: &[&str], want: Option<usize>) {
        let mut watch = Watch::new(rule);
        let mut got = pieces.iter().position(|p| watch.push(p));
        if got.is_none() && watch.end() {
            got = Some(pieces.len());
        }
        assert_eq!(got, want, "{pieces:?}");
    }

    #[test]
    fn a_word_is_whole_once_something_follows_it() {
        check(Rule::Word, &["Hel", "lo", ",", " you"], Some(2));
        check(Rule::Word, &["**", " ", "Hi", " "], Some(3));
        check(Rule::Word, &["Yes"], Some(1));
        check(Rule::Word, &["안녕", "하세요", " "], Some(2));
        check(Rule::Word, &["--", "!"], None);
    }

    #[test]
    fn the_other_rules() {
        check(Rule::Sentence, &["It works", ".", " It", " does."], Some(2));
        check(Rule::Sentence, &["3.14 is", " pi.", "\n"], Some(2));
        check(Rule::Sentence, &["はい。", "次"], Some(0));
        check(Rule::Sentence, &["no end"], Some(1));
        check(Rule::Chars(5), &["abc", "d", "é"], Some(2));
        check(Rule::Contains("Answer:".into()), &["So. Ans", "wer", ": 4"], Some(2));
        check(Rule::Json, &["Here: {\"a\":", " [1, 2]", "} ok"], Some(2));
        check(Rule::Json, &["{\"a\":"], None);
    }
}
