//! Drives a core session: browser events in, its decisions out.

mod asking;
mod conduct;
mod live;
mod message;
mod page;
mod places;
mod pulse;
#[cfg_attr(not(feature = "page"), path = "no_saving.rs")]
mod saving;
#[cfg_attr(not(feature = "markdown"), path = "no_sheet.rs")]
mod sheet;
mod worker;

// Of the page alone.
#[cfg(feature = "page")]
mod auto;
#[cfg(feature = "page")]
mod begin;
#[cfg(feature = "page")]
mod hand;
#[cfg(feature = "page")]
mod history;
#[cfg(feature = "page")]
mod keeping;
#[cfg(feature = "page")]
mod lesson;
#[cfg(feature = "page")]
mod race;

pub use conduct::{Stage, UnderWay};
pub use message::Output;
pub use page::Hear;
pub use places::Room;
pub use worker::serve;

#[cfg(feature = "page")]
pub use {
    auto::run_job,
    hand::{begin, open_baseline, open_dropped, open_run, open_text, stop},
    history::{delete_all, delete_one, look_at, note, open_kept, save_kept, set_keep, set_limit},
    keeping::start_history,
    lesson::{lesson, open_step},
    race::{pairs, race},
};

#[cfg(feature = "page")]
thread_local! {
    /// The run under way. One at a time: two would measure each other.
    static LIVE: std::cell::RefCell<Option<std::rc::Rc<UnderWay>>> = const { std::cell::RefCell::new(None) };
}
