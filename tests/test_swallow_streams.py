"""Errors of streams, sets of tasks and queues: each element is another one, and none is tried again."""

from __future__ import annotations

from twins import lost_and_kept

HEAD = """
use futures::stream::FuturesUnordered;
use futures::{FutureExt, Stream, StreamExt, TryStreamExt};
use tokio::task::JoinSet;
#[derive(Debug)]
pub struct E;
async fn af() -> Result<u32, E> { Err(E) }
fn stream() -> impl Stream<Item = Result<u32, E>> { futures::stream::empty() }
fn next() -> Option<Result<u32, E>> { None }
async fn listed() -> Result<impl Stream<Item = Result<u32, E>>, E> { Ok(stream()) }
"""

# Name -> (fate, the way that loses it, the way that keeps it); the function is `x`.
FORMS: dict[str, tuple[str, str, str]] = {
    "a loop over a stream that logs": (
        "logged",
        'async fn x() { let mut s = stream(); while let Some(r) = s.next().await { if let Err(e) = r { log::warn!("{e:?}"); } } }',
        "async fn x() -> Result<(), E> { let mut s = stream(); while let Some(r) = s.next().await { r?; } Ok(()) }",
    ),
    "a loop over a stream that continues": (
        "logged",
        'async fn x() { let mut s = stream(); while let Some(r) = s.next().await { match r { Ok(n) => println!("{n}"), Err(e) => { log::warn!("{e:?}"); continue; } } } }',
        'async fn x() { let mut s = stream(); while let Some(r) = s.next().await { match r { Ok(n) => println!("{n}"), Err(e) => { log::warn!("{e:?}"); tokio::time::sleep(SECOND).await; } } } }',
    ),
    "a stream that is only drained": (
        "dropped",
        "async fn x() { let mut s = stream(); while let Some(_) = s.next().await {} }",
        "async fn x() -> Result<(), E> { let mut s = stream(); while let Some(_) = s.try_next().await? {} Ok(()) }",
    ),
    "what a task of a set gives": (
        "dropped",
        "async fn x(mut set: JoinSet<Result<(), E>>) { while let Some(r) = set.join_next().await { r.unwrap(); } }",
        "async fn x(mut set: JoinSet<Result<(), E>>) { while let Some(r) = set.join_next().await { r.unwrap().unwrap(); } }",
    ),
    "a branch that runs for a success as well": (
        "logged",
        'fn x(s: &mut u32) { if let Some(r) = next() { *s += 1; if let Err(e) = r { log::warn!("{e:?}"); } } }',
        'fn x(s: &mut u32) { if let Some(r) = next() { if let Err(e) = r { log::warn!("{e:?}"); *s += 1; } } }',
    ),
    "an arm that runs for a success as well": (
        "logged",
        'fn x(s: &mut u32) { match next() { Some(r) => { *s += 1; if let Err(e) = r { log::warn!("{e:?}"); } } None => {} } }',
        'fn x(s: &mut u32) { match next() { Some(r) => { if let Err(e) = r { log::warn!("{e:?}"); *s += 1; } } None => {} } }',
    ),
    "an end of the queue that is no success": (
        "logged",
        'fn x() { loop { match next() { Some(Ok(n)) => println!("{n}"), Some(Err(e)) => log::warn!("{e:?}"), None => break } } }',
        'fn x() -> u32 { loop { match next() { Some(Ok(n)) => break n, Some(Err(e)) => log::warn!("{e:?}"), None => break 0 } } }',
    ),
    "a task that was kept": (
        "dropped",
        "pub struct W { all: Vec<tokio::task::JoinHandle<Result<u32, E>>> } impl W { async fn x(&mut self) { for one in self.all.drain(..) { if let Err(e) = one.await { log::warn!(\"{e}\"); } } } }",
        "pub struct W { all: Vec<tokio::task::JoinHandle<Result<u32, E>>> } impl W { async fn x(&mut self) -> Result<(), E> { for one in self.all.drain(..) { one.await.unwrap()?; } Ok(()) } }",
    ),
    "a task that was kept and looked into": (
        "logged",
        "pub struct W { main: Option<tokio::task::JoinHandle<Result<u32, E>>> } impl W { async fn x(&mut self) { if let Some(main) = self.main.take() { match main.await { Ok(Ok(_)) => {} Ok(Err(e)) => log::warn!(\"{e:?}\"), Err(e) => panic!(\"{e}\") } } } }",
        "pub struct W { main: Option<tokio::task::JoinHandle<u32>> } impl W { async fn x(&mut self) { if let Some(main) = self.main.take() { let _ = main.await; } } }",
    ),
    "what is received whole": (
        "logged",
        "fn x(all: std::sync::mpsc::Receiver<Result<u32, E>>, n: &mut u32) { while let Ok(r) = all.recv() { *n += 1; if let Err(e) = r { log::warn!(\"{e:?}\"); } } }",
        "fn x(all: std::sync::mpsc::Receiver<u32>, n: &mut u32) { loop { match all.recv() { Ok(one) => *n += one, Err(_) => panic!() } } }",
    ),
    "a turn of a loop that serves": (
        "dropped",
        "fn x() { loop { match next().unwrap() { Ok(0) => break, Ok(n) => println!(\"{n}\"), Err(_) => {} } } }",
        "fn x() { loop { match next().unwrap() { Ok(0) => break, Ok(_) => return, Err(_) => {} } } }",
    ),
    "a closure of a stream that filters": (
        "dropped",
        "async fn x() -> Vec<u32> { stream().filter_map(|r| async move { r.ok() }).collect().await }",
        "async fn x() -> Result<Vec<u32>, E> { stream().try_collect().await }",
    ),
    "futures that are run some at a time": (
        "dropped",
        "async fn x() { let _ = futures::stream::iter(0..3).map(|_| af()).buffer_unordered(4).collect::<Vec<_>>().await; }",
        "async fn x() -> Vec<Result<u32, E>> { futures::stream::iter(0..3).map(|_| af()).buffer_unordered(4).collect().await }",
    ),
    "futures that are collected and waited for": (
        "dropped",
        "async fn x() { let mut s: FuturesUnordered<_> = (0..3).map(|_| af()).collect(); while let Some(r) = s.next().await { let _ = r; } }",
        "async fn x() -> Result<(), E> { let mut s: FuturesUnordered<_> = (0..3).map(|_| af()).collect(); while let Some(_) = s.try_next().await? {} Ok(()) }",
    ),
    "futures whose outputs are paired": (
        "logged",
        'async fn x() { let mut s = (0..3).map(|n| af().map(move |r| (n, r))).collect::<FuturesUnordered<_>>(); while let Some((n, r)) = s.next().await { if let Err(e) = r { log::warn!("{n} {e:?}"); } } }',
        "async fn x() -> Result<(), E> { let mut s = (0..3).map(|n| af().map(move |r| (n, r))).collect::<FuturesUnordered<_>>(); while let Some((_, r)) = s.next().await { r?; } Ok(()) }",
    ),
    "streams in a stream": (
        "dropped",
        "async fn x() { let s = futures::stream::iter((0..3).map(Ok)).map_ok(|_| listed()).try_buffered(3).try_flatten(); let mut s = std::pin::pin!(s); while let Some(_) = s.next().await {} }",
        'async fn x() -> Result<(), E> { let s = futures::stream::iter((0..3).map(Ok)).map_ok(|_| listed()).try_buffered(3).try_flatten(); let mut s = std::pin::pin!(s); while let Some(r) = s.next().await { let n = r?; println!("{n}"); } Ok(()) }',
    ),
    "what tasks give that were put into a set": (
        "dropped",
        "async fn x() { let mut set = JoinSet::new(); set.spawn(af()); while let Some(r) = set.join_next().await { r.unwrap(); } }",
        "async fn x() { let mut set = JoinSet::new(); set.spawn(af()); while let Some(r) = set.join_next().await { r.unwrap().unwrap(); } }",
    ),
    "futures that were pushed": (
        "dropped",
        "async fn x() { let mut s = FuturesUnordered::new(); s.push(af()); while let Some(r) = s.next().await { let _ = r; } }",
        "async fn x() -> Result<(), E> { let mut s = FuturesUnordered::new(); s.push(af()); while let Some(r) = s.next().await { r?; } Ok(()) }",
    ),
    "tasks that were pushed": (
        "dropped",
        "async fn x() { let mut s = FuturesUnordered::new(); s.push(tokio::spawn(af())); while let Some(r) = s.next().await { if let Err(e) = r { log::warn!(\"{e}\"); } } }",
        "async fn x() -> Result<(), E> { let mut s = FuturesUnordered::new(); s.push(tokio::spawn(af())); while let Some(r) = s.next().await { r.unwrap()?; } Ok(()) }",
    ),
    "tasks whose outcomes are paired, in select": (
        "logged",
        "async fn x() { let mut s = FuturesUnordered::new(); s.push(Box::pin(tokio::spawn(af()).map(|r| (1, r)))); tokio::select! { Some((n, r)) = s.next() => { log::error!(\"{n} {r:?}\"); } } }",
        "async fn x() { let mut s = FuturesUnordered::new(); s.push(Box::pin(tokio::spawn(af()).map(|r| (1, r)))); tokio::select! { Some((_, r)) = s.next() => { r.unwrap().unwrap(); } } }",
    ),
    "results that were gathered and passed over": (
        "dropped",
        "fn x() -> usize { let mut all = Vec::new(); for _ in 0..3 { all.push(next().unwrap()); } all.len() }",
        "fn x() -> Result<Vec<u32>, E> { let mut all = Vec::new(); for _ in 0..3 { all.push(next().unwrap()); } all.into_iter().collect() }",
    ),
    "results that were gathered, of which the good are kept": (
        "dropped",
        "fn x() -> Vec<u32> { let mut all = vec![]; all.push(next().unwrap()); all.into_iter().flatten().collect() }",
        "fn x() -> Vec<Result<u32, E>> { let mut all = vec![]; all.push(next().unwrap()); all }",
    ),
    "an option in an option": (
        "turned-into-option",
        "fn x(a: Option<u32>) -> Option<u32> { a.map(|_| next().unwrap().ok()).flatten() }",
        "fn x(a: Option<u32>) -> Result<Option<u32>, E> { a.map(|_| next().unwrap()).transpose() }",
    ),
    "a closure that sees the successes of a stream": (
        "dropped",
        "async fn x() { let _ = stream().try_for_each(|_| async { Ok(()) }).await; }",
        'async fn x() -> Result<(), E> { stream().try_for_each(|n| async move { println!("{n}"); Ok(()) }).await }',
    ),
}  # fmt: skip

test_the_error_is_lost_in, test_the_error_is_kept_in_the_twin_of = lost_and_kept(HEAD, FORMS)
