//! What a person may change, and the button that starts.

use firstlight_core::text::{Lang, Ui};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement, ShadowRoot};

use crate::dom::{all, el, text};
use crate::setup::{Editable, Setup, Wrong};

const MODES: [(&str, Ui); 3] =
    [("streaming", Ui::QuestionFirst), ("non_streaming", Ui::QuestionWhole), ("both", Ui::QuestionBoth)];

/// The form. `fields` are those that this element has at all.
pub(crate) fn form(setup: &Setup, fields: &[Editable], start: &str, wrong: &Wrong) -> Element {
    let lang = setup.lang();
    let shown = fields.iter().filter(|field| setup.may_edit(**field));
    let fields = shown.map(|field| self::field(setup, *field, wrong.iter().any(|(of, _)| *of == field.code())));
    let fields = el("div", &[("class", "fields")], all(fields));
    let button = el("button", &[("type", "submit"), ("class", "primary"), ("part", "start")], vec![start.into()]);
    let attributes = [("part", "setup"), ("autocomplete", "off"), ("novalidate", "")];
    el("form", &attributes, vec![fields.into(), problems(wrong, lang).into(), button.into()])
}

fn field(setup: &Setup, field: Editable, wrong: bool) -> Element {
    let (lang, id) = (setup.lang(), field.code());
    let (label, hint) = field.words();
    let hint_id = format!("{id}-hint");
    let mut attributes = vec![("id", id), ("aria-describedby", hint_id.as_str()), ("part", "field")];
    attributes.extend(wrong.then_some(("aria-invalid", "true")));
    let value = setup.value(field);
    let control = match field {
        Editable::Mode => {
            let option = |(code, words): &(&str, Ui)| {
                let mut attributes = vec![("value", *code)];
                attributes.extend((*code == value).then_some(("selected", "")));
                el("option", &attributes, vec![words.get(lang).into()])
            };
            el("select", &attributes, all(MODES.iter().map(option)))
        }
        Editable::Prompt => {
            attributes.extend([("rows", "2"), ("spellcheck", "false")]);
            el("textarea", &attributes, vec![value.into()])
        }
        _ => {
            let kind = match field {
                Editable::Key => "password",
                Editable::Target => "url",
                _ => "text",
            };
            attributes.extend([("type", kind), ("autocomplete", "off"), ("spellcheck", "false")]);
            if matches!(field, Editable::Requests | Editable::Concurrency | Editable::Warmup) {
                attributes.push(("inputmode", "numeric"));
            }
            let input = el("input", &attributes, Vec::new());
            // Not as an attribute: what is typed there may be a key.
            input.unchecked_ref::<HtmlInputElement>().set_value(&value);
            input
        }
    };
    let wide = matches!(field, Editable::Target | Editable::Prompt | Editable::Mode);
    let label = el("label", &[("for", id)], vec![label.get(lang).into()]);
    let hint = el("p", &[("class", "hint"), ("id", &hint_id)], vec![hint.get(lang).into()]);
    el("div", &[("class", if wide { "field wide" } else { "field" })], vec![label.into(), control.into(), hint.into()])
}

/// What is wrong, said at once to who can't see it.
pub(crate) fn problems(wrong: &Wrong, lang: Lang) -> Element {
    let alert = el("div", &[("role", "alert"), ("part", "problems")], Vec::new());
    if !wrong.is_empty() {
        // Of the form's own fields: then nothing was sent.
        let own = wrong.iter().all(|(field, _)| !field.is_empty());
        let list = el("ul", &[], all(wrong.iter().map(|(_, words)| text("li", "", words))));
        let title = own.then(|| text("p", "", Ui::ProblemsTitle.get(lang)));
        for child in [title, Some(list)].into_iter().flatten() {
            let _ = alert.append_child(&child);
        }
    }
    alert
}

/// What stands in a field now; none where there is no such field.
pub(crate) fn typed(shadow: &ShadowRoot, field: Editable) -> Option<String> {
    let element = shadow.get_element_by_id(field.code())?;
    let element = match element.dyn_into::<HtmlInputElement>() {
        Ok(input) => return Some(input.value()),
        Err(other) => other,
    };
    match element.dyn_into::<HtmlTextAreaElement>() {
        Ok(area) => Some(area.value()),
        Err(other) => other.dyn_into::<HtmlSelectElement>().ok().map(|select| select.value()),
    }
}
