//! What explains the waits: found with evidence and advice, the rest folded.

use firstlight_core::diagnosis::{Finding, Verdict, diagnose};
use firstlight_core::format::count;
use firstlight_core::summary::context_line;
use firstlight_core::text::{Dia, fill};
use leptos::prelude::*;

use super::Shown;
use crate::app::view::charts::Selection;
use crate::app::view::words::{context, quiet};

/// The section; nothing of a run without measured requests.
pub fn diagnosis(shown: &Shown) -> AnyView {
    let lang = shown.lang;
    if shown.summary.measured() == 0 {
        return ().into_any();
    }
    let findings = diagnose(&shown.run, &shown.summary, lang);
    let of = |verdict: Verdict| findings.iter().filter(move |f| f.verdict == verdict);
    let found: Vec<AnyView> = of(Verdict::Found).map(|finding| card(shown, finding)).collect();
    let none = found.is_empty().then(|| quiet(Dia::NoneFound.get(lang).to_owned()));
    let folded = |verdict, title: Dia| {
        let lines: Vec<AnyView> = of(verdict).map(line).collect();
        (!lines.is_empty()).then(|| {
            let title = fill(title.get(lang), &[&count(lines.len())]);
            view! { <details><summary>{title}</summary><dl class="findings">{lines}</dl></details> }
        })
    };
    view! {
        <section id="diagnosis" class="part" aria-labelledby="diagnosis-title">
            <h2 id="diagnosis-title">{Dia::Title.get(lang)}</h2>
            {none}
            <ul class="found">{found}</ul>
            {folded(Verdict::CantTell, Dia::Unclear)}
            {folded(Verdict::NotFound, Dia::Absent)}
            {context(context_line(&shown.run, lang, None, "", ""))}
        </section>
    }
    .into_any()
}

fn card(shown: &Shown, finding: &Finding) -> AnyView {
    let selection = Selection::new(shown.state.chosen);
    let requests = finding.requests.clone();
    let mark = (!requests.is_empty()).then(|| {
        let text = fill(Dia::SelectRequests.get(shown.lang), &[&count(requests.len())]);
        view! { <button type="button" on:click=move |_| selection.set(requests.clone())>{text}</button> }
    });
    view! {
        <li data-rule=finding.rule.code()>
            <h3><span aria-hidden="true" class="warn">"▲ "</span>{finding.title.clone()}</h3>
            <p>{finding.evidence.clone()}</p>
            <p class="advice">{finding.advice.clone()}</p>
            <div class="buttons small">{mark}</div>
        </li>
    }
    .into_any()
}

fn line(finding: &Finding) -> AnyView {
    view! { <div data-rule=finding.rule.code()><dt>{finding.title.clone()}</dt><dd>{finding.evidence.clone()}</dd></div> }
        .into_any()
}
