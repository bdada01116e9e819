//! The page: state, and views that show it. Views compute nothing that core can compute.

pub mod form;
pub mod state;
mod view;

pub use view::mount;
