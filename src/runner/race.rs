//! A race: every lane at the same moment, then pairs for a verdict. Both are ordinary runs.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use firstlight_core::Micros;
use firstlight_core::config::{RunConfig, Secrets};
use firstlight_core::race;
use leptos::prelude::*;

use super::begin::{self, Beside};
use super::hand::is_hidden;
use super::message::Output;
use crate::app::race::{Asked, Clock, Doing, Stage, read};
use crate::app::state::{Phase, State};
use crate::browser::interaction::Press;
use crate::browser::{address, clock, environment};

/// Starts every lane at once. `press` is the time stamp of the person's own event, if it was one.
pub fn race(state: State, press: Option<f64>) {
    let Some(asked) = asked(state) else { return };
    let press = press.map(|at_ms| Rc::new(Press::watch(at_ms)));
    let config = race::at_once(&asked.config);
    let lanes = race::lanes(&config);
    let beside = Beside { places: Some(2 * lanes.len() as u32), press: press.clone(), passing: true };
    state.race.live.set(Vec::new());
    state.race.run.set(None);
    state.race.lanes.set(lanes);
    state.race.begun.update(|begun| *begun += 1);
    state.race.doing.set(Some(Doing::Lanes));
    let before = state.phase.get_untracked();
    begin::start(state, config, asked.secrets, beside, move |run| {
        state.race.pressed.set(press.map(|press| press.found()));
        state.race.run.set(Some(Arc::clone(run)));
        state.phase.set(before);
    });
}

/// Measures pairs for a verdict, one endpoint after the other.
pub fn pairs(state: State) {
    let Some(asked) = asked(state) else { return };
    state.race.verdicts.set(Vec::new());
    // Stated before anything is measured; what is typed later is for the next verdict.
    state.race.judged_by.set(asked.margin);
    state.race.doing.set(Some(Doing::Pairs));
    let before = state.phase.get_untracked();
    pairs_of(state, asked.config, asked.secrets, asked.pairs, 0, before);
}

fn pairs_of(state: State, config: RunConfig, secrets: Secrets, pairs: u32, arm: u8, before: Phase) {
    let of_arm = race::in_pairs(&config, pairs, arm);
    begin::start(state, of_arm, secrets.clone(), Beside::default(), move |run| {
        state.race.verdicts.update(|verdicts| verdicts.push(Arc::clone(run)));
        state.phase.set(before);
        if !run.stopped && race::arms(&config).contains(&(arm + 1)) {
            pairs_of(state, config, secrets, pairs, arm + 1, before);
        }
    });
}

/// What the race page asks for, unless something is wrong with it or a run is under way.
fn asked(state: State) -> Option<Asked> {
    if state.phase.get_untracked() == Phase::Running {
        return None;
    }
    match read(state, &environment::page_url(), environment::seed()) {
        Err(wrong) => {
            state.race.invalid.set(wrong.fields);
            state.problems.set(wrong.words);
            None
        }
        Ok(_) if is_hidden(state) => None,
        Ok(asked) => {
            state.race.invalid.set(Vec::new());
            state.race.link_wrong.set(None);
            if let Some(link) = &asked.link {
                address::replace(link);
            }
            Some(asked)
        }
    }
}

/// What each place shows of its request so far.
#[derive(Default)]
pub(super) struct Clocks(RefCell<Vec<Option<(u32, Clock)>>>);

impl Clocks {
    /// Takes what the other half tells.
    pub fn note(&self, output: &Output) {
        let mut places = self.0.borrow_mut();
        match output {
            Output::Open(place, id) => {
                let place = *place as usize;
                if places.len() <= place {
                    places.resize(place + 1, None);
                }
                places[place] = Some((*id, Clock { begun: clock::now(), stage: Stage::Waiting }));
            }
            Output::Show(id, _) => to(&mut places, *id, Stage::Answering),
            Output::Close(id) => to(&mut places, *id, Stage::Over),
            _ => {}
        }
    }

    /// What they show now, by place; to the nearest second, as they are asked about once a second.
    pub fn read(&self, now: Micros) -> Vec<Option<(Stage, i64)>> {
        let shown = |(_, clock): (u32, Clock)| (clock.stage, ((now - clock.begun).0 + 500_000) / 1_000_000);
        self.0.borrow().iter().map(|place| place.map(shown)).collect()
    }
}

fn to(places: &mut [Option<(u32, Clock)>], id: u32, stage: Stage) {
    for (_, clock) in places.iter_mut().flatten().filter(|(of, _)| *of == id) {
        clock.stage = stage;
    }
}
