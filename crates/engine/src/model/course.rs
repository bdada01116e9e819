//! What befell each request of a run in virtual time: the truth that tests hold everything else against.

use super::parameters::Parameters;
use super::request::{Asked, Emission, Refused, What};
use super::routing::Model;

/// One request's times, in virtual µs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course {
    /// It arrived.
    pub arrived_us: u64,
    /// Why it was not admitted, if it was not.
    pub refused: Option<Refused>,
    /// Which replica served it.
    pub replica: Option<u32>,
    /// Tokens of the input that were not read.
    pub cached_tokens: u32,
    /// It got its place in a batch.
    pub queue_end_us: Option<u64>,
    /// Its input was read.
    pub prefill_end_us: Option<u64>,
    /// When tokens left, and how many at a time.
    pub tokens: Vec<(u64, u32)>,
    /// The last of it left.
    pub end_us: Option<u64>,
}

impl Course {
    /// A request that has only arrived.
    pub fn arrived(arrived_us: u64) -> Course {
        Course {
            arrived_us,
            refused: None,
            replica: None,
            cached_tokens: 0,
            queue_end_us: None,
            prefill_end_us: None,
            tokens: Vec::new(),
            end_us: None,
        }
    }

    /// Something happens to it.
    pub fn note(&mut self, emission: Emission) {
        match emission.what {
            What::Starts { replica, cached_tokens } => {
                (self.replica, self.cached_tokens) = (Some(replica), cached_tokens);
                self.queue_end_us = Some(emission.at_us);
            }
            What::Prefilled => self.prefill_end_us = Some(emission.at_us),
            What::Tokens(count) => self.tokens.push((emission.at_us, count)),
            What::Ends => self.end_us = Some(emission.at_us),
        }
    }

    /// From arrival to its place in a batch.
    pub fn waited_us(&self) -> Option<u64> {
        Some(self.queue_end_us? - self.arrived_us)
    }
}

/// Runs a server in virtual time over arrivals in order of time, until all of them are over.
pub fn simulate(parameters: &Parameters, arrivals: impl IntoIterator<Item = (u64, Asked)>) -> Vec<Course> {
    let mut model = Model::new(parameters.clone());
    let mut courses: Vec<Course> = Vec::new();
    // Numbers count admitted requests only.
    let mut admitted: Vec<usize> = Vec::new();
    for (at_us, asked) in arrivals {
        let arrives = model.arrive(at_us, asked, note(&mut courses, &admitted));
        let mut course = Course::arrived(at_us);
        match arrives {
            Ok(_) => admitted.push(courses.len()),
            Err(refused) => course.refused = Some(refused),
        }
        courses.push(course);
    }
    model.advance(u64::MAX, note(&mut courses, &admitted));
    courses
}

fn note<'a>(courses: &'a mut [Course], admitted: &'a [usize]) -> impl FnMut(Emission) {
    move |emission| {
        let course = admitted.get(emission.request.0 as usize).and_then(|at| courses.get_mut(*at));
        if let Some(course) = course {
            course.note(emission);
        }
    }
}
