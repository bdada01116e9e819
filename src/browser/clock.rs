//! `performance.now()`: the only clock of a measurement.

use firstlight_core::Micros;
use web_sys::Performance;

thread_local! {
    static PERFORMANCE: Performance = super::window().performance().expect("every browser that runs WebAssembly has performance");
}

/// The page clock, in milliseconds as the browser gives them: what a stamp calls first.
pub fn now_ms() -> f64 {
    PERFORMANCE.with(Performance::now)
}

/// The page clock.
pub fn now() -> Micros {
    Micros::from_ms(now_ms())
}

/// The smallest step that the clock takes: the least difference between two readings that differ, of many.
pub fn step() -> Micros {
    let mut least = f64::INFINITY;
    let begin = now_ms();
    let mut last = begin;
    let mut seen = 0;
    // Long enough for a clock of 1 ms, short enough not to be noticed; a clock of 100 ms is found on its first step.
    while (seen < 30 || last - begin < 20.0) && last - begin < 400.0 {
        let next = now_ms();
        if next > last {
            least = least.min(next - last);
            last = next;
            seen += 1;
        }
    }
    Micros((least * 1000.0).round().clamp(1.0, 1_000_000.0) as i64)
}

/// Wall time for display only, in RFC 3339.
pub fn wall_time() -> String {
    String::from(js_sys::Date::new_0().to_iso_string())
}
