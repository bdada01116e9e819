//! Entry point of the page.
fn main() {}
