//! Predictions beside what was measured, each with its context under it.

use firstlight_core::lesson::{Answer, FindingLine};
use firstlight_core::text::{Lang, Les};
use leptos::prelude::*;

/// The table.
pub fn table(lines: Vec<FindingLine>, lang: Lang) -> AnyView {
    let heads = [Les::ColFigure, Les::ColPredicted, Les::ColMeasured, Les::ColAnswer].map(|key| key.get(lang));
    let columns: Vec<AnyView> = heads.into_iter().map(|name| view! { <th scope="col">{name}</th> }.into_any()).collect();
    let rows: Vec<AnyView> = lines.into_iter().map(|line| row(line, heads)).collect();
    view! { <table class="part predictions"><thead><tr>{columns}</tr></thead><tbody>{rows}</tbody></table> }.into_any()
}

fn row(line: FindingLine, heads: [&'static str; 4]) -> AnyView {
    let code = line.answer.map(|(answer, _)| answer.code());
    let (mark, class) = match line.answer {
        Some((Answer::Holds, _)) => ("● ", ""),
        Some((Answer::Fails, _)) => ("▲ ", "warn"),
        Some((Answer::Open(_), _)) => ("○ ", "quiet"),
        None => ("", ""),
    };
    let word = line.answer.map_or("–", |(_, word)| word);
    let context = (!line.context.is_empty())
        .then(|| view! { <tr class="under"><td class="context" colspan="4">{line.context}</td></tr> });
    view! {
        <tr data-answer=code>
            <th scope="row">{line.name}</th>
            <td data-label=heads[1]>{line.predicted}{small(line.counts)}</td>
            <td data-label=heads[2]>{line.measured}{small(line.spread)}</td>
            <td data-label=heads[3]><span class=class><span aria-hidden="true">{mark}</span>{word}</span>{small(line.why)}</td>
        </tr>
        {context}
    }
    .into_any()
}

fn small(text: String) -> AnyView {
    (!text.is_empty()).then(|| view! { <small class="quiet">{text}</small> }).into_any()
}
