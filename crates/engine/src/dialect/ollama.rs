//! How are Ollama's chats written: a line each, and counts and nanoseconds in the last?

use serde_json::{Value, json};

use super::{Closing, Finish, Output, Said, call, extend, line};
use crate::ask::Ask;
use crate::piece::Kind;

pub(super) fn output(ask: &Ask, output: &Output<'_>) -> Vec<u8> {
    let message = match output {
        Output::Reasoning(text) => json!({"role": "assistant", "content": "", "thinking": text}),
        Output::Answer(text) => json!({"role": "assistant", "content": text}),
        // A call comes whole.
        Output::Call { nth, .. } => json!({"role": "assistant", "content": "", "tool_calls": [called(*nth)]}),
    };
    line(object(ask, message, false))
}

/// The last line.
pub(super) fn close(ask: &Ask, closing: &Closing) -> Vec<(Kind, Vec<u8>)> {
    if !closing.done {
        return Vec::new();
    }
    let mut last = object(ask, json!({"role": "assistant", "content": ""}), true);
    extend(&mut last, &told(closing));
    vec![(Kind::Done, line(last))]
}

/// A whole chat.
pub(super) fn whole(ask: &Ask, said: &Said, closing: &Closing) -> Value {
    let mut message = json!({"role": "assistant", "content": said.answer});
    if !said.reasoning.is_empty() {
        extend(&mut message, &[("thinking", json!(said.reasoning))]);
    }
    if said.calls > 0 {
        extend(&mut message, &[("tool_calls", (0..said.calls).map(called).collect())]);
    }
    let mut body = object(ask, message, true);
    extend(&mut body, &told(closing));
    body
}

/// Loading is all that comes before the runner is ready: here the queue.
fn told(closing: &Closing) -> Vec<(&'static str, Value)> {
    let (times, ns) = (closing.times, |us: u64| json!(us * 1000));
    let finish = closing.finish.map(|finish| {
        // A call ends an answer like any other end.
        let reason = if finish == Finish::Length { "length" } else { "stop" };
        ("done_reason", json!(reason))
    });
    let mut fields: Vec<(&'static str, Value)> = finish.into_iter().collect();
    fields.extend([("total_duration", ns(times.last_us)), ("load_duration", ns(times.queue_us))]);
    fields.extend(closing.counts.map(|counts| ("prompt_eval_count", json!(counts.input))));
    fields.push(("prompt_eval_duration", ns(times.prefill_us.saturating_sub(times.queue_us))));
    fields.extend(closing.counts.map(|counts| ("eval_count", json!(counts.output))));
    fields.push(("eval_duration", ns(times.last_us.saturating_sub(times.first_us))));
    fields
}

fn called(nth: u64) -> Value {
    let arguments: Value = serde_json::from_str(&call::arguments(nth)).unwrap_or_default();
    json!({"function": {"name": call::NAME, "arguments": arguments}})
}

fn object(ask: &Ask, message: Value, done: bool) -> Value {
    json!({"model": ask.model(), "created_at": date(ask.created_s), "message": message, "done": done})
}

/// Seconds since 1970 as RFC 3339 in UTC (days to a date: Howard Hinnant, `civil_from_days`).
fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3_600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01T00:00:00Z");
        assert_eq!(date(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(date(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(date(1_795_969_976), "2026-11-29T16:32:56Z");
    }
}
