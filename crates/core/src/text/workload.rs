//! Texts of workloads: what they are called in a context line, what is wrong with a file, why an answer is not right.

use super::catalogue::messages;
use super::{Lang, fill};
use crate::format::count;
use crate::workload::check::{CheckError, CheckFailure, SchemaProblem};
use crate::workload::{
    CaseProblem, Class, GeneratorField, ImportError, LineProblem, MAX_BYTES, MAX_CASES, MAX_OUTPUT, Note, NoteKind, Wanted,
    WorkloadProblem,
};

messages! {
    /// Texts of workloads.
    Work {
        Workload: "Workload", "워크로드";
        Typed: "typed prompt", "입력한 프롬프트";
        Cases: "{0} cases", "케이스 {0}개";
        Case: "1 case", "케이스 1개";
        Imported: "imported", "가져옴";
        Named: "“{0}”", "‘{0}’";
        NamedVersion: "“{0}” {1}", "‘{0}’ {1}";
        HeldOut: "{0} of them held out", "그중 {0}개는 확인용";
        ConfirmationRun: "confirmation run: only what is held out", "확인 실행: 확인용 케이스만";
        Hash: "hash {0}", "해시 {0}";
        Generated: "generated from seed {0}", "시드 {0}에서 생성";
        Input: "input {0} tokens (~, one common English word or full stop ≈ 1 token)", "입력 {0} 토큰(~, 흔한 영어 단어나 마침표 하나 ≈ 1 토큰)";
        Output: "output limit {0} tokens", "출력 한도 {0} 토큰";
        SharedPrefix: "~{0} tokens in front the same in all", "앞의 ~{0} 토큰은 모두 같음";
        Uniform: "uniform {0}–{1}", "균등 {0}–{1}";
        Normal: "normal, mean {0}, sd {1}, kept in {2}–{3}", "정규, 평균 {0}, 표준편차 {1}, {2}–{3}로 제한";
        LogNormal: "log-normal, median {0}, p95 {1}, kept in {2}–{3}", "로그 정규, 중앙값 {0}, p95 {1}, {2}–{3}로 제한";
        CacheAsIs: "prefix cache as is", "접두사 캐시 그대로";
        CacheBust: "prefix cache bust: a nonce of its own in front of each request", "접두사 캐시 회피: 요청마다 다른 난수를 앞에 둠";
        CacheReuse: "prefix cache reuse: one nonce of the run in front of each request", "접두사 캐시 재사용: 실행의 같은 난수를 요청마다 앞에 둠";
        ClassNormal: "normal", "보통";
        ClassHard: "hard", "어려움";
        ClassAdversarial: "adversarial", "적대적";

        ProblemNoCases: "The workload holds no case. Add one, or use the typed prompt.", "워크로드에 케이스가 없습니다. 하나를 넣거나 입력한 프롬프트를 쓰세요.";
        ProblemTooMany: "The workload holds more than {0} cases. Split it into several.", "워크로드의 케이스가 {0}개를 넘습니다. 여럿으로 나누세요.";
        ProblemCase: "Case {0}: {1}", "케이스 {0}: {1}";
        ProblemGenerator: "{0} must be from {1} to {2}, the smallest not over the largest.", "{0}의 범위는 {1}~{2}이고, 최솟값이 최댓값보다 클 수 없습니다.";
        ProblemNothingHeldOut: "A confirmation run sends only cases that are held out, and none is. Mark some with \"held_out\": true, or run normally.", "확인 실행은 확인용 케이스만 보내는데, 하나도 없습니다. 몇 개에 \"held_out\": true를 넣거나 일반 실행을 하세요.";
        ProblemAllHeldOut: "All cases are held out, so a normal run has none. Start a confirmation run, or take \"held_out\" from some.", "모든 케이스가 확인용이라 일반 실행에 보낼 것이 없습니다. 확인 실행을 시작하거나 몇 개에서 \"held_out\"을 빼세요.";
        ProblemNeedsMessages: "Case {0} has several messages, and the body carries one prompt only. Put \"{messages}\" where the body has its list of messages.", "케이스 {0}에는 메시지가 여럿인데 본문에는 프롬프트 하나만 들어갑니다. 본문의 메시지 목록 자리에 \"{messages}\"를 쓰세요.";
        FieldCases: "The number of cases", "케이스 수";
        FieldInput: "Each length of the input", "입력의 각 길이";
        FieldOutput: "Each length of the output", "출력의 각 길이";
        FieldP95: "The 95th percentile", "95번째 백분위수";
        FieldSharedPrefix: "The shared prefix", "공통 접두사";
        FieldHeldOut: "The number of cases held out", "확인용 케이스 수";

        CaseNothingAsked: "no message of the user says anything. Give \"prompt\", or \"messages\" with one of role \"user\".", "사용자의 메시지에 내용이 없습니다. \"prompt\"를 쓰거나 \"messages\"에 역할 \"user\"인 메시지를 넣으세요.";
        CaseMaxTokens: "the output limit must be from 1 to {0}.", "출력 한도는 1~{0}이어야 합니다.";
        CaseDuplicateId: "the id “{0}” is used twice. Give each case an id of its own, or none.", "ID ‘{0}’가 두 번 쓰였습니다. 케이스마다 다른 ID를 쓰거나 비워 두세요.";
        CaseCheck: "check: {0}", "check: {0}";
        CaseTurn: "turn {1} of the conversation “{0}” should come here. Number its turns 1, 2, 3, … without a gap, each once.", "여기에는 대화 ‘{0}’의 {1}번째 차례가 와야 합니다. 차례를 1, 2, 3, …처럼 빠짐없이 한 번씩 매기세요.";
        CaseApart: "the conversation “{0}” is there twice. Give each conversation a name of its own.", "대화 ‘{0}’가 두 번 있습니다. 대화마다 다른 이름을 쓰세요.";
        CaseHeldOutMixed: "some turns of the conversation “{0}” are held out and others are not. Hold out all of them or none.", "대화 ‘{0}’의 일부 차례만 확인용입니다. 모두 확인용으로 하거나 모두 빼세요.";

        Line: "Line {0}: {1}", "{0}번째 줄: {1}";
        LineNotJson: "not JSON ({0}). Put one whole JSON object on each line.", "JSON이 아닙니다({0}). 줄마다 완전한 JSON 객체 하나를 쓰세요.";
        LineNotObject: "JSON, but not an object. Put one JSON object on each line, without a list around them.", "JSON이지만 객체가 아닙니다. 목록으로 묶지 말고 줄마다 JSON 객체 하나를 쓰세요.";
        LineNoQuestion: "nothing is asked. Give one of \"prompt\", \"messages\", \"body\", \"conversations\".", "묻는 내용이 없습니다. \"prompt\", \"messages\", \"body\", \"conversations\" 중 하나를 쓰세요.";
        LineTwo: "both \"{0}\" and \"{1}\" are given. Keep one of them.", "\"{0}\"와 \"{1}\"가 함께 있습니다. 하나만 남기세요.";
        LineField: "\"{0}\" must be {1}.", "\"{0}\"의 값: {1}이어야 합니다.";
        LineNoTurn: "other lines of the conversation “{0}” have a \"turn\" and this one has none. Number all of them or none.", "대화 ‘{0}’의 다른 줄에는 \"turn\"이 있는데 이 줄에는 없습니다. 모두 매기거나 모두 빼세요.";
        LineTooLarge: "the file is larger than {0} bytes, reached here. Split it into several.", "파일이 여기서 {0}바이트를 넘습니다. 여럿으로 나누세요.";
        LineTooMany: "there are more than {0} cases, reached here. Split the file into several.", "여기서 케이스가 {0}개를 넘습니다. 파일을 여럿으로 나누세요.";
        LineEmpty: "the file holds no case. Put one JSON object on each line, such as {\"prompt\": \"Hello\"}.", "파일에 케이스가 없습니다. {\"prompt\": \"안녕\"}처럼 줄마다 JSON 객체 하나를 쓰세요.";
        WantedText: "a text", "텍스트";
        WantedName: "a text that is not empty, or a whole number", "비어 있지 않은 텍스트나 정수";
        WantedTokens: "a whole number from 1 to {0}", "1~{0}의 정수";
        WantedCount: "a whole number, 0 or more", "0 이상의 정수";
        WantedFlag: "true or false", "true 또는 false";
        WantedTexts: "a text or a list of texts", "텍스트나 텍스트 목록";
        WantedObject: "an object", "객체";
        WantedMessages: "a list of objects with \"role\" and \"content\"", "\"role\"과 \"content\"가 있는 객체의 목록";
        WantedExchange: "a list of objects with \"from\" and \"value\"", "\"from\"과 \"value\"가 있는 객체의 목록";
        WantedRole: "system, developer, user or assistant (in \"conversations\": system, human or gpt)", "system, developer, user, assistant 중 하나(\"conversations\"에서는 system, human, gpt)";
        WantedContent: "a text or a list of parts", "텍스트나 부분의 목록";
        WantedClass: "normal, hard or adversarial", "normal, hard, adversarial 중 하나";
        NoteLeftOut: "\"{0}\" was left out ({1} lines, first line {2})", "\"{0}\"는 뺐습니다({1}줄, 첫 줄은 {2})";
        NoteRecorded: "recorded answers were left out: a later turn is sent the real ones ({0} lines, first line {1})", "기록된 응답은 뺐습니다. 뒤 차례에는 실제 응답을 보냅니다({0}줄, 첫 줄은 {1})";
        NoteEndsWithAnswer: "the messages end with the assistant’s own and are sent so ({0} lines, first line {1})", "메시지가 assistant의 것으로 끝나며 그대로 보냅니다({0}줄, 첫 줄은 {1})";

        CheckNotObject: "must be an object, or a list of objects that must all hold.", "객체이거나, 모두 만족해야 하는 객체의 목록이어야 합니다.";
        CheckNotOne: "give exactly one of contains, equals, pattern, schema; or pointer with equals or exists.", "contains, equals, pattern, schema 중 정확히 하나를 쓰거나, pointer를 equals 또는 exists와 함께 쓰세요.";
        CheckUnknown: "there is no \"{0}\" in this check. Correct its spelling or take it out.", "이 검사에는 \"{0}\"가 없습니다. 철자를 고치거나 빼세요.";
        CheckField: "\"{0}\" holds a value of the wrong type.", "\"{0}\"의 값 형식이 잘못되었습니다.";
        CheckPattern: "the pattern can’t be read: {0}", "패턴을 읽을 수 없습니다: {0}";
        CheckPointer: "“{0}” is not a JSON pointer: it begins with /, or is empty for the whole.", "‘{0}’는 JSON 포인터가 아닙니다. /로 시작하거나, 전체이면 비어 있어야 합니다.";
        CheckSchema: "schema, at “{0}”: {1}", "스키마 ‘{0}’: {1}";
        SchemaNotSchema: "a schema is an object, true or false.", "스키마는 객체, true, false 중 하나입니다.";
        SchemaKeyword: "the keyword \"{0}\" is not checked here, so it is refused. Take it out, or use another.", "키워드 \"{0}\"는 여기서 검사하지 않으므로 받지 않습니다. 빼거나 다른 것을 쓰세요.";
        SchemaValue: "the value of \"{0}\" is not what this keyword takes here.", "\"{0}\"의 값이 이 키워드가 여기서 받는 값이 아닙니다.";
        SchemaDepth: "nested too deeply.", "너무 깊게 중첩되었습니다.";

        FailContains: "doesn’t contain “{0}”", "‘{0}’가 들어 있지 않음";
        FailEquals: "is “{1}” and not “{0}”", "‘{0}’가 아니라 ‘{1}’임";
        FailPattern: "the pattern “{0}” is not found in it", "패턴 ‘{0}’가 없음";
        FailNotJson: "is not JSON ({0})", "JSON이 아님({0})";
        FailSchema: "breaks the schema at “{0}”: {1} {2}", "‘{0}’에서 스키마에 어긋남: {1} {2}";
        FailMissing: "has nothing at “{0}”", "‘{0}’에 아무것도 없음";
        FailPresent: "has something at “{0}”", "‘{0}’에 값이 있음";
        FailDiffers: "has {2} at “{0}” and not {1}", "‘{0}’의 값이 {1}이 아니라 {2}임";
    }
}

/// The name of a class.
pub fn class_name(lang: Lang, class: Class) -> &'static str {
    match class {
        Class::Normal => Work::ClassNormal,
        Class::Hard => Work::ClassHard,
        Class::Adversarial => Work::ClassAdversarial,
    }
    .get(lang)
}

/// What is wrong with a workload and what to do.
pub fn workload_problem(lang: Lang, problem: &WorkloadProblem) -> String {
    let say = |key: Work, values: &[&str]| fill(key.get(lang), values);
    match problem {
        WorkloadProblem::NoCases => say(Work::ProblemNoCases, &[]),
        WorkloadProblem::TooManyCases => say(Work::ProblemTooMany, &[&count(MAX_CASES)]),
        WorkloadProblem::Case { number, problem } => {
            say(Work::ProblemCase, &[&number.to_string(), &case_problem(lang, problem)])
        }
        WorkloadProblem::Generator { field, min, max } => {
            let field = match field {
                GeneratorField::Cases => Work::FieldCases,
                GeneratorField::Input => Work::FieldInput,
                GeneratorField::Output => Work::FieldOutput,
                GeneratorField::P95 => Work::FieldP95,
                GeneratorField::SharedPrefix => Work::FieldSharedPrefix,
                GeneratorField::HeldOut => Work::FieldHeldOut,
            };
            say(Work::ProblemGenerator, &[field.get(lang), &count(*min as usize), &count(*max as usize)])
        }
        WorkloadProblem::NothingHeldOut => say(Work::ProblemNothingHeldOut, &[]),
        WorkloadProblem::AllHeldOut => say(Work::ProblemAllHeldOut, &[]),
        WorkloadProblem::NeedsMessages { number } => say(Work::ProblemNeedsMessages, &[&number.to_string()]),
    }
}

/// What is wrong with a case and what to do.
pub fn case_problem(lang: Lang, problem: &CaseProblem) -> String {
    let say = |key: Work, values: &[&str]| fill(key.get(lang), values);
    match problem {
        CaseProblem::NothingAsked => say(Work::CaseNothingAsked, &[]),
        CaseProblem::MaxTokens => say(Work::CaseMaxTokens, &[&count(MAX_OUTPUT as usize)]),
        CaseProblem::DuplicateId(id) => say(Work::CaseDuplicateId, &[id]),
        CaseProblem::Check(error) => say(Work::CaseCheck, &[&check_error(lang, error)]),
        CaseProblem::Turn { conversation, expected } => say(Work::CaseTurn, &[conversation, &expected.to_string()]),
        CaseProblem::Apart(conversation) => say(Work::CaseApart, &[conversation]),
        CaseProblem::HeldOutMixed(conversation) => say(Work::CaseHeldOutMixed, &[conversation]),
    }
}

/// Which line can't be read, why, and what to do.
pub fn import_error(lang: Lang, error: &ImportError) -> String {
    let say = |key: Work, values: &[&str]| fill(key.get(lang), values);
    let why = match &error.problem {
        LineProblem::NotJson(error) => say(Work::LineNotJson, &[error]),
        LineProblem::NotObject => say(Work::LineNotObject, &[]),
        LineProblem::NoQuestion => say(Work::LineNoQuestion, &[]),
        LineProblem::Two(one, other) => say(Work::LineTwo, &[one, other]),
        LineProblem::Field { field, wanted } => say(Work::LineField, &[field, &wanted_text(lang, *wanted)]),
        LineProblem::NoTurn(conversation) => say(Work::LineNoTurn, &[conversation]),
        LineProblem::Case(problem) => case_problem(lang, problem),
        LineProblem::TooLarge => say(Work::LineTooLarge, &[&count(MAX_BYTES)]),
        LineProblem::TooMany => say(Work::LineTooMany, &[&count(MAX_CASES)]),
        LineProblem::Empty => say(Work::LineEmpty, &[]),
    };
    say(Work::Line, &[&count(error.line), &why])
}

fn wanted_text(lang: Lang, wanted: Wanted) -> String {
    let key = match wanted {
        Wanted::Text => Work::WantedText,
        Wanted::Name => Work::WantedName,
        Wanted::Tokens => Work::WantedTokens,
        Wanted::Count => Work::WantedCount,
        Wanted::Flag => Work::WantedFlag,
        Wanted::Texts => Work::WantedTexts,
        Wanted::Object => Work::WantedObject,
        Wanted::Messages => Work::WantedMessages,
        Wanted::Exchange => Work::WantedExchange,
        Wanted::Role => Work::WantedRole,
        Wanted::Content => Work::WantedContent,
        Wanted::Class => Work::WantedClass,
    };
    fill(key.get(lang), &[&count(MAX_OUTPUT as usize)])
}

/// What an import left out.
pub fn import_note(lang: Lang, note: &Note) -> String {
    let (lines, first) = (count(note.lines), count(note.first));
    match &note.kind {
        NoteKind::LeftOut(field) => fill(Work::NoteLeftOut.get(lang), &[field, &lines, &first]),
        NoteKind::RecordedAnswers => fill(Work::NoteRecorded.get(lang), &[&lines, &first]),
        NoteKind::EndsWithAnswer => fill(Work::NoteEndsWithAnswer.get(lang), &[&lines, &first]),
    }
}

/// Why a check can't be read and what to do.
pub fn check_error(lang: Lang, error: &CheckError) -> String {
    let say = |key: Work, values: &[&str]| fill(key.get(lang), values);
    match error {
        CheckError::NotObject => say(Work::CheckNotObject, &[]),
        CheckError::NotOne => say(Work::CheckNotOne, &[]),
        CheckError::Unknown(name) => say(Work::CheckUnknown, &[name]),
        CheckError::Field(name) => say(Work::CheckField, &[name]),
        CheckError::Pattern(error) => say(Work::CheckPattern, &[error]),
        CheckError::Pointer(pointer) => say(Work::CheckPointer, &[pointer]),
        CheckError::Schema { at, problem } => {
            let why = match problem {
                SchemaProblem::NotSchema => say(Work::SchemaNotSchema, &[]),
                SchemaProblem::Keyword(name) => say(Work::SchemaKeyword, &[name]),
                SchemaProblem::Value(name) => say(Work::SchemaValue, &[name]),
                SchemaProblem::Pattern(error) => say(Work::CheckPattern, &[error]),
                SchemaProblem::Depth => say(Work::SchemaDepth, &[]),
            };
            say(Work::CheckSchema, &[at, &why])
        }
    }
}

/// Why an answer is not right: goes on from “The answer …”.
pub fn check_failure(lang: Lang, failure: &CheckFailure) -> String {
    let say = |key: Work, values: &[&str]| fill(key.get(lang), values);
    match failure {
        CheckFailure::Contains(text) => say(Work::FailContains, &[text]),
        CheckFailure::Equals { wanted, found } => say(Work::FailEquals, &[wanted, found]),
        CheckFailure::Pattern(pattern) => say(Work::FailPattern, &[pattern]),
        CheckFailure::NotJson(error) => say(Work::FailNotJson, &[error]),
        CheckFailure::Schema { at, keyword, wanted } => say(Work::FailSchema, &[at, keyword, wanted]),
        CheckFailure::Missing(pointer) => say(Work::FailMissing, &[pointer]),
        CheckFailure::Present(pointer) => say(Work::FailPresent, &[pointer]),
        CheckFailure::Differs { pointer, wanted, found } => say(Work::FailDiffers, &[pointer, wanted, found]),
    }
}
