//! The one tokio runtime. It outlives every test, so that a browser session can be shared by several.

use std::future::Future;
use std::sync::LazyLock;

use tokio::runtime::Runtime;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("a tokio runtime"));

/// Runs a future to its end.
pub fn block_on<F: Future>(future: F) -> F::Output {
    RUNTIME.block_on(future)
}

/// Runs a future beside the tests.
pub fn spawn(future: impl Future<Output = ()> + Send + 'static) {
    RUNTIME.spawn(future);
}
