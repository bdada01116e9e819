//! Rules about how a stream came.

use super::*;
use crate::server_report::Boundary;

const BURSTS: [(i64, u32); 5] = [(100, 8), (200, 8), (300, 8), (400, 8), (500, 8)];

/// Forty outputs, 12 ms apart.
fn even() -> Vec<(i64, u32)> {
    (0..40).map(|i| (100 + 12 * i, 1)).collect()
}

#[test]
fn bursts_with_pauses_are_a_buffer() {
    let run = requests(8, |_, t| reads(t, &BURSTS));
    let found = check(&run, Rule::Buffered, Verdict::Found);
    assert_eq!(found.evidence, "8 of 8 streams came in bursts: 8 outputs a read and 100 ms from one to the next (medians).");
    // A burst took as long to fill as the first words were waited for.
    assert_eq!((found.requests.len(), found.share), (8, Some(1.0)));
    check(&requests(8, |_, t| reads(t, &even())), Rule::Buffered, Verdict::NotFound);
    // A fast model: as many outputs a read, without a pause.
    let fast: Vec<(i64, u32)> = (0..5).map(|i| (100 + 10 * i, 8)).collect();
    check(&requests(8, |_, t| reads(t, &fast)), Rule::Buffered, Verdict::NotFound);
    // Three of twelve are no property of the path; five are too few to say.
    check(
        &requests(12, |i, t| reads(t, if i < 3 { &BURSTS } else { &[(90, 1), (95, 1), (99, 1), (120, 1)] })),
        Rule::Buffered,
        Verdict::NotFound,
    );
    check(&requests(5, |_, t| reads(t, &BURSTS)), Rule::Buffered, Verdict::CantTell);
}

#[test]
fn all_at_once_is_a_buffer_if_the_server_took_its_time() {
    let run = |generated: Option<i64>| {
        requests(8, |_, t| {
            reads(t, &[(600, 40)]);
            if let Some(ms) = generated {
                let decode =
                    crate::server_report::Span { value: Micros::ms(ms), boundary: Boundary::Decode, ..t.spans[0].clone() };
                t.spans.push(decode);
            }
        })
    };
    check(&run(Some(400)), Rule::Buffered, Verdict::Found);
    check(&run(Some(20)), Rule::Buffered, Verdict::NotFound);
    let why = check(&run(None), Rule::Buffered, Verdict::CantTell).evidence;
    assert!(why.contains("fast model"), "{why}");
}

#[test]
fn a_compressor_is_named_where_it_can_be_read() {
    let run = |bursts: bool, cross: bool, encoding: Option<&str>| {
        requests(8, |_, t| {
            reads(t, if bursts { &BURSTS } else { &[(90, 1), (95, 1), (99, 1), (120, 1)] });
            reply(t, cross, encoding);
        })
    };
    let gzip = run(true, false, Some("gzip"));
    let found = check(&gzip, Rule::Compression, Verdict::Found);
    assert!(found.evidence.contains("(gzip)"), "{}", found.evidence);
    check(&gzip, Rule::Buffered, Verdict::CantTell);
    check(&run(false, false, Some("gzip")), Rule::Compression, Verdict::NotFound);
    let plain = run(true, false, None);
    check(&plain, Rule::Compression, Verdict::NotFound);
    check(&plain, Rule::Buffered, Verdict::Found);
    // Another origin hides the header; the browser's count of bytes may tell.
    let hidden = run(true, true, None);
    let why = check(&hidden, Rule::Compression, Verdict::CantTell).evidence;
    assert!(why.contains("Access-Control-Expose-Headers: Content-Encoding"), "{why}");
    let counted = |bytes: u64| {
        requests(8, |_, t| {
            reads(t, &BURSTS);
            reply(t, true, None);
            network(t, 0, 0, "h2");
            t.network.as_mut().expect("timing").encoded_bytes = Some(bytes);
        })
    };
    check(&counted(900), Rule::Compression, Verdict::Found);
    check(&counted(4000), Rule::Compression, Verdict::NotFound);
}

#[test]
fn reads_that_hide_gaps() {
    // Three outputs in two reads: one of two gaps is unknown.
    let found = check(&requests(6, |_, _| {}), Rule::Coalesced, Verdict::Found);
    assert!(found.evidence.starts_with("50 % of the gaps"), "{}", found.evidence);
    let mut one_double = even();
    one_double[39].1 = 2;
    check(&requests(6, |_, t| reads(t, &one_double)), Rule::Coalesced, Verdict::NotFound);
    check(&requests(3, |_, _| {}), Rule::Coalesced, Verdict::CantTell);
}
