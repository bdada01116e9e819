//! What is sent in which order, as data from a seed. A closed loop: the next request starts when one ends.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::config::{ModeChoice, RunConfig};
use crate::trace::{Mode, Planned};

/// Every request of a run, in the order in which they start: warm-up first.
///
/// With both modes, each pair of one and the other is in random order. Which requests get one of the page's `slots` is
/// drawn here, before any is sent.
pub fn closed_loop(config: &RunConfig, slots: u32) -> Vec<Planned> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(config.seed);
    let modes = config.modes();
    let mut order = |count: u32, warmup: bool, first_id: u32| {
        let blocks = (0..count).map(|block| {
            let mut block_modes: Vec<Mode> = modes.to_vec();
            block_modes.shuffle(&mut random);
            (block, block_modes)
        });
        let flat = blocks.flat_map(|(block, modes)| modes.into_iter().map(move |mode| (block, mode)));
        let paired = modes.len() > 1 && !warmup;
        flat.zip(first_id..)
            .map(|((block, mode), id)| Planned { id, warmup, mode, pair: paired.then_some(block), painted: false })
            .collect::<Vec<_>>()
    };
    let mut plan = order(config.warmup, true, 0);
    plan.extend(order(config.requests, false, plan.len() as u32));
    // With as many places as parallel requests every one is painted; else each has the same chance.
    for planned in &mut plan {
        planned.painted = random.random_range(0..config.concurrency.max(1)) < slots;
    }
    plan
}

/// How many requests a run sends in all, warm-up among them.
pub fn total(mode: ModeChoice, requests: u32, warmup: u32) -> u64 {
    let kinds = if mode == ModeChoice::Both { 2 } else { 1 };
    kinds * (u64::from(requests) + u64::from(warmup))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::sound;

    fn config(mode: ModeChoice, requests: u32, concurrency: u32, warmup: u32) -> RunConfig {
        RunConfig { mode, requests, concurrency, warmup, seed: 7, ..sound() }
    }

    #[test]
    fn warm_up_comes_first_and_ids_count_up() {
        let plan = closed_loop(&config(ModeChoice::Streaming, 3, 1, 2), 4);
        let got: Vec<_> = plan.iter().map(|p| (p.id, p.warmup, p.painted, p.pair)).collect();
        assert_eq!(
            got,
            [
                (0, true, true, None),
                (1, true, true, None),
                (2, false, true, None),
                (3, false, true, None),
                (4, false, true, None)
            ]
        );
    }

    #[test]
    fn both_modes_come_in_pairs_of_random_order() {
        let plan = closed_loop(&config(ModeChoice::Both, 100, 1, 0), 4);
        assert_eq!((plan.len() as u64, total(ModeChoice::Both, 100, 0)), (200, 200));
        let mut streaming_first = 0;
        for pair in plan.chunks(2) {
            assert_eq!(pair[0].pair, pair[1].pair);
            assert_ne!(pair[0].mode, pair[1].mode);
            streaming_first += u32::from(pair[0].mode == Mode::Streaming);
        }
        assert!((30..=70).contains(&streaming_first), "{streaming_first} of 100 pairs begin with streaming");
        assert_eq!(plan, closed_loop(&config(ModeChoice::Both, 100, 1, 0), 4));
    }

    #[test]
    fn with_fewer_places_than_streams_a_share_is_painted() {
        let plan = closed_loop(&config(ModeChoice::Streaming, 4000, 16, 0), 4);
        let painted = plan.iter().filter(|p| p.painted).count();
        assert!((850..=1150).contains(&painted), "{painted} of 4000");
    }
}
