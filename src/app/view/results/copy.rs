//! Lines to copy.

use firstlight_core::text::Res;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::app::state::State;
use crate::browser::clipboard;

/// Text as it is, with a button that copies it.
pub fn copyable(state: State, text: String) -> AnyView {
    let word = RwSignal::new(Res::Copy);
    let shown = text.clone();
    let copy = move |_| {
        let text = text.clone();
        spawn_local(async move {
            word.set(if clipboard::write(&text).await { Res::Copied } else { Res::CopyFailed });
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
