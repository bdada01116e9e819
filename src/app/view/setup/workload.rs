//! What is asked, beyond one prompt; and what it is compared with.

use firstlight_core::config::Field;
use firstlight_core::text::{Lang, Ui};
use leptos::prelude::*;
use web_sys::Event;

use super::Setup;
use super::fold::Fold;
use crate::app::form::{CACHES, CASES, ENDPOINT, GENERATED, VERSUS, WORKLOADS};
use crate::app::view::words::ui;
use crate::browser::file;

/// The workload's fold.
pub fn workload(setup: Setup) -> AnyView {
    let form = setup.state.form.workload;
    let chosen = Memo::new(move |_| form.kind.get());
    let kind = setup.field("workload-kind", Ui::WorkloadKind, Ui::WorkloadKindHint, Field::Workload).choice(
        &WORKLOADS,
        move || form.kind.get(),
        move |code| form.kind.set(code),
    );
    let details = move || match chosen.get().as_str() {
        CASES => cases(setup),
        GENERATED => generated(setup),
        _ => ().into_any(),
    };
    let cache = setup.control("cache", Ui::CacheModeLabel, Ui::CacheModeHint).choice(
        &CACHES,
        move || form.cache.get(),
        move |code| form.cache.set(code),
    );
    let confirmation = setup.control("confirmation", Ui::Confirmation, Ui::ConfirmationHint).check(form.confirmation);
    let stated = move || {
        let lang = setup.state.lang.get();
        format!("{} · {}", name_of(&WORKLOADS, &form.kind.get(), lang), name_of(&CACHES, &form.cache.get(), lang))
    };
    let content = view! { {kind}{cache}{details}{confirmation} }.into_any();
    setup.fold(Fold::Workload, "workload", Ui::WorkloadTitle, stated, content)
}

/// A choice in words.
fn name_of(options: &[(&str, Ui)], chosen: &str, lang: Lang) -> &'static str {
    options.iter().find(|(code, _)| *code == chosen).map_or("", |(_, ui)| ui.get(lang))
}

fn cases(setup: Setup) -> AnyView {
    let form = setup.state.form.workload;
    let lines = setup.field("workload-lines", Ui::WorkloadLines, Ui::WorkloadLinesHint, Field::Workload).text(form.lines, 5);
    let read = move |event: Event| file::chosen(&event, move |text| form.lines.set(text));
    view! {
        <div class="field">
            <label for="workload-file">{ui(setup.state, Ui::WorkloadFile)}</label>
            <input id="workload-file" type="file" accept=".jsonl,.ndjson,.json,application/jsonl" on:change=read />
        </div>
        {lines}
    }
    .into_any()
}

fn generated(setup: Setup) -> AnyView {
    let form = setup.state.form.workload;
    let field = |id, label, hint| setup.field(id, label, hint, Field::Workload);
    view! {
        {field("generated-cases", Ui::GeneratedCases, Ui::GeneratedCasesHint).number(form.cases)}
        {field("generated-input", Ui::GeneratedInput, Ui::LengthsHint).line(form.input, "text")}
        {field("generated-output", Ui::GeneratedOutput, Ui::GeneratedOutputHint).line(form.output, "text")}
        {field("generated-prefix", Ui::GeneratedPrefix, Ui::GeneratedPrefixHint).number(form.prefix)}
    }
    .into_any()
}

/// The fold of the comparison inside the run.
pub fn versus(setup: Setup) -> AnyView {
    let form = setup.state.form.versus;
    let chosen = Memo::new(move |_| form.kind.get());
    let kind = setup.field("versus", Ui::VersusKind, Ui::VersusKindHint, Field::Versus).choice(
        &VERSUS,
        move || form.kind.get(),
        move |code| form.kind.set(code),
    );
    let endpoint = move || {
        (chosen.get() == ENDPOINT).then(|| {
            let url = setup.field("versus-url", Ui::VersusUrl, Ui::VersusUrlHint, Field::Versus).line(form.url, "url");
            let model = setup.control("versus-model", Ui::VersusModel, Ui::VersusModelHint).line(form.model, "text");
            view! { {url}{model} }
        })
    };
    let share = move || {
        let share = setup.field("versus-share", Ui::VersusShare, Ui::VersusShareHint, Field::Versus);
        (chosen.get() != VERSUS[0].0).then(|| share.number(form.one_in))
    };
    let stated = move || name_of(&VERSUS, &form.kind.get(), setup.state.lang.get()).to_owned();
    let content = view! { {kind}{endpoint}{share} }.into_any();
    setup.fold(Fold::Versus, "versus-fold", Ui::VersusTitle, stated, content)
}
