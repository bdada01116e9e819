//! Reports of the passive part (`www/npm`): read, checked, and left without anything that was not asked for.
//!
//! What comes from a page can be anything. A report is made anew from the fields that are known, so nothing else passes; a
//! known field that holds something else than it should refuses its report. Texts are short and of few characters: a name, a
//! code, a media type. The text of an answer has no field here.

mod batch;
mod read;
mod report;

pub use batch::{Batch, BatchError, Refused};
pub use report::{Count, Flags, Known, Marks, Reason, Report, Stalls, Visible, Why};

#[cfg(test)]
pub(crate) mod tests;
