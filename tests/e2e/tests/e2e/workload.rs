//! What is asked: cases, conversations, generated prompts. The truth is what a server was really sent, body by body.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use firstlight_core::outcome::Outcome;
use firstlight_core::report::Run;
use firstlight_core::text::{Lang, Work, import_error, workload_problem};
use firstlight_core::workload::check::CheckFailure;
use firstlight_core::workload::{ImportError, LineProblem, Source, Wanted, WorkloadProblem};
use firstlight_e2e::page::{PartTable, Setup};
use firstlight_e2e::stub::Stub;
use firstlight_e2e::{Browser, Page};
use serde_json::{Value, json};

use crate::checks::{LIMIT, all_complete, measure, open, own};
use crate::fields::says;

/// Cases of a file, one at a time.
fn cases(url: &str, lines: &[&str], requests: u32) -> Setup {
    own(url, requests).with("workload-kind", "cases").with("workload-lines", lines.join("\n"))
}

/// The body of a request with these messages, as a chat endpoint is sent it.
fn body(messages: &Value, max_tokens: Option<u32>) -> Value {
    let mut body = json!({"messages": messages, "stream": true, "stream_options": {"include_usage": true}});
    if let Some(n) = max_tokens {
        body["max_tokens"] = json!(n);
    }
    body
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

/// What the last message of a body says.
fn last(body: &Value) -> &str {
    body["messages"].as_array().and_then(|all| all.last()?["content"].as_str()).unwrap_or_default()
}

/// A chat endpoint that says of each question what it was.
fn echo() -> Stub {
    Stub::chat(Duration::ZERO, |body| format!("You asked: {}", last(body))).expect("a stub")
}

const JUDGED: [&str; 5] = [
    r#"{"workload": "support", "version": "3"}"#,
    r#"{"prompt": "Say yes.", "max_tokens": 16, "check": {"contains": "yes"}}"#,
    r#"{"messages": [{"role": "system", "content": "One letter."}, {"role": "user", "content": "A to D?"}], "class": "hard", "group": "staff", "check": {"pattern": "^[A-D]$"}}"#,
    r#"{"prompt": "As JSON.", "class": "adversarial", "group": "public", "check": {"schema": {"type": "object", "required": ["city"]}}}"#,
    r#"{"prompt": "Wrong on purpose.", "group": "public", "check": {"contains": "never said"}}"#,
];

/// The right answers to all but the last of [`JUDGED`].
fn judged() -> Stub {
    let words = |body: &Value| match last(body) {
        "Say yes." => "Of course: yes.",
        "A to D?" => "B",
        "As JSON." => r#"{"city": "서울"}"#,
        _ => "Something else.",
    };
    Stub::chat(Duration::ZERO, move |body| words(body).to_owned()).expect("a stub")
}

/// Names of rows and how many requests each has, of the table with a caption.
fn counted(tables: &[PartTable], caption: &str) -> BTreeSet<(String, String)> {
    let table = tables.iter().find(|table| table.caption == caption);
    let table = table.unwrap_or_else(|| panic!("there is no table “{caption}”: {tables:?}"));
    table.rows.iter().map(|row| (row[0].clone(), row[1].clone())).collect()
}

fn set(pairs: &[(&str, &str)]) -> BTreeSet<(String, String)> {
    pairs.iter().map(|(name, n)| ((*name).to_owned(), (*n).to_owned())).collect()
}

/// Each case as it stands in the file and in its order, judged by its own check, and grouped by what it says of itself.
pub(crate) fn cases_are_sent_as_they_stand_and_judged(browser: &Browser) {
    let (_served, page) = open(browser);
    let stub = judged();
    let run = measure(&page, &cases(stub.url(), &JUDGED, 8).with("max-tokens", 32));
    all_complete(&run);
    let system = json!({"role": "system", "content": "One letter."});
    let once = [
        body(&json!([user("Say yes.")]), Some(16)),
        body(&json!([system, user("A to D?")]), Some(32)),
        body(&json!([user("As JSON.")]), Some(32)),
        body(&json!([user("Wrong on purpose.")]), Some(32)),
    ];
    assert_eq!(stub.bodies(), [&once[..], &once[..]].concat());
    let said: Vec<_> = run.traces.iter().map(|trace| trace.check.clone().expect("judged")).collect();
    let once = [Ok(()), Ok(()), Ok(()), Err(CheckFailure::Contains("never said".into()))];
    assert_eq!(said, [&once[..], &once[..]].concat());
    // What a person is told of it.
    let quality = page.text("quality").expect("a part");
    assert!(quality.contains("6 of 8 results passed their check"), "{quality}");
    let failures = page.part_tables("quality").expect("a table");
    assert_eq!(failures[0].rows, [["doesn’t contain “never said”", "2"]]);
    let groups = page.part_tables("groups").expect("tables");
    assert_eq!(counted(&groups, "By class"), set(&[("normal", "4"), ("hard", "2"), ("adversarial", "2")]));
    assert_eq!(counted(&groups, "By user group"), set(&[("no group", "2"), ("staff", "2"), ("public", "4")]));
}

/// Three turns, and the earlier answers as they were really given: no answer is given twice.
const TURNS: [&str; 3] = ["One?", "Two?", "Three?"];

/// Answers with a number of their own and with what may go wrong on the way, and what was asked for each.
type Given = Arc<Mutex<Vec<(Value, String)>>>;

fn conversing(after: Duration) -> (Stub, Given) {
    let given = Given::default();
    let kept = Arc::clone(&given);
    let stub = Stub::chat(after, move |body| {
        let mut kept = kept.lock().expect("not poisoned");
        let words = format!("Answer {} to “{}”,\nwith <b>\"marks\"</b>, \\ and 하늘 ☀️.", kept.len() + 1, last(body));
        kept.push((body["messages"].clone(), words.clone()));
        words
    });
    (stub.expect("a stub"), given)
}

fn conversation(name: &str) -> Vec<String> {
    TURNS.iter().map(|turn| json!({"prompt": format!("{name}: {turn}"), "conversation": name}).to_string()).collect()
}

/// Every request holds its conversation so far, as it really went. `given`: what was asked and answered, in order.
fn holds_its_past(given: &[(Value, String)], names: &[&str]) {
    for name in names {
        let mut past: Vec<Value> = Vec::new();
        let mut turn = 0;
        for (messages, answer) in given.iter().filter(|(m, _)| last(&json!({"messages": m})).starts_with(name)) {
            if turn == TURNS.len() {
                (past, turn) = (Vec::new(), 0);
            }
            past.push(user(&format!("{name}: {}", TURNS[turn])));
            assert_eq!(messages, &json!(past), "{given:?}");
            past.push(json!({"role": "assistant", "content": answer}));
            turn += 1;
        }
        assert_eq!(turn, TURNS.len(), "{name} was not asked to its end: {given:?}");
    }
}

pub(crate) fn a_later_turn_holds_the_answers_that_were_given(browser: &Browser) {
    let (_served, page) = open(browser);
    let (stub, given) = conversing(Duration::ZERO);
    let lines = conversation("c");
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    // Asked twice: the second time from its beginning.
    let run = measure(&page, &cases(stub.url(), &lines, 6));
    all_complete(&run);
    let given = given.lock().expect("not poisoned").clone();
    assert_eq!(given.len(), 6);
    holds_its_past(&given, &["c"]);
    assert_eq!(given[3].0, json!([user("c: One?")]));
    let groups = page.part_tables("groups").expect("tables");
    assert_eq!(counted(&groups, "By turn"), set(&[("turn 1", "2"), ("turn 2", "2"), ("turn 3", "2")]));
}

/// A warm-up that ends inside a conversation leaves no turn without what was said before it.
pub(crate) fn a_warm_up_inside_a_conversation_leaves_no_turn_without_its_past(browser: &Browser) {
    let (_served, page) = open(browser);
    let (stub, given) = conversing(Duration::ZERO);
    let lines = [conversation("a"), conversation("b")].concat();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let run = measure(&page, &cases(stub.url(), &lines, 6).with("warmup", 1));
    all_complete(&run);
    let given = given.lock().expect("not poisoned").clone();
    assert_eq!(given.len(), 7);
    assert_eq!(given[0].0, json!([user("a: One?")]));
    holds_its_past(&given[1..], &["b", "a"]);
}

/// Two conversations at once: each keeps its own order, and they wait for their own answers alone.
pub(crate) fn conversations_at_once_keep_apart(browser: &Browser) {
    let (_served, page) = open(browser);
    // Long enough that both are under way before either is answered.
    let (stub, given) = conversing(Duration::from_millis(300));
    let lines = [conversation("a"), conversation("b")].concat();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let run = measure(&page, &cases(stub.url(), &lines, 6).with("concurrency", 2));
    all_complete(&run);
    let given = given.lock().expect("not poisoned").clone();
    assert_eq!(given.len(), 6);
    holds_its_past(&given, &["a", "b"]);
    let first: BTreeSet<String> = stub.bodies()[..2].iter().map(|body| last(body).to_owned()).collect();
    assert_eq!(first, ["a: One?".to_owned(), "b: One?".to_owned()].into(), "the second waits for the first");
}

/// The contexts of all figures.
fn told(page: &Page<'_>) -> String {
    let script = "return [...document.querySelectorAll('.context')].map((line) => line.textContent).join('\\n');";
    page.string(script, vec![]).expect("contexts")
}

/// What stands in front of the first message; the rest of the body must be as if nothing stood there.
fn nonces(bodies: &[Value], asked: &[&str]) -> Vec<Option<String>> {
    let nonce = |body: &Value, text: &str| {
        let first = body["messages"][0]["content"].as_str().expect("a text");
        let front = first.strip_suffix(text).unwrap_or_else(|| panic!("“{first}” does not end with “{text}”"));
        if front.is_empty() {
            return None;
        }
        let digits = front.strip_prefix('[').and_then(|front| front.strip_suffix("] ")).expect("a nonce");
        assert!(digits.len() == 16 && digits.chars().all(|c| c.is_ascii_hexdigit()), "{digits}");
        assert_eq!(body["messages"].as_array().map(Vec::len), Some(1));
        Some(digits.to_owned())
    };
    bodies.iter().zip(asked.iter().cycle()).map(|(body, text)| nonce(body, text)).collect()
}

pub(crate) fn the_prefix_cache_is_left_or_broken_or_warmed(browser: &Browser) {
    const ASKED: [&str; 2] = ["First of two.", "Second of two."];
    let (_served, page) = open(browser);
    let run = |cache: &str, first: bool| {
        let stub = echo();
        if !first {
            page.click("change").expect("back to the form");
        }
        let lines = ASKED.map(|text| json!({"prompt": text}).to_string());
        let setup = cases(stub.url(), &lines.each_ref().map(String::as_str), 4).with("cache", cache);
        all_complete(&measure(&page, &setup));
        (nonces(&stub.bodies(), &ASKED), told(&page))
    };
    let (as_is, context) = run("as-is", true);
    assert_eq!(as_is, [const { None }; 4]);
    assert!(context.contains(Work::CacheAsIs.get(Lang::En)), "{context}");
    let (bust, context) = run("bust", false);
    let different: BTreeSet<&Option<String>> = bust.iter().collect();
    assert!(different.len() == 4 && bust.iter().all(Option::is_some), "{bust:?}");
    assert!(context.contains(Work::CacheBust.get(Lang::En)), "{context}");
    let (reuse, context) = run("reuse", false);
    assert!(reuse[0].is_some() && reuse.iter().all(|nonce| *nonce == reuse[0]), "{reuse:?}");
    assert!(context.contains(Work::CacheReuse.get(Lang::En)), "{context}");
    // Nothing older is found: another run has another.
    let (again, _) = run("reuse", false);
    assert!(again[0].is_some() && again[0] != reuse[0], "{again:?} after {reuse:?}");
}

pub(crate) fn held_out_cases_are_for_the_confirmation_alone(browser: &Browser) {
    let (_served, page) = open(browser);
    let lines = [
        r#"{"prompt": "open 1"}"#,
        r#"{"prompt": "kept 1", "held_out": true}"#,
        r#"{"prompt": "open 2"}"#,
        r#"{"prompt": "kept 2", "held_out": true}"#,
    ];
    let asked = |stub: &Stub| stub.bodies().iter().map(|body| last(body).to_owned()).collect::<Vec<_>>();
    let stub = echo();
    // Warm-up too sends nothing of what is held out.
    let run = measure(&page, &cases(stub.url(), &lines, 4).with("warmup", 1));
    all_complete(&run);
    assert_eq!(asked(&stub), ["open 1", "open 2", "open 1", "open 2", "open 1"]);
    page.click("change").expect("back to the form");
    let stub = echo();
    page.fill_in(&Setup::own(stub.url()).with("warmup", 0)).expect("filled in");
    page.unfold("confirmation").expect("unfolded");
    page.click("confirmation").expect("chosen");
    let run = measure(&page, &Setup::new());
    assert!(run.config.confirmation);
    assert_eq!(asked(&stub), ["kept 1", "kept 2", "kept 1", "kept 2"]);
    let context = told(&page);
    assert!(context.contains(Work::ConfirmationRun.get(Lang::En)), "{context}");
    // Without any there is nothing to confirm with, and without the others nothing to measure.
    page.click("change").expect("back to the form");
    let stub = echo();
    let refused = |lines: &[&str], problem| says(&page, &cases(stub.url(), lines, 4), &[workload_problem(Lang::En, &problem)]);
    refused(&[lines[0], lines[2]], WorkloadProblem::NothingHeldOut);
    page.click("confirmation").expect("not chosen");
    refused(&[lines[1], lines[3]], WorkloadProblem::AllHeldOut);
    assert_eq!(stub.heads(), [""; 0], "something was sent");
}

pub(crate) fn wrong_lines_are_named_and_nothing_is_sent(browser: &Browser) {
    let (_served, page) = open(browser);
    let stub = Stub::page("never asked").expect("a stub");
    let lines = [
        r#"{"prompt": "fine"}"#,
        r#"{"prompt": "cut off"#,
        "",
        r#"{"ask": "nothing"}"#,
        r#"["a list"]"#,
        r#"{"prompt": "x", "class": "odd"}"#,
        r#"{"prompt": "x", "max_tokens": 0}"#,
    ];
    let typed = lines.join("\n");
    let texts = |lang: Lang| {
        let wrong = |line, problem| import_error(lang, &ImportError { line, problem });
        let field = |field: &str, wanted| LineProblem::Field { field: field.into(), wanted };
        // The words of a JSON error are the parser's.
        let not_json = wrong(2, LineProblem::NotJson("\u{0}".into()));
        vec![
            not_json.split('\u{0}').next().unwrap_or_default().to_owned(),
            wrong(4, LineProblem::NoQuestion),
            wrong(5, LineProblem::NotObject),
            wrong(6, field("class", Wanted::Class)),
            wrong(7, field("max_tokens", Wanted::Tokens)),
        ]
    };
    says(&page, &cases(stub.url(), &lines, 4), &texts(Lang::En));
    assert!(texts(Lang::En)[1].starts_with("Line 4: "), "lines are named by their number");
    let invalid = "return document.getElementById('workload-lines').getAttribute('aria-invalid') || '';";
    assert_eq!(page.string(invalid, vec![]).expect("told"), "true");
    assert_eq!(page.value("workload-lines").expect("kept"), typed);
    says(&page, &Setup::new().with("language", "ko"), &texts(Lang::Ko));
    assert_eq!(page.value("workload-lines").expect("kept"), typed);
    // A check that can't be read is found before anything is judged by it.
    let check = r#"{"prompt": "x", "check": {"pattern": "("}}"#;
    let begin = fill_line(1, "check: ");
    says(&page, &Setup::new().with("language", "en").with("workload-lines", check), &[begin]);
    says(
        &page,
        &Setup::new().with("workload-lines", ""),
        &[import_error(Lang::En, &ImportError { line: 1, problem: LineProblem::Empty })],
    );
    assert_eq!(stub.heads(), [""; 0], "something was sent");
}

fn fill_line(line: usize, text: &str) -> String {
    firstlight_core::text::fill(Work::Line.get(Lang::En), &[&line.to_string(), text])
}

pub(crate) fn generated_prompts_differ_and_carry_their_limits(browser: &Browser) {
    const N: usize = 6;
    let (_served, page) = open(browser);
    let stub = echo();
    let setup = own(stub.url(), N as u32)
        .with("workload-kind", "generated")
        .with("generated-cases", N)
        .with("generated-input", "30..60")
        .with("generated-output", "100..900")
        .with("max-tokens", 5);
    let run = measure(&page, &setup);
    all_complete(&run);
    let bodies = stub.bodies();
    let prompts: BTreeSet<&str> = bodies.iter().map(last).collect();
    assert_eq!((bodies.len(), prompts.len()), (N, N), "{prompts:?}");
    let limits: Vec<u64> = bodies.iter().filter_map(|body| body["max_tokens"].as_u64()).collect();
    // Six draws of eight hundred are not all alike, and the seed is always the same.
    let different: BTreeSet<&u64> = limits.iter().collect();
    assert!(limits.len() == N && limits.iter().all(|n| (100..=900).contains(n)) && different.len() > 1, "{limits:?}");
    // The same numbers make the same cases, on this machine as in the browser.
    let resolved = run.config.workload.resolve("").expect("cases");
    for (index, sent) in (0..).zip(&bodies) {
        let case = resolved.case(index);
        assert_eq!(*sent, body(&json!(case.messages), case.max_tokens));
        let words = last(sent).split_whitespace().count();
        assert!((20..=60).contains(&words), "of 30 to 60 tokens, at most one in twelve a full stop: {words} words");
    }
}

/// Every part, as it is read.
fn parts(page: &Page<'_>) -> Vec<(String, String)> {
    let script = "return [...document.querySelectorAll('section.part[id]')].map((part) => [part.id, part.innerText]);";
    serde_json::from_value(page.browser().execute(script, vec![]).expect("parts")).expect("pairs of texts")
}

/// What a file carries: the same parts, the same hash, and the same cases to ask again.
pub(crate) fn a_saved_run_asks_the_same_again(browser: &Browser) {
    let folder = tempfile::tempdir().expect("a folder");
    let (served, page) = open(browser);
    let stub = judged();
    let run = measure(&page, &cases(stub.url(), &JUDGED, 4).with("cache", "as-is"));
    let (text, shown) = (page.saved_text().expect("a text"), parts(&page));
    assert!(["quality", "groups"].iter().all(|id| shown.iter().any(|(known, _)| known == id)), "{shown:?}");
    let hash = run.workload.as_ref().expect("a workload").hash.short().to_owned();
    let path = folder.path().join("run.json");
    std::fs::write(&path, &text).expect("written");
    let again = served.open(browser).expect("opened afresh");
    again.choose_file(&path).expect("chosen");
    again.wait_for_state("done", LIMIT).expect("shown");
    assert_eq!(parts(&again), shown);
    let line =
        again.string("return document.querySelector('#metrics .context, .context').textContent;", vec![]).expect("a line");
    assert!(line.contains(&format!("hash {hash}")) && line.contains("“support” 3"), "{hash} is not in {line}");
    again.click("change").expect("to the form");
    assert_eq!(again.value("workload-kind").expect("a kind"), "cases");
    assert_eq!(again.value("requests").expect("a number"), "4");
    let before = stub.bodies();
    let second = measure(&again, &Setup::new());
    assert_eq!(stub.bodies()[before.len()..], before);
    assert_eq!((&second.workload, &second.config.workload), (&run.workload, &run.config.workload));
    assert!(matches!(&second.config.workload.source, Source::Cases(cases) if cases.len() == 4));
    // One letter more is another workload.
    again.click("change").expect("to the form");
    let other = measure_again(&again, &Setup::new().with("workload-lines", r#"{"prompt": "Say yes!"}"#).with("requests", 1));
    assert_ne!(other.workload.expect("a workload").hash, run.workload.expect("a workload").hash);
}

fn measure_again(page: &Page<'_>, setup: &Setup) -> Run {
    let run = measure(page, setup);
    assert!(run.traces.iter().all(|trace| trace.outcome == Outcome::Complete));
    run
}
