//! The page: state, and views that show it. Views compute nothing that core can compute.

pub mod form;
mod start;
pub mod state;
mod view;

pub use start::mount;
