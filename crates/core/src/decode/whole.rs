//! A reply's facts whatever the reads it comes in: what tests and fuzzing compare.

use super::{Choice, Decoded, Decoder, Event, Head};

/// Everything that a body delivered in pieces gives, added up; adjacent text of one kind is joined: where a read cuts
/// plain text is not a fact of the reply.
pub fn whole(choice: &Choice, head: &Head<'_>, pieces: &[&[u8]]) -> (Decoded, &'static str, &'static str) {
    let mut decoder = Decoder::new(choice, head);
    let mut parts: Vec<Decoded> = pieces.iter().map(|p| decoder.push(p)).collect();
    parts.push(decoder.end());
    let mut sum = Decoded::default();
    for part in parts {
        sum.events.extend(part.events);
        sum.framed += part.framed;
        sum.bearing += part.bearing;
        sum.comments += part.comments;
    }
    let (dialect, why) = decoder.taken();
    if dialect.code == "plain_text" {
        (sum.framed, sum.bearing) = (0, 0);
    }
    sum.events = joined(sum.events);
    (sum, dialect.code, why.code())
}

fn joined(all: Vec<Event>) -> Vec<Event> {
    let mut joined: Vec<Event> = Vec::new();
    for event in all {
        match (joined.last_mut(), event) {
            (Some(Event::Output { channel, choice, text }), Event::Output { channel: c, choice: n, text: more })
                if *channel == c && *choice == n =>
            {
                text.push_str(&more);
            }
            (_, event) => joined.push(event),
        }
    }
    joined
}
