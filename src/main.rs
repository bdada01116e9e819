//! Entry point of the page.

fn main() {
    console_error_panic_hook::set_once();
    // The same module is the page, and the worker in which requests are read.
    if firstlight_web::browser::global::in_worker() {
        firstlight_web::runner::serve();
    } else {
        firstlight_web::app::mount();
    }
}
