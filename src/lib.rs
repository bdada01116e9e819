//! The Firstlight page: measures, in the user's own browser, the latency that people see.
//!
//! `browser` has one Web API a file and decides nothing; `runner` carries browser events into a core session and its decisions
//! out; `app` shows what core computes. Without the feature `page` there is no `app` and no leptos: that is what `crates/embed`
//! is made of.

#[cfg(feature = "page")]
pub mod app;
pub mod browser;
pub mod runner;
