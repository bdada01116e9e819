//! The page: state, and views that show it. Views compute nothing that core can compute.

pub mod form;
pub mod history;
pub mod lessons;
pub mod link;
pub mod pages;
pub mod race;
mod start;
pub mod state;
mod view;

pub use start::mount;
