//! Parts of the form that are folded, with what applies stated on the fold.

use firstlight_core::config::Field;
use firstlight_core::text::Ui;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::Setup;
use crate::app::view::words::ui;

/// A fold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fold {
    /// What is asked.
    Workload,
    /// What is compared inside the run.
    Versus,
    /// Limits and the decision.
    Decision,
    /// The rest.
    More,
}

impl Fold {
    /// The fold in which a field is; none if it is always in sight.
    pub fn of(field: Field) -> Option<Fold> {
        match field {
            Field::Url | Field::Key | Field::Prompt | Field::Requests | Field::Concurrency | Field::WarmUp => None,
            // Its line is in sight, its limits are not.
            Field::Load => Some(Fold::More),
            Field::Workload => Some(Fold::Workload),
            Field::Versus => Some(Fold::Versus),
            Field::Thresholds | Field::StopRules | Field::Criteria | Field::Prices => Some(Fold::Decision),
            _ => Some(Fold::More),
        }
    }
}

impl Setup {
    /// A fold with its content, which is there from the start so that it can be searched and linked.
    pub fn fold(
        self,
        fold: Fold,
        id: &'static str,
        name: Ui,
        stated: impl Fn() -> String + Send + 'static,
        content: AnyView,
    ) -> AnyView {
        let open = self.folds[fold as usize];
        let toggled = move |event: web_sys::Event| {
            let details = event.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
            open.set(details.is_some_and(|d| d.has_attribute("open")));
        };
        view! {
            <details class="fold" id=id prop:open=open on:toggle=toggled>
                <summary>
                    <span>{ui(self.state, name)}</span>
                    <span class="quiet">{stated}</span>
                </summary>
                <div class="fields">{content}</div>
            </details>
        }
        .into_any()
    }

    /// Opens the folds in which something is wrong.
    pub fn unfold(self, fields: &[Field]) {
        fields.iter().filter_map(|f| Fold::of(*f)).for_each(|fold| self.folds[fold as usize].set(true));
    }
}
