//! The run in the formats of others: what is chosen is written when somebody saves it.

use firstlight_core::export::{Format, Options, series_names};
use firstlight_core::text::{Exp, format_name};
use leptos::prelude::*;

use super::Shown;
use crate::app::view::words::quiet;
use crate::browser::file;

/// The menu.
pub fn menu(shown: &Shown) -> AnyView {
    let lang = shown.lang;
    let format = RwSignal::new(Format::ALL[0]);
    let names = series_names(&shown.summary);
    let series = RwSignal::new(names.first().cloned());
    let failed = RwSignal::new(false);
    let of_format = |of: Format| view! { <option value=of.code()>{format_name(lang, of)}</option> }.into_any();
    let of_series = |name: String| view! { <option value=name.clone()>{name.clone()}</option> }.into_any();
    let pick = move |event| {
        if let Some(chosen) = Format::from_code(&event_target_value(&event)) {
            format.set(chosen);
        }
    };
    let save = {
        let shown = shown.clone();
        move |_| {
            let (format, series) = (format.get_untracked(), series.get_untracked());
            let options = Options { lang, series: series.as_deref() };
            let text = format.write(&shown.run, options);
            failed.set(text.is_err());
            if let Ok(text) = text {
                let name = shown.state.file_name.with_untracked(|run| format.file_name(run, options));
                file::download(&name, &text, format.media_type());
            }
        }
    };
    view! {
        <details id="export">
            <summary>{Exp::Menu.get(lang)}</summary>
            <div class="choices">
                <label for="export-format">{Exp::FormatLabel.get(lang)}</label>
                <select id="export-format" on:change=pick>{Format::ALL.into_iter().map(of_format).collect::<Vec<_>>()}</select>
                <label for="export-series" hidden=move || !format.get().has_series()>{Exp::Series.get(lang)}</label>
                <select id="export-series" hidden=move || !format.get().has_series()
                    on:change=move |event| series.set(Some(event_target_value(&event)))>
                    {names.into_iter().map(of_series).collect::<Vec<_>>()}
                </select>
                <button type="button" id="export-save" on:click=save>{Exp::Save.get(lang)}</button>
                <span role="status">{move || failed.get().then(|| Exp::NoSamples.get(lang))}</span>
            </div>
            {quiet(Exp::Hint.get(lang).to_owned())}
        </details>
    }
    .into_any()
}
