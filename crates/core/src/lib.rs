//! The pure part of Firstlight.
