//! Ctrl-C, and the polite signal of process managers.

/// Waits until somebody asks the program to stop.
pub(super) async fn asked() {
    tokio::select! {
        // Without a handler the program just ends, which is what was asked for.
        _ = tokio::signal::ctrl_c() => {}
        () = terminated() => {}
    }
}

#[cfg(unix)]
async fn terminated() {
    match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        Ok(mut signal) => {
            signal.recv().await;
        }
        Err(_) => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn terminated() {
    std::future::pending().await
}
