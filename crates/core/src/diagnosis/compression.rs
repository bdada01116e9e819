//! Compression holding the stream: are collected streams compressed ones?

use super::Told;
use super::buffered::Streams;
use super::case::{Case, ids};
use crate::delivery::stream_encoding;
use crate::format::count;
use crate::text::Dia;
use crate::trace::Trace;

pub(super) fn check(case: &Case<'_>) -> Result<Told, String> {
    let streams = Streams::of(case)?;
    let hits: Vec<&Trace> = streams.collected.iter().copied().filter(|t| compressed(t) == Some(true)).collect();
    if streams.hold(hits.len()) {
        let named = hits.iter().find_map(|t| stream_encoding(t));
        let encoding = named.unwrap_or(Dia::EncodingUnnamed.get(case.lang));
        let evidence = streams.said(case, Dia::CompressionFound, &hits, Some(encoding));
        let advice = Dia::CompressionDo.get(case.lang).to_owned();
        return Ok(Told::found(evidence, advice, ids(hits.iter().copied()), streams.share(&hits)));
    }
    let unknown = streams.collected.iter().filter(|t| compressed(t).is_none()).count();
    if streams.hold(hits.len() + unknown) {
        return Err(Dia::CompressionHidden.get(case.lang).to_owned());
    }
    let values = [streams.collected.len(), streams.judged, hits.len()].map(count);
    Ok(Told::not_found(case.say(Dia::CompressionNot, &values.each_ref().map(String::as_str))))
}

/// Whether a stream was compressed. Its head tells on the page's own origin; elsewhere the header is hidden unless exposed,
/// and the browser's count of bytes on the wire tells where it may be read.
pub(super) fn compressed(trace: &Trace) -> Option<bool> {
    if stream_encoding(trace).is_some() {
        return Some(true);
    }
    let response = trace.response.as_ref()?;
    if response.content_encoding.is_some() || !response.cross_origin {
        return Some(false);
    }
    let decoded: u64 = trace.reads.iter().map(|r| u64::from(r.bytes)).sum();
    let on_the_wire = trace.network.as_ref().ok()?.encoded_bytes?;
    match on_the_wire.cmp(&decoded) {
        std::cmp::Ordering::Less => Some(true),
        std::cmp::Ordering::Equal => Some(false),
        // The rest of a body whose reading stopped at the protocol's end.
        std::cmp::Ordering::Greater => None,
    }
}
