//! The Firstlight page.
