//! Hashes name what is asked, generators draw what they say, conversations keep their history.

use std::collections::HashSet;

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;
use crate::config::RunConfig;
use crate::config::tests::sound;
use crate::text::Lang;
use crate::trace::Mode;

fn of_cases(cases: Vec<Case>) -> Workload {
    Workload { source: Source::Cases(cases), ..Workload::default() }
}

fn hash(workload: &Workload) -> Hash {
    workload.resolve("p").expect("sound").hash().clone()
}

fn turn(conversation: &str, index: u32, text: &str) -> Case {
    let turn = Some(Turn { conversation: conversation.into(), index });
    Case { turn, ..Case::of_prompt(format!("{conversation}{index}"), text) }
}

#[test]
fn the_typed_prompt_is_one_case_and_hashes_like_the_same_line() {
    let typed = Workload::default().resolve("Hi").expect("sound");
    assert_eq!((typed.len(), typed.case(0).messages.len(), typed.units(false).count()), (1, 1, 1));
    let imported = import("{\"prompt\":\"Hi\"}").expect("read").workload;
    assert_eq!(typed.hash(), imported.resolve("").expect("sound").hash());
    // What is hashed is fixed: this is SHA-256 of the line in front and the case.
    let written = "firstlight-workload 1 cases\n{\"id\":\"case-1\",\"messages\":[{\"content\":\"Hi\",\"role\":\"user\"}]}\n";
    let digest = <sha2::Sha256 as sha2::Digest>::digest(written);
    assert_eq!(typed.hash().full(), digest.iter().map(|b| format!("{b:02x}")).collect::<String>());
    assert_eq!(typed.hash().short(), &typed.hash().full()[..12]);
}

#[test]
fn name_and_version_are_for_people_and_every_other_thing_counts() {
    let case = Case::of_prompt("a", "Hi");
    let plain = of_cases(vec![case.clone()]);
    let named = Workload { name: "n".into(), version: "2".into(), ..plain.clone() };
    assert_eq!(hash(&plain), hash(&named));
    let others = [
        Case { id: "b".into(), ..case.clone() },
        Case { messages: vec![Message::text(Role::User, "Hi!")], ..case.clone() },
        Case { messages: vec![Message::text(Role::System, ""), Message::text(Role::User, "Hi")], ..case.clone() },
        Case { max_tokens: Some(1), ..case.clone() },
        Case { tags: vec!["t".into()], ..case.clone() },
        Case { class: Class::Hard, ..case.clone() },
        Case { group: Some("g".into()), ..case.clone() },
        Case { check: Some(json!({"contains": "x"})), ..case.clone() },
        Case { held_out: true, ..case.clone() },
        Case { turn: Some(Turn { conversation: "c".into(), index: 1 }), ..case.clone() },
    ];
    let hashes: HashSet<Hash> = others.iter().map(|c| hash(&of_cases(vec![c.clone()]))).chain([hash(&plain)]).collect();
    assert_eq!(hashes.len(), others.len() + 1);
    let b = Case::of_prompt("b", "Ho");
    assert_ne!(hash(&of_cases(vec![case.clone(), b.clone()])), hash(&of_cases(vec![b, case])));
}

#[test]
fn an_old_run_file_has_the_typed_prompt() {
    let mut old = serde_json::to_value(sound()).expect("json");
    for field in ["workload", "cache", "confirmation"] {
        old.as_object_mut().expect("an object").remove(field).expect("the field is written");
    }
    assert_eq!(serde_json::from_value::<RunConfig>(old).expect("an old file opens"), sound());
}

#[test]
fn normal_and_confirmation_runs_share_no_case() {
    let held = |case: Case| Case { held_out: true, ..case };
    let workload = of_cases(vec![
        turn("x", 1, "a"),
        turn("x", 2, "b"),
        held(Case::of_prompt("1", "c")),
        Case::of_prompt("2", "d"),
        held(turn("y", 1, "e")),
        held(turn("y", 2, "f")),
        turn("z", 1, "g"),
    ]);
    let resolved = workload.resolve("").expect("sound");
    assert_eq!(resolved.units(false).collect::<Vec<_>>(), [0..2, 3..4, 6..7]);
    assert_eq!(resolved.units(true).collect::<Vec<_>>(), [2..3, 4..6]);
    assert_eq!(resolved.held_out(), 3);
    let chat = sound().body;
    let none_held = of_cases(vec![Case::of_prompt("1", "c")]);
    let all_held = of_cases(vec![held(Case::of_prompt("1", "c"))]);
    assert_eq!(none_held.problem(&chat, false), None);
    assert_eq!(none_held.problem(&chat, true), Some(WorkloadProblem::NothingHeldOut));
    assert_eq!(all_held.problem(&chat, true), None);
    assert_eq!(all_held.problem(&chat, false), Some(WorkloadProblem::AllHeldOut));
}

#[test]
fn a_turn_is_asked_behind_the_real_answers() {
    let mut first = turn("x", 1, "a");
    first.messages.insert(0, Message::text(Role::System, "s"));
    let resolved =
        of_cases(vec![Case::of_prompt("0", "z"), first, turn("x", 2, "b"), turn("x", 3, "c")]).resolve("").expect("sound");
    let answers = ["A".to_owned(), "B".to_owned()];
    let ask = resolved.ask(3, &answers).expect("answers");
    let got: Vec<_> = ask.messages.iter().map(|m| (m.role, m.content.text())).collect();
    let want = [
        (Role::System, "s"),
        (Role::User, "a"),
        (Role::Assistant, "A"),
        (Role::User, "b"),
        (Role::Assistant, "B"),
        (Role::User, "c"),
    ];
    assert_eq!(got, want.map(|(role, text)| (role, text.to_owned())));
    assert_eq!(ask.prompt, "c");
    assert_eq!(resolved.ask(3, &answers[..1]), Err(AnswersMissing { needed: 2, given: 1 }));
    assert_eq!(resolved.ask(0, &answers[..1]), Err(AnswersMissing { needed: 0, given: 1 }));
}

#[test]
fn bodies_carry_messages_limits_and_nonces() {
    let case = Case {
        max_tokens: Some(3),
        messages: vec![Message::text(Role::System, "s"), Message::text(Role::User, "a")],
        ..Case::of_prompt("1", "")
    };
    let workload = of_cases(vec![case, Case::of_prompt("2", "b")]);
    let config = RunConfig { max_tokens: Some(9), workload: workload.clone(), ..sound() };
    let resolved = workload.resolve("").expect("sound");
    let body =
        |config: &RunConfig, index, request| resolved.body(config, index, &[], request, Mode::Streaming).expect("no turns");
    assert_eq!(body(&config, 0, 0)["messages"], json!([{"role": "system", "content": "s"}, {"role": "user", "content": "a"}]));
    assert_eq!((&body(&config, 0, 0)["max_tokens"], &body(&config, 1, 0)["max_tokens"]), (&json!(3), &json!(9)));
    // An index beyond the last begins again.
    assert_eq!(body(&config, 2, 0), body(&config, 0, 0));

    let template = json!({"m": "{messages}", "p": "{prompt}", "n": "{max_tokens}", "s": "{stream}"});
    let custom = RunConfig { body: BodyChoice::Custom(template), max_tokens: None, cache: CacheMode::Bust, ..config };
    let [one, other] = [5, 6].map(|request| body(&custom, 0, request));
    let front = format!("[{}] ", nonce(custom.seed, 5));
    assert_eq!(one["m"][0]["content"], json!(format!("{front}s")));
    assert_eq!((&one["m"][1]["content"], &one["p"]), (&json!("a"), &json!(format!("{front}a"))));
    assert_eq!((&one["n"], body(&custom, 1, 0).get("n")), (&json!(3), None));
    assert_ne!(one, other);
    let reuse = RunConfig { cache: CacheMode::Reuse, ..custom.clone() };
    assert_eq!(body(&reuse, 0, 5), body(&reuse, 0, 6));
    assert_ne!(body(&reuse, 0, 5), body(&RunConfig { seed: 2, ..reuse.clone() }, 0, 5));

    let one_prompt = BodyChoice::Custom(json!({"p": "{prompt}"}));
    assert_eq!(workload.problem(&one_prompt, false), Some(WorkloadProblem::NeedsMessages { number: 1 }));
    assert_eq!(workload.problem(&custom.body, false), None);
}

#[test]
fn a_nonce_goes_in_front_of_parts_as_a_part() {
    let part = |text: &str| Map::from_iter([("type".to_owned(), json!("text")), ("text".to_owned(), json!(text))]);
    let ask = Ask::of(vec![Message { role: Role::User, content: Content::Parts(vec![part("a")]) }], None).behind(Some("n"));
    assert_eq!(ask.messages[0].content, Content::Parts(vec![part("[n] "), part("a")]));
    assert_eq!(ask.prompt, "[n] a");
}

#[test]
fn a_workload_that_was_spoilt_by_hand_is_refused() {
    let problem = |cases: Vec<Case>| of_cases(cases).resolve("").expect_err("refused");
    assert_eq!(problem(Vec::new()), WorkloadProblem::NoCases);
    let case = |number, problem| WorkloadProblem::Case { number, problem };
    let x = || "x".to_owned();
    assert_eq!(problem(vec![turn("x", 2, "a")]), case(1, CaseProblem::Turn { conversation: x(), expected: 1 }));
    assert_eq!(problem(vec![turn("x", 1, "a"), turn("y", 1, "b"), turn("x", 2, "c")]), case(3, CaseProblem::Apart(x())));
    assert_eq!(problem(vec![Case::of_prompt("1", " ")]), case(1, CaseProblem::NothingAsked));
    let limit = Case { max_tokens: Some(0), ..Case::of_prompt("1", "a") };
    assert_eq!(problem(vec![limit]), case(1, CaseProblem::MaxTokens));
}

#[test]
fn the_context_says_what_is_asked() {
    let say = |workload: &Workload, lang, cache, confirmation| {
        let identity = workload.resolve("Hi").expect("sound").identity();
        describe(lang, workload, &identity, cache, confirmation).replace(identity.hash.short(), "HASH")
    };
    let typed = Workload::default();
    assert_eq!(say(&typed, Lang::En, CacheMode::AsIs, false), "typed prompt, hash HASH, prefix cache as is");
    assert_eq!(say(&typed, Lang::Ko, CacheMode::AsIs, false), "입력한 프롬프트, 해시 HASH, 접두사 캐시 그대로");
    let held = Case { held_out: true, ..Case::of_prompt("1", "a") };
    let two = Workload { name: "chats".into(), version: "v2".into(), ..of_cases(vec![held, Case::of_prompt("2", "b")]) };
    assert_eq!(
        say(&two, Lang::En, CacheMode::Bust, true),
        "“chats” v2, 2 cases, imported, 1 of them held out, confirmation run: only what is held out, hash HASH, \
         prefix cache bust: a nonce of its own in front of each request"
    );
    let generator = Generator {
        cases: 1000,
        seed: 7,
        input: Lengths::LogNormal { median: 512, p95: 2048, min: 16, max: 8192 },
        output: Some(Lengths::Fixed(128)),
        shared_prefix: 100,
        held_out: 0,
    };
    let generated = Workload { source: Source::Generated(generator), ..Workload::default() };
    assert_eq!(
        say(&generated, Lang::En, CacheMode::Reuse, false),
        "1,000 cases, generated from seed 7, input log-normal, median 512, p95 2,048, kept in 16–8,192 tokens (~, one common \
         English word or full stop ≈ 1 token), ~100 tokens in front the same in all, output limit 128 tokens, hash HASH, \
         prefix cache reuse: one nonce of the run in front of each request"
    );
}

/// The same JSON with its members the other way round, and white space in it.
fn reversed(value: &Value) -> Value {
    match value {
        Value::Array(list) => list.iter().map(reversed).collect(),
        Value::Object(map) => map.iter().rev().map(|(k, v)| (k.clone(), reversed(v))).collect::<Map<_, _>>().into(),
        other => other.clone(),
    }
}

fn any_case() -> impl Strategy<Value = Case> {
    let check = prop_oneof![
        Just(None),
        "[ -~]{0,9}".prop_map(|text| Some(json!({"contains": text, "ignore_case": true}))),
        any::<i32>().prop_map(|n| Some(json!({"schema": {"type": "object", "properties": {"b": {"minimum": n}, "a": {}}}}))),
    ];
    let content = prop_oneof![
        "[a-z가-힣 \\n\"]{0,20}x".prop_map(Content::Text),
        any::<i32>().prop_map(|n| Content::Parts(vec![Map::from_iter([("z".into(), json!(n)), ("text".into(), json!("t"))])])),
    ];
    let class = prop::sample::select(Class::ALL.to_vec());
    (
        content,
        prop::option::of(1u32..=1_000_000),
        prop::collection::vec("[a-z]{1,3}", 0..3),
        class,
        prop::option::of("[a-z]"),
        check,
    )
        .prop_map(|(content, max_tokens, tags, class, group, check)| Case {
            messages: vec![Message { role: Role::User, content }],
            max_tokens,
            tags,
            class,
            group,
            check,
            ..Case::default()
        })
}

fn any_workload() -> impl Strategy<Value = Workload> {
    prop::collection::vec(any_case(), 1..5).prop_map(|mut cases| {
        (0u32..).zip(&mut cases).for_each(|(at, case)| case.id = format!("case-{at}"));
        of_cases(cases)
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_and_has_the_same_hash(workload in any_workload()) {
        let written = serde_json::to_value(&workload).expect("json");
        let pretty = serde_json::to_string_pretty(&reversed(&written)).expect("json");
        let read: Workload = serde_json::from_str(&pretty).expect("read");
        prop_assert_eq!(hash(&read), hash(&workload));
        prop_assert_eq!(read, workload);
    }

    #[test]
    fn a_changed_text_changes_the_hash(workload in any_workload(), at in any::<prop::sample::Index>()) {
        let mut other = workload.clone();
        if let Source::Cases(cases) = &mut other.source {
            let at = at.index(cases.len());
            cases[at].messages.push(Message::text(Role::User, ""));
        }
        prop_assert_ne!(hash(&other), hash(&workload));
    }

    #[test]
    fn nonces_of_a_run_are_unique(seed in any::<u64>(), first in 0u32..u32::MAX - 2000) {
        let mut seen: HashSet<String> = (first..first + 2000).filter_map(|id| CacheMode::Bust.nonce(seed, id)).collect();
        seen.extend(CacheMode::Reuse.nonce(seed, first));
        prop_assert_eq!(seen.len(), 2001);
        prop_assert!(seen.iter().all(|nonce| nonce.len() == 16));
    }
}
