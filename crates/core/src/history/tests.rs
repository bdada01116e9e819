//! What is kept comes back; what a page left behind comes back as far as it got; the oldest go first.

use proptest::prelude::*;

use super::keys::{ENTRIES, LIVE, of, under_way};
use super::*;
use crate::report::traces_to_json;
use crate::summary::fixture::{run, trace};
use crate::text::Lang;
use crate::trace::Trace;

fn long(n: u32) -> Run {
    let run = run((0..n).map(|id| trace(id, 100 + i64::from(id))).collect());
    Run { created: "2026-11-30T19:41:52.123Z".into(), ..run }
}

fn entry(id: &str, bytes: u64, note: &str) -> Entry {
    Entry { id: id.into(), bytes, note: note.into(), ..Entry::default() }
}

#[test]
fn a_run_in_pieces_is_the_run() {
    let long = long(250);
    let head = head(&long);
    let pieces: Vec<String> = long.traces.chunks(PIECE).map(traces_to_json).collect();
    assert_eq!(pieces.len(), 3);
    assert_eq!(assembled(&head, pieces.iter().map(String::as_str)), Ok(long));
    let spoilt = pieces[1].replace("\"complete\"", "\"perfect\"");
    assert!(matches!(assembled(&head, [spoilt.as_str()]), Err(OpenError::Damaged(_))));
    assert!(matches!(assembled(&head.replace("\"version\":1", "\"version\":9"), []), Err(OpenError::Newer { .. })));
}

#[test]
fn a_run_whose_page_ended_has_what_was_saved_and_says_so() {
    let long = long(4);
    let saved = [0, 2, 3].map(|at: usize| traces_to_json(&long.traces[at..=at]));
    let back = recovered(&head(&long), saved.iter().map(String::as_str)).expect("put together");
    assert!(back.stopped && back.page_ended);
    let wanted: Vec<Trace> = [0, 2, 3].map(|at: usize| long.traces[at].clone()).into();
    assert_eq!(back.traces, wanted);
    let spoilt = recovered(&head(&long), [saved[0].as_str(), "[{", saved[2].as_str()]).expect("put together");
    assert_eq!(spoilt.traces.len(), 2, "what can be read is there");
    assert_eq!((back.created.as_str(), &back.config), (long.created.as_str(), &long.config));
    // As a file it says the same, and a file without the word is of a run that ended by itself.
    assert!(Run::from_json(&back.to_json()).expect("opened").page_ended);
    assert!(!long.to_json().contains("page_ended"));
    let nothing = recovered(&head(&long), []).expect("put together");
    assert_eq!(nothing.traces, []);
    let entry = Entry::of("x", &nothing, 1);
    assert!(entry.page_ended && Lang::ALL.iter().all(|lang| entry.lines(*lang).len() == 1));
}

#[test]
fn a_head_holds_no_secret_of_an_address() {
    let mut long = long(1);
    long.config.url = "https://a/v1?key=sk-secret".into();
    assert!(!head(&long).contains("sk-secret"));
    let entry = Entry::of("x", &long, 1);
    assert_eq!(entry.host, "a");
    assert!(!serde_json::to_string(&entry).expect("json").contains("sk-secret"));
}

#[test]
fn names_sort_by_time_and_are_of_one_length() {
    let ids = ["2026-11-30T19:41:52.123Z", "2026-11-30T19:41:52.124Z", "2027-01-01T00:00:00.000Z"].map(|t| new_id(t, 7));
    assert_eq!(ids[0], "20261130T194152123-00000007");
    assert!(ids.is_sorted() && new_id("2026-11-30T19:41:52.123Z", u64::MAX) > ids[0]);
    assert!([new_id("", 0), new_id("2026", 1)].iter().all(|id| id.len() == ids[0].len()));
}

#[test]
fn keys_are_found_again() {
    let id = new_id("2026-11-30T19:41:52.123Z", 1);
    let Change::Put(head, _) = begun(&id, "head".into()) else { panic!("a text") };
    let Change::Put(request, _) = saved(&id, 3, "[]".into()) else { panic!("a text") };
    assert!(head < request && request.starts_with(&format!("{head}/")), "after its head, and gone with it");
    assert_eq!(
        saved(&id, 3, "[1]".into()),
        Change::Put(request.clone(), "[1]".into()),
        "in the place of what was known before"
    );
    let other = of(LIVE, "other");
    assert_eq!(under_way(&[head, request.clone(), other]), [id.as_str(), "other"]);
    assert_eq!(under_way(&[request]), [id.as_str()], "without a head, too");
    let entry = Entry { id: id.clone(), ..Entry::default() };
    let done = finished(&entry, "head".into());
    assert!(done.contains(&Change::Remove(of(LIVE, &id))) && done.contains(&entry.put()));
    assert!(removed(&id).contains(&Change::Remove(of(ENTRIES, &id))) && removed(&id).len() == 3);
    let Change::Put(_, text) = entry.put() else { panic!("a text") };
    assert_eq!(Entry::read(&text), Some(entry));
    assert_eq!((Entry::read("{}"), Entry::read("no")), (None, None));
}

#[test]
fn runs_are_found_by_what_a_person_remembers() {
    let mut measured = Entry::of("2", &long(3), 10);
    measured.note = "Before the new Proxy".into();
    let other = Entry { host: "api.example.com".into(), model: "gpt-5".into(), ..entry("1", 5, "") };
    let all = [other, measured.clone()];
    let check = |searched: &str, want: &[&str]| {
        let found: Vec<String> = find(&all, searched).into_iter().map(|e| e.id).collect();
        assert_eq!(found, want, "{searched}");
    };
    check("", &["2", "1"]);
    check(" proxy  BEFORE ", &["2"]);
    check("example gpt", &["1"]);
    check("example proxy", &[]);
    check("2026-11-30", &["2"]);
    check("localhost:8080", &["2"]);
    // The figure, its statistic, and the load are part of what is said.
    let (sentence, context) = &measured.lines(Lang::En)[0];
    assert!(sentence.contains("101 ms") && context.contains("n = 3"), "{sentence} {context}");
    assert!(measured.lines(Lang::Ko)[0].0 != *sentence);
    check("n = 3", &["2"]);
}

#[test]
fn limits_are_typed_in_megabytes() {
    assert_eq!(Settings::default(), Settings::read("{}"));
    assert_eq!(Settings::read("{\"keep\":false}"), Settings { keep: false, ..Settings::default() });
    assert_eq!(limit_of(&Settings::default().limit_mb().to_string()), Some(Settings::default().limit));
    assert_eq!((limit_of(" 0.01 "), limit_of("1,000")), (Some(10_000), Some(1_000_000_000)));
    for wrong in ["", "0", "x", "-1", "1e9", "NaN", "inf"] {
        assert_eq!(limit_of(wrong), None, "{wrong}");
    }
}

proptest! {
    #[test]
    fn the_oldest_go_first_and_no_more_than_must(
        sizes in proptest::collection::vec((0_u64..50, any::<bool>()), 0..12),
        limit in 0_u64..200,
        newest in proptest::option::of(0_usize..12),
    ) {
        let name = |at: usize| format!("{at:04}");
        let entries: Vec<Entry> =
            sizes.iter().enumerate().map(|(at, (bytes, noted))| entry(&name(at), *bytes, if *noted { "n" } else { " " })).collect();
        let newest = newest.map(name);
        let dropped = over_limit(&entries, limit, newest.as_deref());
        prop_assert!(dropped.is_sorted());
        let left: Vec<Entry> = entries.iter().filter(|e| !dropped.contains(&e.id)).cloned().collect();
        prop_assert!(entries.iter().filter(|e| e.is_pinned() || newest.as_ref() == Some(&e.id)).all(|e| left.contains(e)));
        let free = |e: &&Entry| !e.is_pinned() && newest.as_ref() != Some(&e.id);
        if taken(&left) > limit {
            prop_assert_eq!(left.iter().filter(free).count(), 0, "more could go");
        }
        // Without the last of them, it would still be too much.
        if let Some(last) = dropped.last() {
            let bytes = entries.iter().find(|e| e.id == *last).map_or(0, |e| e.bytes);
            prop_assert!(taken(&left) + bytes > limit);
            prop_assert!(left.iter().filter(free).all(|e| e.id > *last));
        }
    }
}
