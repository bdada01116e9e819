//! When the shown answer first became useful, by the workload's own rule.

use unicode_segmentation::UnicodeSegmentation;

use firstlight_json::Tape;

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

/// Watches a growing answer until the rule is satisfied. A piece costs what it is long, however long the answer is already,
/// and only what the rule still needs of the text is kept.
#[derive(Clone)]
pub struct Watch {
    rule: Rule,
    seen: Seen,
    satisfied: bool,
}

/// What is still needed of the text so far.
#[derive(Clone, Default)]
struct Seen {
    text: String,
    /// A word, or a sentence with one in it, has begun.
    begun: bool,
    /// The last character may end a sentence.
    stop: bool,
    chars: u64,
    json: Nesting,
}

/// Longer words than this are looked at by their end only.
const WORD: usize = 256;

impl Watch {
    /// Begins with an empty answer.
    pub fn new(rule: Rule) -> Watch {
        Watch { rule, seen: Seen::default(), satisfied: false }
    }

    /// Takes a piece of the answer; true the first time that the rule is satisfied.
    pub fn push(&mut self, piece: &str) -> bool {
        !self.satisfied && {
            let holds = match &self.rule {
                Rule::Word => self.seen.word(piece),
                Rule::Sentence => self.seen.sentence(piece),
                Rule::Chars(n) => self.seen.count(piece) >= u64::from(*n),
                Rule::Contains(wanted) => self.seen.contains(piece, wanted),
                Rule::Json => self.seen.json.push(piece),
            };
            self.settle(holds)
        }
    }

    /// The answer is whole; true if only this satisfies the rule (the last word needs no follower to be whole).
    pub fn end(&mut self) -> bool {
        let open = matches!(self.rule, Rule::Word | Rule::Sentence) && self.seen.begun;
        !self.satisfied && self.settle(open)
    }

    fn settle(&mut self, holds: bool) -> bool {
        if holds {
            self.satisfied = true;
            self.seen = Seen::default();
        }
        holds
    }
}

impl Seen {
    fn word(&mut self, piece: &str) -> bool {
        self.text.push_str(piece);
        let mut last = 0;
        for (at, word) in self.text.split_word_bound_indices() {
            last = at;
            self.begun = (at == 0 && self.begun) || word.chars().any(char::is_alphanumeric);
            if self.begun && at + word.len() < self.text.len() {
                return true;
            }
        }
        // The last word may go on; of a very long one its end is enough.
        let mut from = if self.text.len() - last > WORD { self.text.len() - WORD / 2 } else { last };
        while !self.text.is_char_boundary(from) {
            from += 1;
        }
        self.text.drain(..from);
        false
    }

    fn sentence(&mut self, piece: &str) -> bool {
        for c in piece.chars() {
            if self.stop && c.is_whitespace() {
                return true;
            }
            self.begun |= c.is_alphanumeric();
            if self.begun && matches!(c, '。' | '！' | '？') {
                return true;
            }
            self.stop = self.begun && matches!(c, '.' | '!' | '?' | '…');
        }
        false
    }

    fn count(&mut self, piece: &str) -> u64 {
        self.chars += piece.chars().count() as u64;
        self.chars
    }

    fn contains(&mut self, piece: &str, wanted: &str) -> bool {
        self.text.push_str(piece);
        let found = self.text.contains(wanted);
        let mut from = self.text.len().saturating_sub(wanted.len());
        while !self.text.is_char_boundary(from) {
            from -= 1;
        }
        self.text.drain(..from);
        found
    }
}

/// How deep the text is inside a JSON value.
#[derive(Clone, Default)]
struct Nesting {
    value: String,
    depth: u32,
    quoted: bool,
    escaped: bool,
}

impl Nesting {
    fn push(&mut self, piece: &str) -> bool {
        for c in piece.chars() {
            match c {
                _ if self.depth == 0 && !matches!(c, '{' | '[') => continue,
                _ if self.escaped => self.escaped = false,
                '\\' if self.quoted => self.escaped = true,
                '"' => self.quoted = !self.quoted,
                '{' | '[' if !self.quoted => self.depth += 1,
                '}' | ']' if !self.quoted => self.depth -= 1,
                _ => {}
            }
            self.value.push(c);
            if self.depth == 0 {
                // What only looks like JSON is passed over.
                if Tape::default().read(&std::mem::take(&mut self.value)).is_ok() {
                    return true;
                }
            }
        }
        false
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
        check(Rule::Json, &["see [1", "] ", "{}"], Some(1));
        check(Rule::Json, &["a [note] and {\"b\": \"}\\\"", "\"}"], Some(1));
    }

    /// The definition, on the whole text so far: what the watch must say without keeping it.
    fn word_by_definition(text: &str) -> bool {
        text.split_word_bound_indices().any(|(at, w)| w.chars().any(char::is_alphanumeric) && at + w.len() < text.len())
    }

    proptest::proptest! {
        #[test]
        fn a_word_is_found_with_the_piece_that_makes_it_whole(pieces in proptest::collection::vec("[a-c'. \\-가1\u{301}👋_]{0,4}", 0..12)) {
            let mut watch = Watch::new(Rule::Word);
            let got = pieces.iter().position(|p| watch.push(p));
            let want = (0..pieces.len()).find(|n| word_by_definition(&pieces[..=*n].concat()));
            proptest::prop_assert_eq!(got, want);
        }
    }

    #[test]
    fn an_endless_word_costs_no_more_at_its_end() {
        for rule in [Rule::Word, Rule::Sentence, Rule::Chars(u32::MAX), Rule::Contains("y".into())] {
            let mut watch = Watch::new(rule);
            (0..100_000).for_each(|_| assert!(!watch.push("xxxxxxxxxx")));
            assert!(watch.seen.text.len() <= WORD + 10);
        }
    }
}
