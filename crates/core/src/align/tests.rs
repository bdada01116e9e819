//! Offsets whose truth is known, and refusals.

use super::*;
use proptest::prelude::*;

/// A probe of a clock that is `ahead` of the page's, sent at `sent`, with these times on the way and at the server.
fn probe(sent: i64, ahead: i64, out: i64, inside: i64, back: i64) -> Probe {
    let (read, answered) = (sent + out, sent + out + inside);
    Probe {
        sent: Micros(sent),
        received: Micros(answered + back),
        server_received: Micros(read + ahead),
        server_sent: Micros(answered + ahead),
        clock: "a".into(),
    }
}

fn join(before: Vec<Probe>, after: Vec<Probe>) -> Result<Offset, Refusal> {
    Alignment::from_probes(&Probes { before, after }, Micros::ZERO).offset(&Stages::of("a"))
}

#[test]
fn the_smallest_round_trip_without_the_servers_own_time_counts() {
    // 1,000 µs at the server are no time on the way; the second was under way for 300 µs.
    let before = vec![probe(0, 7_000, 400, 0, 400), probe(5_000, 7_000, 200, 1_000, 100)];
    let after = vec![probe(90_000, 7_000, 500, 10, 500)];
    // −7,000 is the truth; the middle of the way is 50 µs off it.
    assert_eq!(join(before, after), Ok(Offset { offset: Micros(-7_050), error: Micros(150) }));
}

#[test]
fn the_page_clocks_step_widens_the_error() {
    let probes = Probes { before: vec![probe(0, 0, 100, 0, 100)], after: vec![probe(900, 0, 100, 0, 100)] };
    let offset = Alignment::from_probes(&probes, Micros(5)).offset(&Stages::of("a"));
    assert_eq!(offset, Ok(Offset { offset: Micros::ZERO, error: Micros(105) }));
}

#[test]
fn drift_is_covered_and_a_step_refused() {
    // 60 s later the server's clock is 3 ms ahead: 50 µs a second.
    let (before, after) = (vec![probe(0, 0, 100, 0, 100)], vec![probe(60_000_000, 3_000, 100, 0, 100)]);
    assert_eq!(join(before.clone(), after), Ok(Offset { offset: Micros(-1_500), error: Micros(1_600) }));
    // The same within a tenth of a second is a clock that was set.
    assert_eq!(join(before.clone(), vec![probe(100_000, 3_000, 100, 0, 100)]), Err(Refusal::Stepped));
    assert_eq!(join(before.clone(), Vec::new()), Err(Refusal::NotProbedAfter));
    assert_eq!(join(Vec::new(), before), Err(Refusal::NotProbed));
}

#[test]
fn impossible_probes_and_other_clocks_say_nothing() {
    let mut set_between = probe(0, 0, 100, 0, 100);
    set_between.server_sent = Micros(50);
    assert_eq!(join(vec![set_between], vec![probe(9, 0, 1, 0, 1)]), Err(Refusal::NotProbed));
    let other = Probe { clock: "b".into(), ..probe(0, 0, 1, 0, 1) };
    let probes = Probes { before: vec![other.clone(), probe(5, 70, 9, 0, 9)], after: vec![other, probe(50, 70, 9, 0, 9)] };
    let alignment = Alignment::from_probes(&probes, Micros::ZERO);
    assert_eq!(alignment.clocks().len(), 2);
    assert_eq!(alignment.offset(&Stages::of("b")), Ok(Offset { offset: Micros::ZERO, error: Micros(1) }));
    assert_eq!(alignment.offset(&Stages::of("a")), Ok(Offset { offset: Micros(-70), error: Micros(9) }));
    assert_eq!(alignment.offset(&Stages::of("c")), Err(Refusal::NotProbed));
}

#[test]
fn a_reply_is_read_exactly_or_not_at_all() {
    let read = answer(" {\"clock\":\"x\",\"received_us\":1764496347000123,\"sent_us\":1764496347000125}\n").expect("read");
    let probe = read.between(Micros(1), Micros(2));
    assert_eq!((probe.server_received.0, probe.server_sent.0, probe.clock.as_str()), (1764496347000123, 1764496347000125, "x"));
    for wrong in [
        "",
        "[]",
        r#"{"clock":"x","received_us":1}"#,
        r#"{"received_us":1,"sent_us":1}"#,
        r#"{"clock":"x","received_us":1.5,"sent_us":2}"#,
    ] {
        assert_eq!(answer(wrong), None, "{wrong}");
    }
}

proptest! {
    /// The truth is inside the error, whatever the way was like, as long as the clocks run alike.
    #[test]
    fn the_error_holds(
        ahead in -1_000_000_000_000_i64..1_000_000_000_000,
        step in 0_i64..1_000,
        ways in prop::collection::vec((0_i64..100_000, 0_i64..50_000, 0_i64..100_000), 2..20),
    ) {
        let rounded = |us: Micros| Micros(if step > 0 { us.0.div_euclid(step) * step } else { us.0 });
        let probes: Vec<Probe> = ways.iter().enumerate().map(|(n, (out, inside, back))| {
            let exact = probe(n as i64 * 300_000, ahead, *out, *inside, *back);
            Probe { sent: rounded(exact.sent), received: rounded(exact.received), ..exact }
        }).collect();
        let (before, after) = probes.split_at(probes.len() / 2);
        let probes = Probes { before: before.to_vec(), after: after.to_vec() };
        let offset = Alignment::from_probes(&probes, Micros(step)).offset(&Stages::of("a")).expect("joined");
        prop_assert!((offset.offset.0 + ahead).abs() <= offset.error.0, "{offset:?}");
    }

    /// Also while they drift apart as fast as clocks may, at the beginning, at the end and in between.
    #[test]
    fn the_error_holds_while_clocks_drift(
        ahead in -1_000_000_i64..1_000_000,
        drift in -400_i64..400,
        out in 0_i64..5_000,
        back in 0_i64..5_000,
    ) {
        let length_s = 100;
        let after_ahead = ahead + drift * length_s;
        let offset = join(vec![probe(0, ahead, out, 0, back)], vec![probe(length_s * 1_000_000, after_ahead, back, 0, out)]).expect("joined");
        // Where the two samples agree within their errors, the better one is taken for both: a drift may hide in them.
        let each = (out + back + 1) / 2;
        let hidden = if offset.error.0 > each { 0 } else { (drift * length_s).abs() };
        prop_assert!(hidden <= 4 * each);
        for at in [0, length_s / 2, length_s] {
            prop_assert!((offset.offset.0 + ahead + drift * at).abs() <= offset.error.0 + hidden, "{offset:?} at {at}");
        }
    }
}
