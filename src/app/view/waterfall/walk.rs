//! One slow request read backwards.

use firstlight_core::Micros;
use firstlight_core::diagnosis::{Step, StepVerdict, Walk};
use firstlight_core::format::millis;
use firstlight_core::text::Dia;
use leptos::prelude::*;

use crate::app::view::results::Shown;
use crate::app::view::words::{quiet, subtitle};

/// The symptom, the stages back to what explains it, the result.
pub fn walk_back(shown: &Shown, walk: Walk) -> AnyView {
    let (lang, clock) = (shown.lang, shown.step);
    let ms = |time: Option<Micros>| time.map_or("–".to_owned(), |time| millis(time.0, clock));
    let row = |step: &Step| {
        let class = if step.verdict == StepVerdict::Explains { "explains" } else { "" };
        let cells = [step.value, step.median, step.excess].map(ms).map(|text| view! { <td>{text}</td> }.into_any());
        view! {
            <tr class=class data-stage=step.stage.code()>
                <th scope="row">{step.name.clone()}</th>
                {cells.into_iter().collect::<Vec<_>>()}
                <td class="words">{step.verdict.name(lang)}<small>{step.evidence.clone()}</small></td>
            </tr>
        }
        .into_any()
    };
    let rows: Vec<AnyView> = walk.steps.iter().map(row).collect();
    let heads = [Dia::ColStage, Dia::ColThis, Dia::ColMedian, Dia::ColExcess]
        .map(|key| view! { <th scope="col">{key.get(lang)}</th> }.into_any());
    let table = (!rows.is_empty()).then(|| {
        view! {
            <table class="plain walk">
                <thead><tr>{heads.into_iter().collect::<Vec<_>>()}<td></td></tr></thead>
                <tbody>{rows}</tbody>
            </table>
        }
    });
    let conclusion = (!walk.conclusion.is_empty()).then(|| view! { <p class="said strong">{walk.conclusion.clone()}</p> });
    view! {
        <div id="walk">
            {subtitle(Dia::WalkTitle.get(lang))}
            {quiet(walk.symptom)}
            {conclusion}
            {table}
        </div>
    }
    .into_any()
}
