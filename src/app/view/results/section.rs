//! Parts of a result that core has put into words: sentences and tables.

use firstlight_core::sections::{Section, Table, Tone};
use leptos::prelude::*;

use crate::app::view::words::context;

/// One part.
pub fn section(part: Section) -> AnyView {
    let id = format!("{}-title", part.id);
    let tables = part.tables.into_iter().map(table).collect::<Vec<_>>();
    let line = (!part.context.is_empty()).then(|| context(part.context));
    view! {
        <section id=part.id class="part" aria-labelledby=id.clone()>
            <h2 id=id.clone()>{part.title}</h2>
            {part.sentences.into_iter().map(sentence).collect::<Vec<_>>()}
            {tables}
            {line}
        </section>
    }
    .into_any()
}

fn sentence((tone, text): (Tone, String)) -> AnyView {
    let (class, mark) = match tone {
        Tone::Plain => ("said", ""),
        Tone::Good => ("said strong", "● "),
        Tone::Warn => ("said strong warn", "▲ "),
    };
    view! { <p class=class><span aria-hidden="true">{mark}</span>{text}</p> }.into_any()
}

/// A table of core's.
pub fn table(table: Table) -> AnyView {
    let head: Vec<AnyView> = table.head.iter().map(|name| view! { <th scope="col">{name.clone()}</th> }.into_any()).collect();
    let caption = (!table.caption.is_empty()).then(|| view! { <caption>{table.caption}</caption> });
    let rows: Vec<AnyView> = table.rows.into_iter().map(|cells| row(cells, &table.head)).collect();
    view! { <div class="scroll" tabindex="0" role="group"><table class="part">{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div> }.into_any()
}

fn row(cells: Vec<String>, head: &[String]) -> AnyView {
    let mut cells = cells.into_iter().zip(head.iter().cloned());
    let name = cells.next().map(|(name, _)| view! { <th scope="row">{name}</th> });
    let cell = |(text, label): (String, String)| view! { <td data-label=label>{text}</td> }.into_any();
    view! { <tr>{name}{cells.map(cell).collect::<Vec<_>>()}</tr> }.into_any()
}
