//! The library behind the `firstlight` binary.
