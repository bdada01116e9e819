//! What is compared inside the run.

use firstlight_core::load::{Versus, What};
use firstlight_core::text::Ui;
use leptos::prelude::*;

use super::text;

/// What can be compared with.
pub const KINDS: [(&str, Ui); 3] = [("none", Ui::VersusNone), (ENDPOINT, Ui::VersusEndpoint), (CACHE, Ui::VersusCache)];
/// Another address or model.
pub const ENDPOINT: &str = "endpoint";
const CACHE: &str = "cache";

/// The fields. `Copy`.
#[derive(Clone, Copy)]
pub struct VersusForm {
    /// Which of [`KINDS`].
    pub kind: RwSignal<String>,
    /// The candidate's URL.
    pub url: RwSignal<String>,
    /// The candidate's model.
    pub model: RwSignal<String>,
    /// The candidate gets one request in so many.
    pub one_in: RwSignal<String>,
}

impl Default for VersusForm {
    fn default() -> VersusForm {
        VersusForm { kind: text(KINDS[0].0), url: text(""), model: text(""), one_in: text("2") }
    }
}

impl VersusForm {
    /// The comparison that is asked for. What is no number is as wrong as 0.
    pub fn read(&self) -> Option<Versus> {
        let one_in = self.one_in.get_untracked().trim().parse().unwrap_or(0);
        let what = match self.kind.get_untracked().as_str() {
            ENDPOINT => What::Endpoint {
                url: self.url.get_untracked().trim().to_owned(),
                model: self.model.get_untracked().trim().to_owned(),
            },
            CACHE => What::Cache,
            _ => return None,
        };
        Some(Versus { what, one_in })
    }

    /// Shows a comparison that came from elsewhere.
    pub fn show(&self, versus: Option<&Versus>) {
        let kind = match versus.map(|v| &v.what) {
            None => KINDS[0].0,
            Some(What::Endpoint { url, model }) => {
                self.url.set(url.clone());
                self.model.set(model.clone());
                ENDPOINT
            }
            Some(What::Cache) => CACHE,
        };
        self.kind.set(kind.to_owned());
        if let Some(versus) = versus {
            self.one_in.set(versus.one_in.to_string());
        }
    }
}
