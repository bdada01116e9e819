//! One Web API a file, thin; decides nothing.
