//! The three calls of WebDriver that many browsers need: open a session, go to an address, close it. Nothing is asked of a
//! browser between the second and the third, so that nothing disturbs what it measures.

mod capabilities;
mod client;

pub use capabilities::{Wanted, WantedError};
pub use client::{OpenSession, WebDriver, WebDriverError};
