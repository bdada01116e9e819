//! Entry point of the page.

fn main() {
    console_error_panic_hook::set_once();
    firstlight_web::app::mount();
}
