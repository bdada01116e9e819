//! A chart as a file of its own.

use std::sync::Arc;

use firstlight_core::chart::{Figure, svg};
use firstlight_core::text::Cht;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::app::view::results::Shown;
use crate::browser::file;

/// Two buttons.
pub fn buttons(shown: &Shown, figure: &Arc<Figure>) -> AnyView {
    let lang = shown.lang;
    let name =
        |ending: &str| format!("{}-{}.{ending}", shown.state.file_name.get_untracked().trim_end_matches(".json"), figure.id);
    let failed = RwSignal::new(false);
    let as_svg = {
        let (figure, name) = (Arc::clone(figure), name("svg"));
        move |_| file::download(&name, &svg::document(&figure), "image/svg+xml")
    };
    let as_png = {
        let (figure, name) = (Arc::clone(figure), name("png"));
        move |_| {
            let (figure, name) = (Arc::clone(&figure), name.clone());
            spawn_local(async move {
                failed.set(file::download_picture(&name, &svg::document(&figure)).await.is_none());
            });
        }
    };
    let label = |kind: &str| format!("{}: {kind}", figure.title);
    view! {
        <div class="buttons small">
            <button type="button" on:click=as_svg aria-label=label("SVG")>"SVG"</button>
            <button type="button" on:click=as_png aria-label=label("PNG")>"PNG"</button>
            <span role="status">{move || failed.get().then(|| Cht::NoPicture.get(lang))}</span>
        </div>
    }
    .into_any()
}
