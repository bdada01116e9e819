//! A thread that looks at some rows of the screen all the time and writes down when they change.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, Result};

use firstlight_server::Clock;

use super::Picture;

/// Between two looks.
const EVERY: Duration = Duration::from_micros(250);

/// Rows that belong together, in pixels of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    /// The first column.
    pub x: u32,
    /// How many columns.
    pub width: u32,
    /// The rows that are looked at.
    pub rows: Vec<u32>,
}

/// Something in an area changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Which area.
    pub area: usize,
    /// When the look that saw it began, in µs of the server's clock.
    pub at_us: u64,
    /// When the look before that began: it changed between the two.
    pub before_us: u64,
}

impl Change {
    /// The middle of the two looks.
    pub fn middle_us(&self) -> i64 {
        i64::try_from(self.before_us.midpoint(self.at_us)).unwrap_or(i64::MAX)
    }
}

/// The thread, until it is dropped.
pub struct Prober {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<Result<()>>>,
}

#[derive(Default)]
struct Shared {
    stop: AtomicBool,
    /// New areas, until the thread takes them.
    areas: Mutex<Option<Vec<Area>>>,
    changes: Mutex<Vec<Change>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Prober {
    /// Looks at nothing yet.
    pub fn start(picture: Picture, clock: Clock) -> Prober {
        let shared = Arc::new(Shared::default());
        let looking = Arc::clone(&shared);
        let thread = std::thread::spawn(move || look(&picture, clock, &looking));
        Prober { shared, thread: Some(thread) }
    }

    /// Looks at these from now on, and forgets what it saw.
    pub fn watch(&self, areas: Vec<Area>) {
        *lock(&self.shared.areas) = Some(areas);
        lock(&self.shared.changes).clear();
    }

    /// What it saw since, in order of time.
    pub fn changes(&self) -> Vec<Change> {
        lock(&self.shared.changes).clone()
    }

    /// An error if it can't look any more.
    pub fn check(&mut self) -> Result<()> {
        match self.thread.take_if(|thread| thread.is_finished()) {
            Some(thread) => thread.join().ok().context("the prober panicked")?.context("the prober stopped"),
            None => Ok(()),
        }
    }
}

impl Drop for Prober {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ended = thread.join();
        }
    }
}

/// A row of the screen, and which of its bytes belong to which area.
struct Row {
    y: u32,
    areas: Vec<(usize, Range<usize>)>,
    seen: Vec<u8>,
}

impl Row {
    /// Each row once, however many areas share it.
    fn of(areas: &[Area], width: u32, height: u32) -> Vec<Row> {
        let mut rows: BTreeMap<u32, Vec<(usize, Range<usize>)>> = BTreeMap::new();
        for (number, area) in areas.iter().enumerate() {
            let columns = area.x.min(width) as usize * 4..(area.x + area.width).min(width) as usize * 4;
            for y in area.rows.iter().filter(|y| **y < height) {
                rows.entry(*y).or_default().push((number, columns.clone()));
            }
        }
        rows.into_iter().map(|(y, areas)| Row { y, areas, seen: vec![0; width as usize * 4] }).collect()
    }
}

fn look(picture: &Picture, clock: Clock, shared: &Shared) -> Result<()> {
    // Before all others, and woken to the µs, where the system allows it: a late look is a late truth.
    let _allowed = rustix::process::nice(-20);
    let _allowed = rustix::thread::set_current_timer_slack(NonZeroU64::new(1_000));
    let (width, height) = picture.size();
    let mut rows: Vec<Row> = Vec::new();
    let mut pixels = vec![0; width as usize * 4];
    let mut changed = Vec::new();
    let mut before_us = clock.now_us();
    while !shared.stop.load(Ordering::Relaxed) {
        let new = lock(&shared.areas).take();
        let fresh = new.is_some();
        if let Some(areas) = new {
            rows = Row::of(&areas, width, height);
        }
        let at_us = clock.now_us();
        changed.clear();
        for row in &mut rows {
            picture.row(0, row.y, &mut pixels)?;
            for (area, columns) in &row.areas {
                let (old, new) = (row.seen.get_mut(columns.clone()), pixels.get(columns.clone()));
                if let (Some(old), Some(new)) = (old, new)
                    && old != new
                {
                    old.copy_from_slice(new);
                    changed.push(*area);
                }
            }
        }
        changed.sort_unstable();
        changed.dedup();
        if !fresh && !changed.is_empty() {
            lock(&shared.changes).extend(changed.iter().map(|area| Change { area: *area, at_us, before_us }));
        }
        before_us = at_us;
        std::thread::sleep(EVERY);
    }
    Ok(())
}
