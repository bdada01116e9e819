//! Schedules of the built-in endpoint.
