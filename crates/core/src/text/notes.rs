//! Texts of reasons, outcomes and notes.

use super::{Lang, Res};
use crate::mark::Absence;
use crate::outcome::Outcome;

/// Why a figure is missing, and where it helps, what would make it available.
pub fn absence(lang: Lang, why: Absence) -> &'static str {
    match why {
        Absence::NotReached => Res::AbsNotReached,
        Absence::NonStreaming => Res::AbsNonStreaming,
        Absence::SinglePrediction => Res::AbsSinglePrediction,
        Absence::NoOutput => Res::AbsNoOutput,
        Absence::RuleNotSatisfied => Res::AbsRule,
        Absence::NoTimingAllowOrigin => Res::AbsNoTao,
        Absence::NoResourceTiming => Res::AbsNoResourceTiming,
        Absence::EngineLacks => Res::AbsEngineLacks,
        Absence::Hidden => Res::AbsHidden,
        Absence::OffScreen => Res::AbsOffScreen,
        Absence::Covered => Res::AbsCovered,
        Absence::NotInPaintedSubset => Res::AbsNotPainted,
        Absence::AbortedBeforePaint => Res::AbsAborted,
        Absence::NoPaintEntry => Res::AbsNoPaintEntry,
        Absence::ClosedLoop => Res::AbsClosedLoop,
        Absence::NoUserInput => Res::AbsNoInput,
        Absence::NoTerminator => Res::AbsNoTerminator,
        Absence::TokensUnknown => Res::AbsTokensUnknown,
        Absence::TooFew => Res::AbsTooFew,
        Absence::TooShort => Res::AbsTooShort,
        Absence::NeverAtTarget => Res::AbsNeverAtTarget,
        Absence::NoServerReport => Res::AbsNoReport,
        Absence::Inconsistent => Res::AbsInconsistent,
        Absence::BoundsOnly => Res::AbsBoundsOnly,
        Absence::OwnClocks => Res::AbsOwnClocks,
    }
    .get(lang)
}

/// The name of an outcome.
pub fn outcome(lang: Lang, outcome: &Outcome) -> String {
    let key = match outcome {
        Outcome::Slept => Res::OutSlept,
        Outcome::Frozen => Res::OutFrozen,
        Outcome::Backgrounded => Res::OutBackgrounded,
        Outcome::Cancelled => Res::OutCancelled,
        Outcome::Cut => Res::OutCut,
        Outcome::Timeout => Res::OutTimeout,
        Outcome::HttpError { status } => return super::fill(Res::OutHttpError.get(lang), &[&status.to_string()]),
        Outcome::NetworkError => Res::OutNetworkError,
        Outcome::StreamError => Res::OutStreamError,
        Outcome::NotAStream => Res::OutNotAStream,
        Outcome::Truncated => Res::OutTruncated,
        Outcome::NoAnswer => Res::OutNoAnswer,
        Outcome::Complete => Res::OutComplete,
    };
    key.get(lang).to_owned()
}

/// What happened, what it means for the figures, what to do next; none where there is nothing to do.
pub fn outcome_advice(lang: Lang, outcome: &Outcome) -> Option<&'static str> {
    let key = match outcome {
        Outcome::HttpError { status: 401 | 403 } => Res::AdviceKey,
        Outcome::HttpError { status: 404 | 405 } => Res::AdvicePath,
        Outcome::HttpError { status: 429 } => Res::AdviceRateLimit,
        Outcome::HttpError { status: 400 | 422 } => Res::AdviceBadRequest,
        Outcome::HttpError { status } if *status >= 500 => Res::AdviceServer,
        Outcome::HttpError { .. } => Res::AdviceHttp,
        Outcome::NetworkError => Res::AdviceNetwork,
        Outcome::StreamError => Res::AdviceStreamError,
        Outcome::NotAStream => Res::AdviceNotAStream,
        Outcome::Truncated => Res::AdviceTruncated,
        Outcome::NoAnswer => Res::AdviceNoAnswer,
        Outcome::Timeout => Res::AdviceTimeout,
        _ => return None,
    };
    Some(key.get(lang))
}

const NOTES: [(&str, Res); 16] = [
    ("unterminated_event", Res::NoteUnterminated),
    ("unreadable_event", Res::NoteUnreadable),
    ("two_reasonings", Res::NoteTwoReasonings),
    ("json_cut", Res::NoteJsonCut),
    ("not_json", Res::NoteNotJson),
    ("html_page", Res::NoteHtml),
    ("unknown_format", Res::NoteUnknownFormat),
    ("no_end_marker", Res::NoteNoEndMarker),
    ("server_said", Res::NoteServerSaid),
    ("browser_error", Res::NoteBrowserError),
    ("streamed_unasked", Res::NoteStreamedUnasked),
    ("end_unverified", Res::NoteEndUnverified),
    ("compressed_stream", Res::NoteCompressed),
    ("no_text_found", Res::NoteNoText),
    ("text_withdrawn", Res::NoteWithdrawn),
    ("turn_without_answer", Res::NoteTurnWithoutAnswer),
];

/// The stable code of a note, if it is known.
pub fn diagnostic_code(code: &str) -> Option<&'static str> {
    NOTES.iter().map(|(known, _)| *known).find(|known| *known == code)
}

/// A note in words; its detail is in the server's or browser's own.
pub fn diagnostic(lang: Lang, code: &str, detail: &str) -> String {
    let key = NOTES.iter().find(|(known, _)| *known == code).map(|(_, key)| *key);
    key.map_or_else(|| format!("{code}: {detail}"), |key| super::fill(key.get(lang), &[detail]))
}
