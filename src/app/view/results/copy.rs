//! Lines to copy.

use firstlight_core::text::Res;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen_futures::JsFuture;

use crate::app::state::State;

/// Text as it is, with a button that copies it.
pub fn copyable(state: State, text: String) -> AnyView {
    let word = RwSignal::new(Res::Copy);
    let shown = text.clone();
    let copy = move |_| {
        let text = text.clone();
        spawn_local(async move {
            let copied = JsFuture::from(window().navigator().clipboard().write_text(&text)).await;
            word.set(if copied.is_ok() { Res::Copied } else { Res::CopyFailed });
        });
    };
    view! {
        <div class="copy">
            <pre tabindex="0">{shown}</pre>
            <button type="button" on:click=copy><span role="status">{move || word.get().get(state.lang.get())}</span></button>
        </div>
    }
    .into_any()
}
