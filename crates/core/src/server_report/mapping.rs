//! Headers and fields that a person says are spans.

use super::{Boundary, Source, Span, Unit};
use firstlight_json::Json;

/// Where a mapped value stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum From {
    /// In the response header of this name.
    Header(String),
    /// At this JSON pointer of an event or of the body.
    Pointer(String),
}

/// One value that is a span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// Where it stands.
    pub from: From,
    /// What it is called.
    pub name: String,
    /// Its unit.
    pub unit: Unit,
    /// What it starts and ends at. A header of a stream describes the time to the headers, whatever is said here.
    pub boundary: Boundary,
}

impl Mapping {
    pub(super) fn is_header(&self, lower: &str) -> bool {
        matches!(&self.from, From::Header(name) if name.eq_ignore_ascii_case(lower))
    }
}

/// The spans at the mapped pointers of one event.
pub(crate) fn mapped(mappings: &[Mapping], json: Json<'_>) -> Vec<Span> {
    let span = |mapping: &Mapping| {
        let From::Pointer(pointer) = &mapping.from else { return None };
        let value = json.pointer(pointer)?;
        let number = value.as_f64().or_else(|| firstlight_json::number(value.as_text()?.trim()))?;
        Some(Span {
            name: mapping.name.clone(),
            description: None,
            raw: value.raw().trim_matches('"').to_owned(),
            unit: mapping.unit,
            value: mapping.unit.duration(number)?,
            source: Source::BodyField,
            boundary: mapping.boundary,
            before_end: false,
        })
    };
    mappings.iter().filter_map(span).collect()
}
