//! The parts of a wait as they are drawn and listed.

use crate::Micros;
use crate::format::{millis, significant};
use crate::gap::{Part, PartKind, Split, Wait};
use crate::text::{Align, Lang, Res, Sum, fill, stage_name};

/// Whose evidence a part or a lane is; it decides the colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The server reported it.
    Server,
    /// The browser measured it.
    Received,
    /// The user saw its end.
    Seen,
    /// Between a stamp of the page's clock and one of the server's, which were joined.
    Way,
    /// Nothing explains it.
    Unattributed,
}

impl Role {
    /// Every role, in the order of the legend.
    pub const ALL: [Role; 5] = [Role::Server, Role::Received, Role::Seen, Role::Way, Role::Unattributed];

    /// The stable name, also of its style.
    pub fn code(self) -> &'static str {
        match self {
            Role::Server => "server",
            Role::Received => "received",
            Role::Seen => "seen",
            Role::Way => "way",
            Role::Unattributed => "rest",
        }
    }

    /// Its name in a legend.
    pub fn name(self, lang: Lang) -> &'static str {
        match self {
            Role::Server => Res::LegendServer,
            Role::Received => Res::LegendReceived,
            Role::Seen => Res::LegendSeen,
            Role::Way => return Align::LegendWay.get(lang),
            Role::Unattributed => Res::LegendRest,
        }
        .get(lang)
    }
}

/// One part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartLine {
    /// Whose evidence it is.
    pub role: Role,
    /// Its name.
    pub name: String,
    /// Its length in milliseconds.
    pub ms: String,
    /// Its share of the wait, in percent.
    pub share: String,
    /// Where it is drawn from; never before the part before it.
    pub from: Micros,
    /// Where it is drawn to.
    pub to: Micros,
}

/// The parts of a wait, the way to the screen last, as it is in time. A rest or a way below zero (within its error) is listed
/// and has no length.
pub fn part_lines(split: &Split, step: Micros, lang: Lang) -> Vec<PartLine> {
    let (mut from, mut passed) = (Micros::ZERO, Micros::ZERO);
    let line = |part: &Part| {
        passed += part.value;
        let to = from.max(passed.min(split.total));
        let begin = std::mem::replace(&mut from, to);
        let (role, name) = named(part, lang);
        let share = 100.0 * part.value.0 as f64 / split.total.0.max(1) as f64;
        PartLine { role, name, ms: millis(part.value.0, step), share: significant(share, 0), from: begin, to }
    };
    let (last, parts): (Vec<_>, Vec<_>) = split.parts.iter().partition(|p| p.kind == PartKind::Render);
    parts.into_iter().chain(last).map(line).collect()
}

/// Whose evidence a part is, and its name with its bound.
fn named(part: &Part, lang: Lang) -> (Role, String) {
    let (role, name) = match &part.kind {
        PartKind::ClientQueue => (Role::Received, Sum::PartClientQueue.get(lang).to_owned()),
        PartKind::BeforeRequest => (Role::Received, Sum::PartBeforeRequest.get(lang).to_owned()),
        PartKind::Server { name, .. } => (Role::Server, fill(Sum::PartServer.get(lang), &[name])),
        PartKind::Outbound { from_sent: false } => (Role::Way, Align::PartOutbound.get(lang).to_owned()),
        PartKind::Outbound { from_sent: true } => (Role::Way, Align::PartOutboundFromSent.get(lang).to_owned()),
        PartKind::Ingress => (Role::Server, Align::PartIngress.get(lang).to_owned()),
        PartKind::Stages { from, to } => {
            let names = [stage_name(lang, *from), stage_name(lang, *to)];
            (Role::Server, fill(Align::PartStages.get(lang), &names))
        }
        PartKind::Return => (Role::Way, Align::PartReturn.get(lang).to_owned()),
        PartKind::Render => (Role::Seen, Sum::PartRender.get(lang).to_owned()),
        PartKind::Unattributed => (Role::Unattributed, Sum::PartUnattributed.get(lang).to_owned()),
    };
    let name = match part.bound {
        Some(bound) => fill(Align::PartBound.get(lang), &[&name, &bound_ms(bound)]),
        None => name,
    };
    (role, name)
}

/// A bound in milliseconds: rounded up, since what is printed must hold.
pub(super) fn bound_ms(bound: Micros) -> String {
    let unit = match bound.0 {
        us if us > 99_000 => 1_000,
        us if us > 9_900 => 100,
        _ => 10,
    };
    significant(((bound.0 + unit - 1).div_euclid(unit) * unit) as f64 / 1000.0, 2)
}

/// The whole picture in one sentence.
pub fn parts_sentence(split: &Split, step: Micros, lang: Lang) -> String {
    let parts: Vec<String> =
        part_lines(split, step, lang).iter().map(|p| fill(Res::PartRead.get(lang), &[&p.name, &p.ms, &p.share])).collect();
    fill(Res::PictureRead.get(lang), &[wait_name(split.wait, lang), &millis(split.total.0, step), &parts.join(", ")])
}

/// The name of a wait.
pub fn wait_name(wait: Wait, lang: Lang) -> &'static str {
    match wait {
        Wait::FirstOutput => Res::WaitFirstOutput,
        Wait::FirstAnswer => Res::WaitFirstAnswer,
        Wait::FirstVisible => Res::WaitFirstVisible,
        Wait::LastOutput => Res::WaitLastOutput,
        Wait::CompleteVisible => Res::WaitCompleteVisible,
    }
    .get(lang)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gap::split;
    use crate::summary::fixture::trace;

    #[test]
    fn parts_stand_one_after_another_and_fill_the_wait() {
        let split = split(&trace(0, 100), Wait::FirstAnswer, Micros::ZERO).expect("parts");
        let lines = part_lines(&split, Micros(5), Lang::En);
        let got: Vec<_> = lines.iter().map(|l| (l.role.code(), l.ms.as_str(), l.share.as_str(), l.from, l.to)).collect();
        assert_eq!(
            got,
            [("server", "60.0", "60", Micros::ZERO, Micros::ms(60)), ("rest", "40.0", "40", Micros::ms(60), Micros::ms(100))]
        );
        assert_eq!(
            parts_sentence(&split, Micros(5), Lang::En),
            "First words received: 100 ms in all. server: ttft 60.0 ms (60 %), unattributed 40.0 ms (40 %)."
        );
    }

    #[test]
    fn a_bound_is_never_printed_smaller_than_it_is() {
        let printed = [1, 10, 304, 9_900, 9_901, 12_340, 99_001, 123_456].map(|us| bound_ms(Micros(us)));
        assert_eq!(printed, ["0.01", "0.01", "0.31", "9.90", "10.0", "12.4", "100", "124"]);
    }
}
