//! What does one line of a JSONL file ask? The shapes that other tools write, told apart by their fields.

use serde_json::{Map, Value};

use super::{Line, LineProblem, NoteKind, Wanted};
use crate::workload::{Case, Class, Content, MAX_OUTPUT, Message, Role};

/// The fields that ask something.
const QUESTIONS: [&str; 4] = ["prompt", "messages", "body", "conversations"];
/// The names of the output limit.
const LIMITS: [&str; 5] = ["max_tokens", "max_completion_tokens", "max_output_tokens", "output_len", "expected_output_tokens"];

/// Reads a line.
pub(super) fn read(text: &str) -> Result<Line, LineProblem> {
    let value: Value = serde_json::from_str(text).map_err(|e| LineProblem::NotJson(e.to_string()))?;
    let Value::Object(map) = value else { return Err(LineProblem::NotObject) };
    let mut fields = Fields { map, path: "" };
    if QUESTIONS.iter().all(|name| !fields.map.contains_key(*name)) && fields.map.contains_key("workload") {
        let head = (fields.name("workload")?.unwrap_or_default(), fields.name("version")?.unwrap_or_default());
        return Ok(Line { head: Some(head), notes: fields.rest(), ..Line::default() });
    }
    let mut notes = Vec::new();
    let id = fields.one_of(&["id", "custom_id"], Fields::name)?.unwrap_or_default();
    let limit = fields.one_of(&LIMITS, Fields::tokens)?;
    let tags = fields.texts("tags")?;
    let class = fields.class()?;
    let group = fields.one_of(&["group", "user_group"], Fields::name)?;
    let conversation = fields.name("conversation")?;
    let turn = fields.count("turn")?;
    let check = fields.take("check");
    let held_out = fields.flag("held_out")?.unwrap_or(false);

    let (turns, inner_limit) = question(&mut fields, &mut notes)?;
    if limit.is_some() && inner_limit.is_some() {
        return Err(LineProblem::Two("max_tokens".to_owned(), "body.max_tokens".to_owned()));
    }
    if turns.len() > 1 && conversation.is_some() {
        return Err(LineProblem::Two("conversations".to_owned(), "conversation".to_owned()));
    }
    if turn.is_some() && conversation.is_none() {
        return Err(LineProblem::Field { field: "conversation".to_owned(), wanted: Wanted::Name });
    }
    notes.extend(fields.rest());
    let case = Case { id, max_tokens: limit.or(inner_limit), tags, class, group, held_out, ..Case::default() };
    let mut cases: Vec<Case> = turns.into_iter().map(|messages| Case { messages, ..case.clone() }).collect();
    // Of several turns, the check is of the last answer.
    if let Some(last) = cases.last_mut() {
        last.check = check;
    }
    Ok(Line { cases, conversation: conversation.map(|name| (name, turn)), head: None, notes })
}

/// The messages of each turn, and the output limit beside them.
type Question = (Vec<Vec<Message>>, Option<u32>);

fn question(fields: &mut Fields, notes: &mut Vec<NoteKind>) -> Result<Question, LineProblem> {
    let system = fields.text("system")?;
    let present: Vec<&str> = QUESTIONS.into_iter().filter(|name| fields.map.get(*name).is_some_and(|v| !v.is_null())).collect();
    let one = match present[..] {
        [] => return Err(LineProblem::NoQuestion),
        [one] => one,
        [one, other, ..] => return Err(LineProblem::Two(format!("{}{one}", fields.path), format!("{}{other}", fields.path))),
    };
    let value = fields.take(one).unwrap_or_default();
    let wrong = |wanted| LineProblem::Field { field: format!("{}{one}", fields.path), wanted };
    let mut limit = None;
    let mut turns = match (one, value) {
        ("prompt", Value::String(text)) => vec![vec![Message::text(Role::User, text)]],
        ("prompt", _) => return Err(wrong(Wanted::Text)),
        ("messages", Value::Array(list)) => {
            let path = format!("{}messages", fields.path);
            let messages = list.into_iter().enumerate().map(|(at, value)| message(value, &format!("{path}[{at}]"), notes));
            let messages: Vec<Message> = messages.collect::<Result<_, _>>()?;
            if messages.last().is_some_and(|m| m.role == Role::Assistant) {
                notes.push(NoteKind::EndsWithAnswer);
            }
            vec![messages]
        }
        ("messages", _) => return Err(wrong(Wanted::Messages)),
        ("conversations", Value::Array(list)) => exchange(list, notes)?,
        ("conversations", _) => return Err(wrong(Wanted::Exchange)),
        // Inside a body there is no other body.
        ("body", Value::Object(map)) if fields.path.is_empty() => {
            let mut body = Fields { map, path: "body." };
            limit = body.one_of(&LIMITS, Fields::tokens)?;
            let (turns, _) = question(&mut body, notes)?;
            notes.extend(body.rest());
            turns
        }
        _ => return Err(wrong(Wanted::Object)),
    };
    if let (Some(text), Some(first)) = (system, turns.first_mut()) {
        first.insert(0, Message::text(Role::System, text));
    }
    Ok((turns, limit))
}

fn message(value: Value, path: &str, notes: &mut Vec<NoteKind>) -> Result<Message, LineProblem> {
    let Value::Object(mut map) = value else {
        return Err(LineProblem::Field { field: path.to_owned(), wanted: Wanted::Object });
    };
    let role = match map.remove("role").as_ref().and_then(Value::as_str) {
        Some("system") => Role::System,
        Some("developer") => Role::Developer,
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        _ => return Err(LineProblem::Field { field: format!("{path}.role"), wanted: Wanted::Role }),
    };
    let content = content(map.remove("content"))
        .ok_or_else(|| LineProblem::Field { field: format!("{path}.content"), wanted: Wanted::Content })?;
    notes.extend(map.keys().map(|name| NoteKind::LeftOut(format!("messages.{name}"))));
    Ok(Message { role, content })
}

fn content(value: Option<Value>) -> Option<Content> {
    match value? {
        Value::String(text) => Some(Content::Text(text)),
        Value::Array(parts) => parts
            .into_iter()
            .map(|part| match part {
                Value::Object(map) => Some(map),
                _ => None,
            })
            .collect::<Option<_>>()
            .map(Content::Parts),
        _ => None,
    }
}

/// The turns of a recorded exchange: what stands before each recorded answer. The answers themselves are not sent.
fn exchange(list: Vec<Value>, notes: &mut Vec<NoteKind>) -> Result<Vec<Vec<Message>>, LineProblem> {
    let mut turns: Vec<Vec<Message>> = vec![Vec::new()];
    for (at, value) in list.into_iter().enumerate() {
        let path = format!("conversations[{at}]");
        let Value::Object(mut map) = value else { return Err(LineProblem::Field { field: path, wanted: Wanted::Object }) };
        let from = map.remove("from").or_else(|| map.remove("role"));
        let value = map.remove("value").or_else(|| map.remove("content"));
        let content = content(value).ok_or(LineProblem::Field { field: format!("{path}.value"), wanted: Wanted::Content })?;
        notes.extend(map.keys().map(|name| NoteKind::LeftOut(format!("conversations.{name}"))));
        let role = match from.as_ref().and_then(Value::as_str) {
            Some("human" | "user") => Role::User,
            Some("gpt" | "assistant" | "chatgpt" | "bard" | "bing" | "model") => {
                notes.push(NoteKind::RecordedAnswers);
                turns.push(Vec::new());
                continue;
            }
            Some("system") => Role::System,
            _ => return Err(LineProblem::Field { field: format!("{path}.from"), wanted: Wanted::Role }),
        };
        if let Some(turn) = turns.last_mut() {
            turn.push(Message { role, content });
        }
    }
    // Between two answers in a row, and behind the last, nothing is asked.
    turns.retain(|turn| !turn.is_empty());
    if turns.is_empty() { Err(LineProblem::NoQuestion) } else { Ok(turns) }
}

/// The fields of an object that were not read yet; null is as good as absent.
struct Fields {
    map: Map<String, Value>,
    path: &'static str,
}

impl Fields {
    fn take(&mut self, name: &str) -> Option<Value> {
        self.map.remove(name).filter(|v| !v.is_null())
    }

    fn wrong<T>(&self, name: &str, wanted: Wanted) -> Result<T, LineProblem> {
        Err(LineProblem::Field { field: format!("{}{name}", self.path), wanted })
    }

    fn text(&mut self, name: &str) -> Result<Option<String>, LineProblem> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => self.wrong(name, Wanted::Text),
        }
    }

    fn name(&mut self, name: &str) -> Result<Option<String>, LineProblem> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) if !text.trim().is_empty() => Ok(Some(text)),
            Some(Value::Number(n)) if !n.is_f64() => Ok(Some(n.to_string())),
            Some(_) => self.wrong(name, Wanted::Name),
        }
    }

    fn tokens(&mut self, name: &str) -> Result<Option<u32>, LineProblem> {
        let Some(value) = self.take(name) else { return Ok(None) };
        match value.as_u64().and_then(|n| u32::try_from(n).ok()).filter(|n| (1..=MAX_OUTPUT).contains(n)) {
            Some(n) => Ok(Some(n)),
            None => self.wrong(name, Wanted::Tokens),
        }
    }

    fn count(&mut self, name: &str) -> Result<Option<u32>, LineProblem> {
        let Some(value) = self.take(name) else { return Ok(None) };
        match value.as_u64().and_then(|n| u32::try_from(n).ok()) {
            Some(n) => Ok(Some(n)),
            None => self.wrong(name, Wanted::Count),
        }
    }

    fn flag(&mut self, name: &str) -> Result<Option<bool>, LineProblem> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(flag)),
            Some(_) => self.wrong(name, Wanted::Flag),
        }
    }

    fn texts(&mut self, name: &str) -> Result<Vec<String>, LineProblem> {
        let list = match self.take(name) {
            None => return Ok(Vec::new()),
            Some(Value::Array(list)) => list,
            Some(one) => vec![one],
        };
        let texts = list.iter().map(|v| v.as_str().map(str::to_owned)).collect::<Option<_>>();
        texts.map_or_else(|| self.wrong(name, Wanted::Texts), Ok)
    }

    fn class(&mut self) -> Result<Class, LineProblem> {
        match self.take("class") {
            None => Ok(Class::Normal),
            Some(value) => match Class::ALL.into_iter().find(|class| value.as_str() == Some(class.code())) {
                Some(class) => Ok(class),
                None => self.wrong("class", Wanted::Class),
            },
        }
    }

    /// The one of several names that is there.
    fn one_of<T>(
        &mut self,
        names: &[&str],
        read: fn(&mut Fields, &str) -> Result<Option<T>, LineProblem>,
    ) -> Result<Option<T>, LineProblem> {
        let mut found: Option<(&str, T)> = None;
        for name in names {
            if let Some(value) = read(self, name)? {
                if let Some((other, _)) = &found {
                    return Err(LineProblem::Two(format!("{}{other}", self.path), format!("{}{name}", self.path)));
                }
                found = Some((name, value));
            }
        }
        Ok(found.map(|(_, value)| value))
    }

    /// What was not read, as notes.
    fn rest(self) -> Vec<NoteKind> {
        self.map.keys().map(|name| NoteKind::LeftOut(format!("{}{name}", self.path))).collect()
    }
}
