//! A real chat page before a real engine: its streams are byte for byte what the engine sent, and every mark of the passive part lies
//! between the page's own instants around it. How near it comes to the measuring part's is the affair of `bench passive`.

use firstlight_core::outcome::Outcome;
use firstlight_e2e::chat::{Chat, TOKENS, compared, seen};
use firstlight_e2e::llama::{Llama, Options};
use firstlight_e2e::tape::Tape;
use firstlight_e2e::{Browser, Engine};
use serde_json::{Value, json};

use crate::checks::check;
use crate::passive::{Host, can_be_collected};

/// An interval of a median needs six, and a figure may be missing in one in five.
const BLOCKS: usize = 8;
/// Of each part in each block.
const REQUESTS: usize = 3;
/// Marks are rounded to whole microseconds, ms.
const ROUNDED: f64 = 0.001;

pub(crate) fn its_marks_are_between_the_pages_own(browser: &Browser) {
    let stage = Chat::open(browser).expect("a chat");
    let blocks = stage.blocks(BLOCKS, REQUESTS).expect("answers");
    assert_eq!(stage.problems().expect("a list"), json!([]));

    // It is the same request, whoever sends it; one of each in every block is for warming up.
    let asked: Vec<Value> = stage.tape.asked().iter().map(|body| serde_json::from_slice(body).expect("JSON")).collect();
    assert!(asked.len() >= 2 * (REQUESTS + 1) * BLOCKS, "{}", asked.len());
    assert!(asked.iter().all(|body| *body == asked[0]), "{asked:?}");

    let sent = stage.tape.streams();
    for block in &blocks {
        assert_eq!((block.measured.len(), block.chats.len()), (REQUESTS, REQUESTS));
        block.measured.iter().for_each(check);
        assert!(block.measured.iter().all(|trace| trace.outcome == Outcome::Complete));
        for chat in &block.chats {
            let (read, report) = (chat["read"].as_str().expect("a text"), &chat["report"]);
            can_be_collected(report);
            assert!(sent.iter().any(|sent| sent == read.as_bytes()), "nobody sent {read}");
            assert_eq!((&report["outcome"]["code"], &report["bytes"]), (&json!("complete"), &json!(read.len())));
            assert_eq!(report["counts"]["predicted_n"], json!(TOKENS), "{report}");
            for (mark, between) in chat["between"].as_object().expect("instants") {
                let at = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{mark}: {chat}"));
                let (asked, told) = (at(&between[0]), at(&between[1]));
                let stamp = at(&report["marks"][mark]);
                assert!(asked - ROUNDED <= stamp && stamp <= told + ROUNDED, "{mark}: {asked} {stamp} {told}");
            }
        }
    }
    // Both parts have each figure, so that they can be compared.
    compared(&blocks).expect("both say it");
    if browser.engine() == Engine::Chromium {
        let seen = seen(&blocks);
        assert!(seen.told == BLOCKS * REQUESTS && seen.bounded_below > 0 && seen.before == 0, "{seen:?}");
    }
}

/// Every way of reading gives what the engine sent, and a host that is slow is asked for no more with the passive part than without.
pub(crate) fn its_streams_are_the_engines_own(browser: &Browser) {
    let llama = Llama::start(Options { context: 256, ..Options::FAST }).expect("llama.cpp");
    let tape = Tape::before(&llama.chat_url()).expect("a tape");
    let host = Host::open(browser);
    let ways = json!([
        "reader",
        "reader_in_turns",
        "byob",
        "iterate",
        "pipe_through",
        "pipe_to",
        "tee",
        "in_a_response",
        "text",
        "array_buffer",
        "bytes",
        "clone",
        "body_then_text"
    ]);
    let all = host.ask("ways", &json!([tape.url(), ways]));
    let sent = tape.streams();
    let mut read = 0;
    for (way, seen) in all.as_object().expect("ways") {
        // What the engine lacks, it lacks in both.
        let Some(text) = seen["observed"]["value"].as_str() else {
            assert_eq!(seen["plain"]["error"], seen["observed"]["error"], "{way}");
            continue;
        };
        assert!(sent.iter().any(|sent| sent == text.as_bytes()), "{way}: nobody sent {text}");
        let report = &seen["report"];
        assert_eq!(report["outcome"]["code"], json!("complete"), "{way}");
        if report["reads"].is_array() {
            read += 1;
            assert_eq!(report["bytes"], json!(text.len()), "{way}");
        }
    }
    assert!(read >= 7, "{all}");

    let all = host.ask("pulls", &json!([tape.url()]));
    for (way, pulls) in all.as_object().expect("ways") {
        assert_eq!(pulls[0], pulls[1], "{way}: {all}");
    }
    assert_eq!((&all["untouched"][1], &all["one_read"][1], &all["three_reads"][1]), (&json!(0), &json!(1), &json!(3)), "{all}");
    host.check_quiet();
}
