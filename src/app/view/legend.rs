//! What the three colours and the hatch mean.

use firstlight_core::summary::Role;
use firstlight_core::text::Lang;
use leptos::prelude::*;

/// The legend, one swatch a role; that of the way only where clocks are joined.
pub fn legend(lang: Lang, joined: bool) -> AnyView {
    let item = |role: Role| view! { <li>{swatch(role)}{role.name(lang)}</li> };
    let roles = Role::ALL.into_iter().filter(|role| *role != Role::Way || joined);
    view! { <ul class="legend">{roles.map(item).collect_view()}</ul> }.into_any()
}

/// A small field in the colour of a role.
pub fn swatch(role: Role) -> AnyView {
    view! {
        <svg class="swatch" width="12" height="12" aria-hidden="true">
            <rect width="12" height="12" class=role.code() />
        </svg>
    }
    .into_any()
}

/// The hatch of what is unattributed; once a page, used by `fill: url(#hatch)`.
pub fn hatch() -> AnyView {
    view! {
        <svg class="definitions" width="0" height="0" aria-hidden="true" focusable="false">
            <defs>
                <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                    <rect width="6" height="6" class="hatch-ground" />
                    <rect width="2" height="6" class="hatch-line" />
                </pattern>
            </defs>
        </svg>
    }
    .into_any()
}
