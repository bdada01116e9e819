//! The words of the answers: sentences over and over, one token a word.

/// The first sentence has ten words, so that even a short answer holds a whole one.
const ANSWER: &str = "Over the café, air scatters blue light more than red. \
That is why the sky (하늘) looks blue when the sun ☀️ stands high. \
At dusk the light comes a longer way, loses its blue, and the horizon turns naïvely red 🌇. \
On Mars, where dust does the scattering, it is the other way round: pink by day, blue at dusk. \
None of this needs a mirror, an ocean or a déjà vu — only air and light.";

/// Words of one script, so that much of them is drawn as quickly as most answers are.
pub(crate) const PLAIN: &str = " So the blue light of the sun is sent from everywhere, and the red goes its way.";

const REASONING: &str = "The question is about the colour of the sky. \
Rayleigh scattering goes with the inverse fourth power of the wavelength, so λ⁻⁴ favours blue. \
Three short sentences will do; mention dusk as a check.";

/// A token of the answer, with a leading space unless it is the first.
pub(crate) fn answer(token: u64) -> String {
    word(ANSWER, token)
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

    #[test]
    fn tokens_make_readable_text_that_begins_again() {
        let text: String = (0..10).map(answer).collect();
        assert_eq!(text, "Over the café, air scatters blue light more than red.");
        let long: String = (0..500).map(answer).collect();
        assert!(long.contains("air and light. Over the café"), "{long}");
        assert!(long.contains("하늘") && long.contains('🌇'));
        assert!(!long.contains("  "));
        assert_eq!(reasoning(0), "The");
        assert_eq!(reasoning(1), " question");
    }
}
