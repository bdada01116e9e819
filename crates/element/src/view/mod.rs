//! The element's faces, as elements in its shadow tree. Nothing here computes what core can compute.

mod form;
mod lanes;
mod metrics;
mod picture;
mod result;
mod running;

pub(crate) use form::{form, problems, typed};
pub(crate) use lanes::{lanes, race_result};
pub(crate) use result::result;
pub(crate) use running::{Running, places, running};
