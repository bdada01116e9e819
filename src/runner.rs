//! Drives a core session.
