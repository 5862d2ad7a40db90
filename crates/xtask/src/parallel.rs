//! Work on a list by a few threads; the results come in the order of the list.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::Result;

/// Applies `work` to every item. Each thread makes itself a tool first.
pub fn map<T: Sync, R: Send, Tool>(
    items: &[T],
    tool: impl Fn() -> Result<Tool> + Sync,
    work: impl Fn(&mut Tool, &T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let threads = thread::available_parallelism().map_or(1, |n| n.get()).min(items.len().max(1));
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(items.len()));
    let run = || -> Result<()> {
        let mut tool = tool()?;
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return Ok(()) };
            let result = work(&mut tool, item)?;
            results.lock().expect("no thread panicked").push((at, result));
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        workers.into_iter().try_for_each(|w| w.join().expect("no thread panicked"))
    })?;
    let mut results = results.into_inner().expect("no thread panicked");
    results.sort_by_key(|&(at, _)| at);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}
