//! Limits, stop rules, prices, and the decision that is written down before the run.

use firstlight_core::config::Field;
use firstlight_core::text::{Ui, fill};
use leptos::prelude::*;

use super::Setup;
use super::fold::Fold;
use crate::app::form::FAILS;

/// The fold.
pub fn decision(setup: Setup) -> AnyView {
    let form = setup.state.form.decision;
    let lines = |id, label, hint, field, value| setup.field(id, label, hint, field).text(value, 2);
    let words = |id, label, hint, value: RwSignal<String>| setup.control(id, label, hint).line(value, "text");
    let price = |id, label, value: RwSignal<String>| setup.field(id, label, Ui::PriceHint, Field::Prices).line(value, "text");
    let fails = setup.control("if-it-fails", Ui::IfItFails, Ui::IfItFailsHint).choice(
        &FAILS,
        move || form.if_it_fails.get(),
        move |code| form.if_it_fails.set(code),
    );
    let stated = move || {
        let lang = setup.state.lang.get();
        let typed = |text: RwSignal<String>| text.with(|t| t.lines().filter(|l| !l.trim().is_empty()).count());
        let counts = [typed(form.thresholds), typed(form.stop_rules), typed(form.criteria)];
        match counts {
            [0, 0, 0] => Ui::StatedNone.get(lang).to_owned(),
            _ => fill(Ui::DecisionStated.get(lang), &counts.map(|n| n.to_string()).each_ref().map(String::as_str)),
        }
    };
    let content = view! {
        {lines("thresholds", Ui::Thresholds, Ui::ThresholdsHint, Field::Thresholds, form.thresholds)}
        {lines("stop-rules", Ui::StopRules, Ui::StopRulesHint, Field::StopRules, form.stop_rules)}
        {price("price-input", Ui::PriceInput, form.price_input)}
        {price("price-output", Ui::PriceOutput, form.price_output)}
        {words("currency", Ui::Currency, Ui::CurrencyHint, form.currency)}
        {words("claim", Ui::Claim, Ui::ClaimHint, form.claim)}
        {lines("criteria", Ui::Criteria, Ui::CriteriaHint, Field::Criteria, form.criteria)}
        {words("owner", Ui::Owner, Ui::OwnerHint, form.owner)}
        {words("affected", Ui::Affected, Ui::AffectedHint, form.affected)}
        {words("falsified-by", Ui::Falsifier, Ui::FalsifierHint, form.falsified_by)}
        {fails}
    }
    .into_any();
    setup.fold(Fold::Decision, "decision", Ui::DecisionTitle, stated, content)
}
