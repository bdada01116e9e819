//! Every shape is read, nothing is lost without a word, every error names its line.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::workload::{Class, Content, Message, Role};

fn cases(text: &str) -> Vec<Case> {
    let imported = import(text).unwrap_or_else(|e| panic!("{e:?}"));
    match imported.workload.source {
        Source::Cases(cases) => cases,
        other => panic!("{other:?}"),
    }
}

fn errors(text: &str) -> Vec<(usize, LineProblem)> {
    import(text).expect_err("refused").into_iter().map(|e| (e.line, e.problem)).collect()
}

fn field(field: &str, wanted: Wanted) -> LineProblem {
    LineProblem::Field { field: field.into(), wanted }
}

#[test]
fn prompts_and_all_that_may_stand_beside_them() {
    let text = "\u{feff}{\"prompt\": \"Hi\", \"max_tokens\": 8, \"tags\": [\"a\", \"b\"], \"class\": \"hard\", \"group\": \"free\", \
                \"check\": {\"contains\": \"x\"}, \"held_out\": true, \"id\": 7}\r\n\r\n{\"prompt\": \"안녕\", \"tags\": \"c\"}";
    let found = cases(text);
    let first = Case {
        max_tokens: Some(8),
        tags: vec!["a".into(), "b".into()],
        class: Class::Hard,
        group: Some("free".into()),
        check: Some(json!({"contains": "x"})),
        held_out: true,
        ..Case::of_prompt("7", "Hi")
    };
    let second = Case { tags: vec!["c".into()], ..Case::of_prompt("case-2", "안녕") };
    assert_eq!(found, [first, second]);
}

#[test]
fn messages_and_batch_lines() {
    let messages = r#"[{"role":"system","content":"Be brief."},{"role":"user","content":[{"type":"text","text":"Hi"}]}]"#;
    let plain = cases(&format!(r#"{{"messages":{messages}}}"#));
    let batch = format!(
        r#"{{"custom_id":"case-1","method":"POST","url":"/v1","body":{{"model":"m","messages":{messages},"max_completion_tokens":5}}}}"#
    );
    let imported = import(&batch).expect("read");
    assert_eq!(imported.workload.source, Source::Cases(vec![Case { max_tokens: Some(5), ..plain[0].clone() }]));
    assert_eq!(plain[0].messages[0], Message::text(Role::System, "Be brief."));
    assert_eq!(plain[0].messages[1].content.text(), "Hi");
    let left_out = |name: &str| Note { kind: NoteKind::LeftOut(name.into()), lines: 1, first: 1 };
    assert_eq!(imported.notes, [left_out("body.model"), left_out("method"), left_out("url")]);
}

#[test]
fn output_lengths_go_by_several_names() {
    for name in ["max_tokens", "max_completion_tokens", "output_len", "expected_output_tokens"] {
        assert_eq!(cases(&format!(r#"{{"prompt":"a","{name}":9}}"#))[0].max_tokens, Some(9), "{name}");
    }
    let two = LineProblem::Two("max_tokens".into(), "output_len".into());
    assert_eq!(errors(r#"{"prompt":"a","max_tokens":9,"output_len":9}"#), [(1, two)]);
}

#[test]
fn recorded_exchanges_become_conversations() {
    let text = r#"{"id":"x","system":"S","check":{"contains":"c"},"conversations":[{"from":"human","value":"a"},{"from":"gpt","value":"A"},{"from":"human","value":"b"},{"from":"gpt","value":"B"}]}
{"conversations":[{"from":"system","value":"s"},{"from":"human","value":"c"},{"from":"gpt","value":"C"}]}"#;
    let imported = import(text).expect("read");
    assert_eq!(imported.notes, [Note { kind: NoteKind::RecordedAnswers, lines: 2, first: 1 }]);
    let found = cases(text);
    let turn = |index| Some(Turn { conversation: "x".into(), index });
    let got: Vec<_> = found.iter().map(|c| (c.id.as_str(), c.messages.len(), c.turn.clone(), c.check.is_some())).collect();
    assert_eq!(got, [("x/1", 2, turn(1), false), ("x/2", 1, turn(2), true), ("case-3", 2, None, false)]);
}

#[test]
fn turns_on_lines_of_their_own_are_put_together() {
    let text = r#"{"prompt":"b","conversation":"x","turn":1}
{"prompt":"alone"}
{"prompt":"a","conversation":"x","turn":0}
{"prompt":"c","conversation":9}
{"prompt":"d","conversation":9}"#;
    let found = cases(text);
    let got: Vec<_> = found.iter().map(|c| (c.messages[0].content.text(), c.turn.as_ref().map(|t| t.index))).collect();
    let want = [("a", Some(1)), ("b", Some(2)), ("alone", None), ("c", Some(1)), ("d", Some(2))];
    assert_eq!(got, want.map(|(text, turn)| (text.to_owned(), turn)));
}

#[test]
fn a_first_line_may_name_the_workload() {
    let imported = import("{\"workload\":\"chats\",\"version\":3}\n{\"prompt\":\"a\"}").expect("read");
    assert_eq!((imported.workload.name.as_str(), imported.workload.version.as_str()), ("chats", "3"));
}

#[test]
fn every_wrong_line_is_named() {
    let text = "{\"prompt\":\"a\"}\n{\"prompt\"\n\n[1]\n{\"text\":\"a\"}\n{\"prompt\":\"a\",\"messages\":[]}\n{\"prompt\":1}";
    let found = errors(text);
    assert!(matches!(found[0], (2, LineProblem::NotJson(_))));
    let two = LineProblem::Two("prompt".into(), "messages".into());
    let rest = [(4, LineProblem::NotObject), (5, LineProblem::NoQuestion), (6, two), (7, field("prompt", Wanted::Text))];
    assert_eq!(found[1..], rest);
    let said = import(text).expect_err("refused")[2].to_string();
    assert_eq!(said, "Line 5: nothing is asked. Give one of \"prompt\", \"messages\", \"body\", \"conversations\".");
}

#[test]
fn wrong_fields() {
    let check =
        |rest: &str, want: LineProblem| assert_eq!(errors(&format!("{{\"prompt\":\"a\",{rest}}}")), [(1, want)], "{rest}");
    check("\"max_tokens\":0", field("max_tokens", Wanted::Tokens));
    check("\"max_tokens\":\"8\"", field("max_tokens", Wanted::Tokens));
    check("\"class\":\"easy\"", field("class", Wanted::Class));
    check("\"held_out\":1", field("held_out", Wanted::Flag));
    check("\"tags\":[1]", field("tags", Wanted::Texts));
    check("\"id\":\"\"", field("id", Wanted::Name));
    check("\"turn\":1", field("conversation", Wanted::Name));
    check("\"conversation\":\"x\",\"turn\":-1", field("turn", Wanted::Count));
    let wrong = |line: &str, want: LineProblem| assert_eq!(errors(line), [(1, want)], "{line}");
    wrong(r#"{"messages":"a"}"#, field("messages", Wanted::Messages));
    wrong(r#"{"messages":[{"role":"tool","content":"a"}]}"#, field("messages[0].role", Wanted::Role));
    wrong(r#"{"messages":[{"role":"user","content":null}]}"#, field("messages[0].content", Wanted::Content));
    wrong(r#"{"messages":[{"role":"system","content":"a"}]}"#, LineProblem::Case(CaseProblem::NothingAsked));
    wrong(r#"{"body":{"body":{}}}"#, field("body.body", Wanted::Object));
    wrong(r#"{"conversations":[{"from":"robot","value":"a"}]}"#, field("conversations[0].from", Wanted::Role));
    wrong(r#"{"prompt":" "}"#, LineProblem::Case(CaseProblem::NothingAsked));
}

#[test]
fn what_only_several_lines_show() {
    let check = |text: &str, line: usize, want: LineProblem| assert_eq!(errors(text), [(line, want)], "{text}");
    let name = || "x".to_owned();
    check(
        "{\"prompt\":\"a\",\"id\":1}\n{\"prompt\":\"b\",\"id\":\"1\"}",
        2,
        LineProblem::Case(CaseProblem::DuplicateId("1".into())),
    );
    check(
        "{\"prompt\":\"a\",\"conversation\":\"x\",\"turn\":1}\n{\"prompt\":\"b\",\"conversation\":\"x\",\"turn\":3}",
        2,
        LineProblem::Case(CaseProblem::Turn { conversation: name(), expected: 2 }),
    );
    check(
        "{\"prompt\":\"a\",\"conversation\":\"x\",\"turn\":1}\n{\"prompt\":\"b\",\"conversation\":\"x\"}",
        2,
        LineProblem::NoTurn(name()),
    );
    check(
        "{\"prompt\":\"a\",\"conversation\":\"x\"}\n{\"prompt\":\"b\",\"conversation\":\"x\",\"held_out\":true}",
        2,
        LineProblem::Case(CaseProblem::HeldOutMixed(name())),
    );
    check(
        "\n{\"prompt\":\"a\",\"check\":{\"contain\":\"b\"}}",
        2,
        LineProblem::Case(CaseProblem::Check(crate::workload::check::CheckError::Unknown("contain".into()))),
    );
}

#[test]
fn limits() {
    assert_eq!(errors(""), [(1, LineProblem::Empty)]);
    assert_eq!(errors("\n \n"), [(1, LineProblem::Empty)]);
    let line = "{\"prompt\":\"a\"}\n";
    assert_eq!(cases(&line.repeat(MAX_CASES)).len(), MAX_CASES);
    assert_eq!(errors(&line.repeat(MAX_CASES + 1)), [(MAX_CASES + 1, LineProblem::TooMany)]);
    let long = format!("{line}{{\"prompt\":\"{}\"}}", "a".repeat(MAX_BYTES));
    assert_eq!(errors(&long), [(2, LineProblem::TooLarge)]);
}

/// What an imported file's lines may hold, and what they may not.
fn any_line() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec![
        "prompt",
        "messages",
        "body",
        "conversations",
        "system",
        "max_tokens",
        "output_len",
        "tags",
        "class",
        "group",
        "check",
        "held_out",
        "conversation",
        "turn",
        "id",
        "custom_id",
        "workload",
        "version",
        "other",
    ]);
    let value = prop::sample::select(vec![
        "null",
        "1",
        "2",
        "-1",
        "1e9",
        "true",
        "\"a\"",
        "\"\"",
        "\"hard\"",
        "[]",
        "{}",
        "{\"contains\":\"a\"}",
        "{\"prompt\":\"b\"}",
        "[{\"role\":\"user\",\"content\":\"a\"}]",
        "[{\"from\":\"human\",\"value\":\"a\"},{\"from\":\"gpt\",\"value\":\"b\"}]",
        "[{\"from\":\"gpt\",\"value\":\"b\"},{\"from\":\"user\",\"value\":\"a\"},{\"from\":\"gpt\",\"value\":\"\"},{\"from\":\"user\",\"value\":\"a\"}]",
    ]);
    let member = (name, value).prop_map(|(name, value)| format!("\"{name}\":{value}"));
    prop_oneof![
        8 => prop::collection::vec(member, 0..5).prop_map(|members| format!("{{{}}}", members.join(","))),
        3 => Just("{\"prompt\":\"a\"}".to_owned()),
        1 => any::<String>(),
    ]
}

proptest! {
    #[test]
    fn any_text_is_read_or_its_lines_are_named(lines in prop::collection::vec(any_line(), 0..6)) {
        let text = lines.join("\n");
        let count = text.split('\n').count();
        match import(&text) {
            Ok(imported) => {
                let resolved = imported.workload.resolve("");
                prop_assert!(resolved.is_ok(), "{:?}", resolved.err());
            }
            Err(errors) => {
                prop_assert!(!errors.is_empty());
                for error in errors {
                    prop_assert!((1..=count).contains(&error.line), "{error:?} of {count}");
                    let begin = format!("Line {}: ", error.line);
                    prop_assert!(error.to_string().starts_with(&begin));
                }
            }
        }
    }

    #[test]
    fn a_case_written_as_a_line_is_read_again(
        texts in prop::collection::vec("[ -~가-힣]{0,9}[a-z]", 1..5),
        max in prop::option::of(1u32..=1_000_000),
        held_out in any::<bool>(),
    ) {
        let lines: Vec<String> = texts.iter().map(|text| {
            json!({"held_out": held_out, "max_tokens": max, "messages": [{"content": text, "role": "user"}]}).to_string()
        }).collect();
        let found = cases(&lines.join("\r\n"));
        for (case, text) in found.iter().zip(&texts) {
            prop_assert_eq!(&case.messages[0].content, &Content::Text(text.clone()));
            prop_assert_eq!((case.max_tokens, case.held_out), (max, held_out));
        }
        prop_assert_eq!(found.len(), texts.len());
    }
}
