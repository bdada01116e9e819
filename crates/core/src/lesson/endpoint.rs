//! How is the built-in endpoint asked to behave? Its parameters as data, and what they make of one answer.

/// Parameters of the built-in endpoint, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Endpoint(Vec<(String, String)>);

/// What stands for a number that is new for each lesson that is run: a pool nobody was in before.
const FRESH: &str = "FRESH";

impl Endpoint {
    /// Without any parameter.
    pub fn new() -> Endpoint {
        Endpoint::default()
    }

    /// And one more parameter; one of the same name is replaced.
    pub fn with(mut self, name: &str, value: impl ToString) -> Endpoint {
        let value = value.to_string();
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.to_owned(), value)),
        }
        self
    }

    /// In a pool of its own, which is new with each seed.
    pub fn in_fresh_pool(self) -> Endpoint {
        self.with("pool", format!("lesson-{FRESH}"))
    }

    /// As a query, with the seed of this time.
    pub fn query(&self, seed: u64) -> String {
        let parameter = |(name, value): &(String, String)| format!("{name}={}", value.replace(FRESH, &seed.to_string()));
        self.0.iter().map(parameter).collect::<Vec<_>>().join("&")
    }

    /// As a person reads it: what is only there to be new is left out.
    pub fn stated(&self) -> String {
        let stated = self.0.iter().filter(|(_, value)| !value.contains(FRESH));
        stated.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
    }
}

/// An endpoint with the parameters that a person typed, `name=value&…`: those replace the lesson's.
pub fn changed(endpoint: &Endpoint, typed: &str) -> Endpoint {
    let typed = typed.trim().trim_start_matches('?').split('&').filter_map(|pair| pair.trim().split_once('='));
    typed.fold(endpoint.clone(), |endpoint, (name, value)| endpoint.with(name.trim(), value.trim()))
}

/// A streamed answer: its tokens come one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stream {
    /// To the first token, in ms.
    pub ttft: i64,
    /// From one token to the next, in ms.
    pub gap: i64,
    /// Tokens.
    pub tokens: i64,
}

impl Stream {
    /// From the first token to the last, in ms.
    pub fn generation(self) -> i64 {
        (self.tokens - 1) * self.gap
    }

    /// To the last token, in ms.
    pub fn last(self) -> i64 {
        self.ttft + self.generation()
    }

    /// The endpoint that answers so.
    pub fn endpoint(self) -> Endpoint {
        Endpoint::new().with("ttft_ms", self.ttft).with("gap_ms", self.gap).with("tokens", self.tokens)
    }
}

/// A modelled server, of which one request alone, or several in step, can be said in a line. Times are in µs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Model {
    /// Of a step.
    pub step: i64,
    /// That each sequence adds to it.
    pub per_sequence: i64,
    /// That each token of input adds to the step that reads it.
    pub per_token_read: i64,
    /// Tokens of the input.
    pub input: i64,
    /// Tokens of the answer.
    pub tokens: i64,
}

impl Model {
    /// A step with so many sequences, in ms.
    pub fn step(self, sequences: i64) -> i64 {
        (self.step + self.per_sequence * sequences) / 1000
    }

    /// Reading the input, in ms.
    pub fn reading(self) -> i64 {
        self.per_token_read * self.input / 1000
    }

    /// To the first token of one alone, in ms.
    pub fn first(self) -> i64 {
        self.step(1) + self.reading()
    }

    /// To its last, in ms.
    pub fn last(self) -> i64 {
        self.first() + (self.tokens - 1) * self.step(1)
    }

    /// To the first token of most of so many who begin when a batch of as many is over, in ms: the first of them begins a step alone,
    /// and the others are read together in the next.
    pub fn first_of(self, many: i64) -> i64 {
        if many < 2 { self.first() } else { self.first() + self.step(many) + (many - 1) * self.reading() }
    }

    /// To their last token, in ms: the one that began alone ends a step before the others.
    pub fn last_of(self, many: i64) -> i64 {
        if many < 2 { self.last() } else { self.first_of(many) + (self.tokens - 2) * self.step(many) + self.step(many - 1) }
    }

    /// The server, without anything that would add a little to these times.
    pub fn endpoint(self, engine: &str) -> Endpoint {
        let server = Endpoint::new().with("engine", engine).with("preprocess_us", 0).with("postprocess_us", 0);
        let steps = server.with("step_us", self.step).with("step_us_per_sequence", self.per_sequence);
        let reading = steps.with("prefill_us_per_token", self.per_token_read).with("token_budget", 16_384);
        reading.with("input_tokens", self.input).with("tokens", self.tokens).in_fresh_pool()
    }

    /// The same with a copy of the model for each of so many, so that nobody meets another.
    pub fn alone(self, engine: &str, many: i64) -> Endpoint {
        self.endpoint(engine).with("replicas", many).with("router", "least-loaded")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_replaces_what_the_lesson_says() {
        let endpoint = Stream { ttft: 1, gap: 2, tokens: 3 }.endpoint().in_fresh_pool();
        assert_eq!(endpoint.query(7), "ttft_ms=1&gap_ms=2&tokens=3&pool=lesson-7");
        assert_eq!(endpoint.stated(), "ttft_ms=1&gap_ms=2&tokens=3");
        assert_eq!(changed(&endpoint, " ?gap_ms=0 & burst=1&x").query(7), "ttft_ms=1&gap_ms=0&tokens=3&pool=lesson-7&burst=1");
        assert_eq!(changed(&endpoint, ""), endpoint);
    }
}
