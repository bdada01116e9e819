//! What the race page knows, as signals; what is typed there, and the link to it.

use std::sync::Arc;

use firstlight_core::Micros;
use firstlight_core::config::{Field, RunConfig, Secrets, check_url, recipe};
use firstlight_core::link::{LinkError, MAX_LINK};
use firstlight_core::load::{Versus, What};
use firstlight_core::mark::Absence;
use firstlight_core::race::{self, Lane, MAX_PAIRS, MIN_PAIRS, Margin, RaceSetup, Target};
use firstlight_core::report::Run;
use firstlight_core::text::{Rac, fill, problem};
use firstlight_core::trace::Mode;
use leptos::prelude::*;

use super::form::PRESETS;
use super::state::State;
use crate::browser::environment;

/// What a run is that the race page started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Every lane at the same moment.
    Lanes,
    /// Pairs, one request at a time.
    Pairs,
}

/// How far a lane's answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Nothing came.
    Waiting,
    /// It is coming.
    Answering,
    /// It is over.
    Over,
}

/// A lane's clock while the race runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// When the page was told that it runs: for the eye; no figure comes from it.
    pub begun: Micros,
    /// How far it is.
    pub stage: Stage,
}

/// The race page's state. `Copy`.
#[derive(Clone, Copy)]
pub struct Race {
    /// Pairs of the verdict, as typed.
    pub pairs: RwSignal<String>,
    /// The margin, as typed.
    pub margin: RwSignal<String>,
    /// There is a second endpoint; its fields are those of the form's comparison.
    pub second: RwSignal<bool>,
    /// Fields that the last attempt found wrong.
    pub invalid: RwSignal<Vec<Field>>,
    /// What the last run is.
    pub doing: RwSignal<Option<Doing>>,
    /// The lanes that are shown.
    pub lanes: RwSignal<Vec<Lane>>,
    /// How many races there were: each has fresh lanes.
    pub begun: RwSignal<u32>,
    /// Their clocks by place: how far, and whole seconds. Changes at most once a second, in idle time.
    pub live: RwSignal<Vec<Option<(Stage, i64)>>>,
    /// The last race.
    pub run: RwSignal<Option<Arc<Run>>>,
    /// What the browser said of the press that began it; none without a person's own press.
    pub pressed: RwSignal<Option<[Result<Micros, Absence>; 2]>>,
    /// The runs in pairs, one an endpoint.
    pub verdicts: RwSignal<Vec<Arc<Run>>>,
    /// The margin that was stated before them.
    pub judged_by: RwSignal<Margin>,
    /// Why the link by which the page was opened was refused.
    pub link_wrong: RwSignal<Option<LinkError>>,
}

impl Default for Race {
    fn default() -> Race {
        let lane = |id: u32, mode: Mode| Lane { mode, arm: 0, id };
        Race {
            pairs: RwSignal::new("20".to_owned()),
            margin: RwSignal::new(Margin::default().to_string()),
            second: RwSignal::new(false),
            invalid: RwSignal::default(),
            doing: RwSignal::new(None),
            lanes: RwSignal::new(vec![lane(0, Mode::Streaming), lane(1, Mode::NonStreaming)]),
            begun: RwSignal::new(0),
            live: RwSignal::default(),
            run: RwSignal::new(None),
            pressed: RwSignal::new(None),
            verdicts: RwSignal::default(),
            judged_by: RwSignal::new(Margin::default()),
            link_wrong: RwSignal::new(None),
        }
    }
}

/// What is typed, once it is sound.
pub struct Asked {
    /// Target and prompt; what is compared with, if there is a second endpoint.
    pub config: RunConfig,
    /// Key and headers.
    pub secrets: Secrets,
    /// Pairs.
    pub pairs: u32,
    /// The margin.
    pub margin: Margin,
    /// The fragment of the page's address that asks the same, unless it is too long.
    pub link: Option<String>,
}

/// What is wrong with it.
pub struct Wrong {
    /// Fields, to be marked.
    pub fields: Vec<Field>,
    /// In words.
    pub words: Vec<String>,
}

/// Fields of the form that a race uses: what the others hold is no matter of its.
const USED: [Field; 12] = [
    Field::Url,
    Field::Headers,
    Field::Key,
    Field::KeyHeader,
    Field::Body,
    Field::Prompt,
    Field::Timeout,
    Field::MaxTokens,
    Field::Format,
    Field::TextPointer,
    Field::ItemsPointer,
    Field::Spans,
];

/// What is typed, or everything that is wrong with it.
pub fn read(state: State, page_url: &str, seed: u64) -> Result<Asked, Wrong> {
    let (lang, race, form) = (state.lang.get_untracked(), state.race, state.form);
    let (gathered, secrets, problems) = form.gather(seed);
    let of_second = race.second.get_untracked().then(|| second(state));
    let what = of_second.clone().map(|(url, model)| What::Endpoint { url, model });
    let config = RunConfig { versus: what.map(|what| Versus { what, one_in: 2 }), ..gathered };
    let mut problems: Vec<_> = problems.into_iter().filter(|p| USED.contains(&p.field())).collect();
    let first = race::in_pairs(&config, MIN_PAIRS, 0).problems(&secrets, page_url);
    problems.extend(first.into_iter().filter(|p| USED.contains(&p.field())));
    let mut words: Vec<String> = problems.iter().map(|p| problem(lang, p)).collect();
    let mut fields: Vec<Field> = problems.iter().map(|p| p.field()).collect();
    if let Some(wrong) = of_second.as_ref().and_then(|(url, _)| check_url(url, page_url).err()) {
        words.push(fill(Rac::ProblemSecond.get(lang), &[&problem(lang, &wrong)]));
        fields.push(Field::Versus);
    }
    let (pairs, margin) = (pairs(race), race.margin.get_untracked().parse::<Margin>().ok());
    let mut wanted = |found: bool, key: Rac, field: Field| {
        if !found {
            words.push(key.get(lang).to_owned());
            fields.push(field);
        }
    };
    wanted(pairs.is_some(), Rac::ProblemPairs, Field::Requests);
    wanted(margin.is_some(), Rac::ProblemMargin, Field::Thresholds);
    match (pairs, margin) {
        (Some(pairs), Some(margin)) if words.is_empty() => {
            let link = link(state).ok();
            Ok(Asked { config, secrets, pairs, margin, link })
        }
        _ => Err(Wrong { fields, words }),
    }
}

fn pairs(race: Race) -> Option<u32> {
    race.pairs.get().trim().parse().ok().filter(|n| (MIN_PAIRS..=MAX_PAIRS).contains(n))
}

fn second(state: State) -> (String, String) {
    let versus = state.form.versus;
    (versus.url.get().trim().to_owned(), versus.model.get().trim().to_owned())
}

/// The fragment that asks the same; follows what is typed. Else why there is none.
pub fn link(state: State) -> Result<String, Rac> {
    let (race, form) = (state.race, state.form);
    let (Some(pairs), Ok(margin)) = (pairs(race), race.margin.get().parse()) else { return Err(Rac::LinkWrong) };
    let built_in = form.built_in.get();
    let target = match built_in {
        true => Target::BuiltIn(form.preset.get()),
        false => Target::Own { url: form.url.get(), recipe: form.recipe.get() },
    };
    let model = if built_in { String::new() } else { form.model.get().trim().to_owned() };
    let fragment = RaceSetup {
        target,
        model,
        second: race.second.get().then(|| second(state)),
        prompt: form.prompt.get(),
        max_tokens: form.max_tokens.get().trim().parse().ok(),
        pairs,
        margin,
    }
    .to_fragment();
    // Not a link that this page would refuse.
    match RaceSetup::from_fragment(&fragment, &environment::page_url()) {
        Ok(_) if fragment.len() <= MAX_LINK => Ok(fragment),
        Ok(_) => Err(Rac::LinkLong),
        Err(_) => Err(Rac::LinkWrong),
    }
}

/// Fills in what the fragment of a link asks for, or says why it does not.
pub fn open(state: State, fragment: &str) {
    let race = state.race;
    state.problems.set(Vec::new());
    race.invalid.set(Vec::new());
    let setup = RaceSetup::from_fragment(fragment, &environment::page_url()).and_then(|setup| match setup {
        // Only this page knows which presets there are.
        Some(RaceSetup { target: Target::BuiltIn(name), .. }) if !PRESETS.iter().any(|(code, _)| *code == name) => {
            Err(LinkError::Value("preset"))
        }
        setup => Ok(setup),
    });
    race.link_wrong.set(setup.as_ref().err().cloned());
    if let Ok(Some(setup)) = setup {
        show(state, setup);
    }
}

/// Fills in what a link asks for; key and headers stay as they are, unless its recipe brings some.
fn show(state: State, setup: RaceSetup) {
    let (race, form) = (state.race, state.form);
    match setup.target {
        Target::BuiltIn(preset) => {
            form.built_in.set(true);
            form.preset.set(preset);
        }
        Target::Own { url, recipe: code } => {
            form.built_in.set(false);
            if let Some(recipe) = recipe(&code) {
                form.take(recipe);
            }
            form.url.set(url);
        }
    }
    form.model.set(setup.model);
    form.prompt.set(setup.prompt);
    form.max_tokens.set(setup.max_tokens.map(|n| n.to_string()).unwrap_or_default());
    race.second.set(setup.second.is_some());
    if let Some((url, model)) = setup.second {
        form.versus.url.set(url);
        form.versus.model.set(model);
    }
    race.pairs.set(setup.pairs.to_string());
    race.margin.set(setup.margin.to_string());
}
