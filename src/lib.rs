//! The Firstlight page: measures, in the user's own browser, the latency that people see.
//!
//! The only crate with web-sys and leptos. `browser` has one Web API a file and decides nothing; `runner` carries browser
//! events into a core session and its decisions out; `app` shows what core computes.

pub mod app;
pub mod browser;
pub mod runner;
