//! The sentences that a person can repeat.

use firstlight_core::format::count;
use firstlight_core::summary::{Headline, context_line, environment_line, headline};
use firstlight_core::text::{Res, fill};
use leptos::prelude::*;

use super::{Shown, all_failed};
use crate::app::view::words::{context, with_figure};

/// What happened, in words; then each mode's sentences with their context.
pub fn headline_section(shown: &Shown) -> AnyView {
    let Shown { run, summary, lang, .. } = shown;
    let lang = *lang;
    let measured = summary.measured();
    let planned = run.config.requests * run.config.modes().len() as u32;
    let finished = summary.outcomes.iter().filter(|(_, o, _)| o.ended() || o.is_failure()).map(|(_, _, n)| n).sum::<u32>();
    let stopped = run.stopped.then(|| {
        let why = if run.page_ended { Res::PageEnded } else { Res::Stopped };
        let text = fill(why.get(lang), &[&count(finished as usize), &count(planned as usize)]);
        view! { <p class="notice">"■ "{text}</p> }
    });
    let sentences = match all_failed(shown) {
        true => {
            let text = fill(Res::AllFailed.get(lang), &[&count(measured as usize)]);
            let line = context_line(run, lang, None, "", "");
            view! { <p class="seen-line"><span class="warn" aria-hidden="true">"▲ "</span>{text}</p>{context(line)} }.into_any()
        }
        false => headline(run, summary, lang).into_iter().map(sentence).collect_view().into_any(),
    };
    view! {
        <section id="headline">
            {stopped}
            <div class="sentences">{sentences}</div>
            {context(environment_line(run, lang))}
        </section>
    }
    .into_any()
}

fn sentence(line: Headline) -> AnyView {
    let against = line.figure.is_some().then(|| {
        let figure = line.outside.map(|figure| ("outside", figure));
        view! { <p class="against">{with_figure(line.against_server, figure)}</p> }
    });
    let figure = line.figure.map(|(role, figure)| (role.code(), figure));
    view! {
        <div class="sentence" data-mode=line.mode.code()>
            <p class="seen-line">{with_figure(line.seen, figure)}</p>
            {against}
            {context(line.context)}
        </div>
    }
    .into_any()
}
