//! Labelled controls of the form: a visible label, the control, and a hint that belongs to it.

use firstlight_core::config::Field;
use firstlight_core::text::Ui;
use leptos::prelude::*;

use super::words::ui;
use crate::app::state::State;

/// What a control needs to know besides its value.
#[derive(Clone, Copy)]
pub struct Control {
    /// The page's state.
    pub state: State,
    /// Fields that the last attempt found wrong.
    pub invalid: RwSignal<Vec<Field>>,
    /// Its id.
    pub id: &'static str,
    /// Its label.
    pub label: Ui,
    /// Its hint.
    pub hint: Ui,
    /// The field that it is, where it can be wrong.
    pub field: Option<Field>,
}

impl Control {
    fn hint_id(self) -> String {
        format!("{}-hint", self.id)
    }

    fn wrong(self) -> impl Fn() -> Option<&'static str> + Copy + Send + Sync + 'static {
        move || self.field.filter(|f| self.invalid.with(|wrong| wrong.contains(f))).map(|_| "true")
    }

    fn framed(self, class: &'static str, control: AnyView) -> AnyView {
        view! {
            <div class=class>
                <label for=self.id>{ui(self.state, self.label)}</label>
                {control}
                <p class="hint" id=self.hint_id()>{ui(self.state, self.hint)}</p>
            </div>
        }
        .into_any()
    }

    /// One line of text.
    pub fn line(self, value: RwSignal<String>, kind: &'static str) -> AnyView {
        self.input("field", value, kind, None)
    }

    /// A whole number.
    pub fn number(self, value: RwSignal<String>) -> AnyView {
        self.input("field number", value, "text", Some("numeric"))
    }

    fn input(self, class: &'static str, value: RwSignal<String>, kind: &'static str, mode: Option<&'static str>) -> AnyView {
        let control = view! {
            <input id=self.id type=kind inputmode=mode autocomplete="off" spellcheck="false" aria-describedby=self.hint_id()
                aria-invalid=self.wrong() prop:value=value on:input=move |e| value.set(event_target_value(&e)) />
        };
        self.framed(class, control.into_any())
    }

    /// Several lines of text.
    pub fn text(self, value: RwSignal<String>, rows: u32) -> AnyView {
        let control = view! {
            <textarea id=self.id rows=rows.to_string() spellcheck="false" aria-describedby=self.hint_id()
                aria-invalid=self.wrong() prop:value=value on:input=move |e| value.set(event_target_value(&e))></textarea>
        };
        self.framed("field wide", control.into_any())
    }

    /// Yes or no.
    pub fn check(self, value: RwSignal<bool>) -> AnyView {
        view! {
            <div class="field">
                <label class="check">
                    <input type="checkbox" id=self.id aria-describedby=self.hint_id() prop:checked=value
                        on:change=move |e| value.set(event_target_checked(&e)) />
                    <span>{ui(self.state, self.label)}</span>
                </label>
                <p class="hint" id=self.hint_id()>{ui(self.state, self.hint)}</p>
            </div>
        }
        .into_any()
    }

    /// One of several, each with its text.
    pub fn choice(
        self,
        options: &'static [(&'static str, Ui)],
        chosen: impl Fn() -> String + Copy + Send + Sync + 'static,
        choose: impl Fn(String) + 'static,
    ) -> AnyView {
        let state = self.state;
        let options = options.iter().map(|(value, text)| (*value, ui(state, *text).into_any())).collect();
        self.select(options, chosen, choose)
    }

    /// One of several that have names of their own, or none of them.
    pub fn named(
        self,
        none: Ui,
        names: impl Iterator<Item = (&'static str, &'static str)>,
        chosen: impl Fn() -> String + Copy + Send + Sync + 'static,
        choose: impl Fn(String) + 'static,
    ) -> AnyView {
        let none = std::iter::once(("", ui(self.state, none).into_any()));
        self.select(none.chain(names.map(|(value, name)| (value, name.into_any()))).collect(), chosen, choose)
    }

    fn select(
        self,
        options: Vec<(&'static str, AnyView)>,
        chosen: impl Fn() -> String + Copy + Send + Sync + 'static,
        choose: impl Fn(String) + 'static,
    ) -> AnyView {
        let option = move |(value, text): (&'static str, AnyView)| {
            view! { <option value=value prop:selected=move || chosen() == value>{text}</option> }
        };
        let control = view! {
            <select id=self.id aria-describedby=self.hint_id() aria-invalid=self.wrong() on:change=move |e| choose(event_target_value(&e))>
                {options.into_iter().map(option).collect_view()}
            </select>
        };
        self.framed("field", control.into_any())
    }
}
