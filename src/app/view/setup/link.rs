//! The link to the set-up: what came of the one that was opened, and a way to copy the present one.

use firstlight_core::text::{LinkText, fill, link_error, problem};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::{Setup, start};
use crate::app::link::{Opened, link};
use crate::app::state::State;
use crate::app::view::words::quiet;
use crate::browser::{address, clipboard};

/// What came of the link by which the page was opened.
pub fn opened(state: State) -> AnyView {
    let words = move || {
        let lang = state.lang.get();
        let (warn, mut words) = match state.links.opened.get()? {
            Err(why) => (true, link_error(lang, &why)),
            Ok(Opened { not_taken, left_out }) => {
                let more = [(LinkText::NotTaken, &not_taken), (LinkText::Missing, &left_out)];
                let more = more.map(|(key, names)| named(state, key, names)).concat();
                (!more.is_empty(), LinkText::Opened.get(lang).to_owned() + &more)
            }
        };
        if warn {
            words.insert_str(0, "▲ ");
        }
        Some(view! { <p class="notice" class:warn-edge=warn>{words}</p> })
    };
    view! { <div id="link-opened" role="status">{words}</div> }.into_any()
}

/// A sentence about names, behind others; nothing of no names.
fn named(state: State, key: LinkText, names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!(" {}", fill(key.get(state.lang.get()), &[&names.join(", ")])) }
}

/// The button that copies it.
pub fn button(setup: Setup) -> AnyView {
    let state = setup.state;
    let word = move || LinkText::Copy.get(state.lang.get());
    view! { <button type="button" id="copy-link" on:click=move |_| copy(setup)>{word}</button> }.into_any()
}

/// The link that was asked for last, with what is to be known of it.
pub fn made(state: State) -> AnyView {
    let words = move || {
        state.links.made.get().map(|(made, copied)| {
            let lang = state.lang.get();
            let first = copied.map_or("", |copied| if copied { LinkText::Copied } else { LinkText::ByHand }.get(lang));
            quiet(format!("{first} {}{}", LinkText::Holds.get(lang), named(state, LinkText::LeftOut, &made.left_out)))
        })
    };
    let link = move || {
        state.links.made.get().map(|(made, _)| {
            view! { <pre id="link" tabindex="0">{address::with_fragment(&made.fragment)}</pre> }
        })
    };
    view! { <div id="link-made"><div role="status">{words}</div>{link}</div> }.into_any()
}

/// Nothing is copied of a set-up that could not be run: its problems are said as when it is started.
fn copy(setup: Setup) {
    let state = setup.state;
    state.links.typed();
    match start::read(setup) {
        Err(wrong) => {
            let lang = state.lang.get_untracked();
            state.problems.set(wrong.iter().map(|p| problem(lang, p)).collect());
        }
        Ok((config, secrets)) => {
            state.problems.set(Vec::new());
            let made = link(state.form, &config, &secrets);
            let address = address::with_fragment(&made.fragment);
            // A browser may ask first.
            state.links.made.set(Some((made, None)));
            spawn_local(async move {
                let written = clipboard::write(&address).await;
                state.links.made.update(|made| {
                    if let Some((_, copied)) = made {
                        *copied = Some(written);
                    }
                });
            });
        }
    }
}
