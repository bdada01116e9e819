//! Modelled servers in real time: who shares one, and when what happens in it is told.
//!
//! The model says all times. A task sleeps until the next one and tells each request what happened to it; who arrives is told to
//! the model at the time of this server's clock. So a run in virtual time over the same arrivals has the same times.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use firstlight_engine::model::{Asked, Emission, Model, Parameters, Refused, RequestId, What};
use tokio::sync::{Notify, mpsc};

use crate::clock::Clock;
use crate::truth::{Item, Record};

/// Instances that are remembered; beyond it, those in which nobody is are forgotten.
const KEPT: usize = 1_000;

/// Every modelled server, by the name of its pool and what it is like.
#[derive(Debug, Default)]
pub(crate) struct Instances(Mutex<HashMap<(String, Parameters), Arc<Instance>>>);

/// One modelled server.
#[derive(Debug)]
struct Instance {
    state: Mutex<State>,
    /// Somebody arrived: the next event may be sooner.
    sooner: Notify,
}

#[derive(Debug)]
struct State {
    model: Model,
    told: HashMap<RequestId, Told>,
    /// A task tells what happens.
    driven: bool,
}

/// Who is told what happens to a request.
#[derive(Debug)]
struct Told {
    feed: mpsc::UnboundedSender<Emission>,
    record: Option<Arc<Record>>,
}

/// A request's place in a modelled server. Dropping it gives it up, as a client that goes away does.
#[derive(Debug)]
pub(crate) struct Seat {
    instance: Arc<Instance>,
    clock: Clock,
    pub(super) id: RequestId,
    /// It arrived at this time of the server's clock, for the model as well.
    pub(super) arrived_us: u64,
    feed: mpsc::UnboundedReceiver<Emission>,
}

impl Instances {
    /// A request arrives at the server of this pool and these parameters.
    pub(super) fn arrive(
        &self,
        pool: &str,
        parameters: &Parameters,
        asked: Asked,
        record: Option<Arc<Record>>,
        clock: Clock,
    ) -> Result<Seat, Refused> {
        let instance = {
            let mut all = self.lock();
            let key = (pool.to_owned(), parameters.clone());
            if all.len() >= KEPT && !all.contains_key(&key) {
                all.retain(|_, instance| Arc::strong_count(instance) > 1);
            }
            Arc::clone(all.entry(key).or_insert_with(|| Arc::new(Instance::new(parameters.clone()))))
        };
        Instance::arrive(instance, asked, record, clock)
    }

    /// Tokens that lie in the caches of all servers in which somebody is, and how many have room in them.
    pub(super) fn cache(&self) -> (u64, u64) {
        let all: Vec<Arc<Instance>> = self.lock().values().map(Arc::clone).collect();
        let each = all.iter().map(|instance| instance.lock().model.cache());
        each.filter(|(taken, _)| *taken > 0).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(String, Parameters), Arc<Instance>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Instance {
    fn new(parameters: Parameters) -> Instance {
        let state = State { model: Model::new(parameters), told: HashMap::new(), driven: false };
        Instance { state: Mutex::new(state), sooner: Notify::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn arrive(instance: Arc<Instance>, asked: Asked, record: Option<Arc<Record>>, clock: Clock) -> Result<Seat, Refused> {
        let (tell, feed) = mpsc::unbounded_channel();
        let mut state = instance.lock();
        // Read under the lock, so that the order of arrivals is that of their times.
        let arrived_us = clock.now_us();
        let State { model, told, .. } = &mut *state;
        let id = model.arrive(arrived_us, asked, |emission| say(told, emission))?;
        told.insert(id, Told { feed: tell, record });
        model.advance(arrived_us, |emission| say(told, emission));
        if !std::mem::replace(&mut state.driven, true) {
            tokio::spawn(Arc::clone(&instance).drive(clock));
        }
        drop(state);
        instance.sooner.notify_one();
        Ok(Seat { instance, clock, id, arrived_us, feed })
    }

    /// Tells what happens when it does, until nothing is left to happen.
    async fn drive(self: Arc<Instance>, clock: Clock) {
        loop {
            let next_us = {
                let mut state = self.lock();
                let State { model, told, driven } = &mut *state;
                model.advance(clock.now_us(), |emission| say(told, emission));
                let next_us = model.next_at();
                *driven = next_us.is_some();
                next_us
            };
            let Some(next_us) = next_us else { return };
            tokio::select! {
                () = clock.wait_until(next_us) => {}
                () = self.sooner.notified() => {}
            }
        }
    }
}

fn say(told: &mut HashMap<RequestId, Told>, emission: Emission) {
    let Some(to) = told.get(&emission.request) else { return };
    if let Some(record) = &to.record {
        record.stamp(Item::Modelled(emission), emission.at_us);
    }
    // Who does not listen any more is just going.
    let _gone = to.feed.send(emission);
    if emission.what == What::Ends {
        told.remove(&emission.request);
    }
}

impl Seat {
    /// What happens to it next; none after its end.
    pub(super) async fn next(&mut self) -> Option<Emission> {
        self.feed.recv().await
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut state = self.instance.lock();
        let now_us = self.clock.now_us();
        let State { model, told, .. } = &mut *state;
        if told.remove(&self.id).is_some() {
            model.abort(now_us, self.id, |emission| say(told, emission));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters() -> Parameters {
        Parameters { step_us: 50_000, max_batch: 1, queue_limit: Some(2), ..Parameters::default() }
    }

    const ASKED: Asked = Asked { input_tokens: 5, output_tokens: 3, prefix: 0 };

    async fn all(mut seat: Seat) -> Vec<Emission> {
        let mut emissions = Vec::new();
        while let Some(emission) = seat.next().await {
            emissions.push(emission);
        }
        emissions
    }

    #[tokio::test]
    async fn the_times_are_those_of_the_model_and_a_place_given_up_is_free() {
        let (instances, clock) = (Instances::default(), Clock::start());
        let arrive = |pool: &str| instances.arrive(pool, &parameters(), ASKED, None, clock);
        let seats: Vec<Seat> = (0..3).map(|_| arrive("a").expect("admitted")).collect();
        assert_eq!(arrive("a").map(|seat| seat.id), Err(Refused::QueueFull(3)));
        assert!(instances.cache().0 >= 8, "{:?}", instances.cache());
        let other = arrive("b").expect("another server");
        assert_eq!(other.id, RequestId(0));
        let arrived: Vec<u64> = seats.iter().map(|seat| seat.arrived_us).collect();
        let [first, tired, last] = <[Seat; 3]>::try_from(seats).expect("three");
        drop(tired);
        let (first, last) = (all(first).await, all(last).await);
        let at = |emissions: &[Emission]| emissions.iter().map(|emission| emission.at_us).collect::<Vec<_>>();
        let begins = arrived[0];
        assert_eq!(at(&first), [0, 50_000, 50_000, 100_000, 150_000, 150_000].map(|us| begins + us));
        assert_eq!(at(&last), [150_000, 200_000, 200_000, 250_000, 300_000, 300_000].map(|us| begins + us));
        assert_eq!(at(&all(other).await).len(), 6);
        assert_eq!(instances.cache(), (0, 0));
        // Driven again after it was idle.
        let again = arrive("a").expect("admitted");
        let begins = again.arrived_us;
        assert_eq!(at(&all(again).await)[0], begins);
    }
}
