// For each form of forms.rs a twin that loses nothing: the same words, and the error goes somewhere.
#![allow(dead_code, unused)]
use std::collections::HashMap;
use std::io::{self, BufRead, Write};
#[derive(Debug, Default)]
pub struct E;
impl From<E> for io::Error { fn from(_: E) -> Self { io::Error::other("E") } }
macro_rules! warn_log { ($($t:tt)*) => { eprintln!($($t)*) } }
macro_rules! hand_on { ($e:expr) => { if let Err(e) = $e { eprintln!("{e:?}"); return Err(e); } } }
fn f() -> Result<u32, E> { Err(E) }
fn u() -> Result<(), E> { Err(E) }
fn v() -> Vec<Result<u32, E>> { vec![] }
async fn af() -> Result<(), E> { Err(E) }
fn plain() -> Option<u32> { None }
pub struct S { r: Option<E>, failed: u32, tx: std::sync::mpsc::Sender<u32> }
impl S { fn m(&self) -> Result<u32, E> { Err(E) } }
trait T { fn t(&self) -> Result<(), E>; }
impl T for S { fn t(&self) -> Result<(), E> { Ok(()) } }

fn t01() -> Result<(), E> { u()?; Ok(()) }
fn t02() { let _ = f().unwrap(); }
fn t03() -> Result<u32, E> { let n; n = f()?; Ok(n) }
fn t04() -> Result<u32, E> { let named = f(); named }
fn t05() -> Result<u32, E> { let named: Result<u32, E> = f(); named }
fn t06() { f().ok().unwrap(); }
fn t07() { let _ = f().ok().expect("set"); }
fn t08() -> Result<u32, E> { f().ok().or(Some(1)).ok_or(E) }
fn t09() -> Result<(), E> { if let Err(e) = u() { warn_log!("x {e:?}"); return Err(e); } Ok(()) }
fn t10() { if let Err(_) = u() { panic!("x"); } }
fn t11(s: &mut S) { if let Err(e) = u() { s.r = Some(e); } }
fn t12(s: &mut S) { if u().is_err() { s.failed += 1; } }
fn t13() -> Result<(), E> { let r = f(); if let Ok(x) = r { println!("{x}"); } r.map(|_| ()) }
fn t14() -> Result<(), E> { if let Ok(x) = f() { println!("{x}"); } else { warn_log!("x"); return Err(E); } Ok(()) }
fn t15(seen: &mut Vec<E>) { match f() { Ok(x) => println!("{x}"), Err(e) => seen.push(e) } }
fn t16() { match f() { Ok(x) => println!("{x}"), Err(e) => std::process::exit(3) } }
fn t17() -> Result<(), E> { match f() { Ok(x) => println!("{x}"), other => { other?; } } Ok(()) }
fn t18(m: &HashMap<u32, u32>) -> u32 { m.get(&1).copied().unwrap_or_default() }
fn t19() -> u32 { plain().unwrap_or(0) }
fn t20() -> u32 { f().unwrap_or_else(|e| panic!("{e:?}")) }
fn t21() -> String { f().map_or("failed".to_string(), |x| x.to_string()) }
fn t22() -> String { f().map_or_else(|e| format!("{e:?}"), |x| x.to_string()) }
fn t23() -> Result<u32, String> { f().map_err(|e| format!("{e:?}")) }
fn t24() -> Result<Vec<u32>, E> { v().into_iter().collect() }
fn t25() -> Vec<u32> { v().into_iter().map(Result::unwrap).collect() }
fn t26() -> Vec<u32> { vec![Some(1)].into_iter().filter_map(|r| r).collect() }
fn t27() -> Vec<u32> { vec![vec![1]].into_iter().flat_map(|r| r).collect() }
fn t28() -> Result<(), E> { for x in v() { println!("{}", x?); } Ok(()) }
fn t29() -> io::Result<()> { for l in io::stdin().lock().lines() { println!("{}", l?); } Ok(()) }
fn t30() -> Result<(), E> { drop(f()?); Ok(()) }
fn t31() -> Result<(), E> { std::mem::forget(f()?); Ok(()) }
fn t32() -> Result<(), E> { let Ok(x) = f() else { return Err(E); }; println!("{x}"); Ok(()) }
fn t33() { let Ok(x) = f() else { warn_log!("x"); std::process::exit(1); }; println!("{x}"); }
fn t34() -> Result<(), E> { loop { match f() { Ok(x) => println!("{x}"), Err(e) => return Err(e) } } }
fn t35() -> Result<u32, E> { f().map_err(|e| { warn_log!("{e:?}"); e }) }
fn t36() -> Result<u32, E> { f().inspect_err(|e| warn_log!("{e:?}")) }
fn t37(s: &mut S) { f().unwrap_or_else(|e| { warn_log!("{e:?}"); s.failed += 1; 0 }); }
fn t38(s: &S) -> bool { s.tx.send(1).expect("open"); true }
fn t39(s: &S) { assert!(s.t().is_ok()); }
fn t40() -> Result<(), E> { hand_on!(u()); Ok(()) }
fn t41() -> bool { plain().is_some() }
fn t42() -> Result<(), E> { (|| -> Result<(), E> { u()?; Ok(()) })() }
fn t43() { std::thread::spawn(|| u().unwrap()); }
fn t44() -> Result<(), E> { let h = std::thread::spawn(|| u()); h.join().unwrap() }
fn t45() -> impl std::future::Future<Output = Result<(), E>> { af() }
async fn t46() -> Result<(), E> { af().await }
async fn t47() -> Result<(), E> { if let Err(e) = af().await { warn_log!("{e:?}"); return Err(e); } Ok(()) }
fn t48() -> Result<u32, E> { let r = f(); r }
fn t49() -> Result<u32, E> { let mut r = f(); if r.is_err() { r = f(); } r }
fn t50() -> Result<u32, E> { let x = f()?; Ok(x) }
fn t51() -> Result<(), E> { u().or_else(|e| Err(e)) }
fn t52() -> u32 { plain().unwrap_or_default() }
fn t53() -> io::Result<()> { writeln!(io::stderr(), "x") }
fn t54() -> Result<(), E> { v().into_iter().try_for_each(|r| r.map(|_| ())) }
fn t55() -> Result<usize, E> { let all: Result<Vec<u32>, E> = v().into_iter().collect(); Ok(all?.len()) }
fn t56() { v().into_iter().map(|r| r.unwrap()).count(); }
fn t57() -> Result<(), E> { if let Some(x) = Some(f()?) { println!("{x}"); } Ok(()) }
fn t58(s: &mut S) { if let Err(e) = u() { warn_log!("{e:?}"); s.r = Some(e); return; } }
fn t59() -> Result<(), E> { let mut last = Ok(()); if let Err(e) = u() { warn_log!("{e:?}"); last = Err(e); } last }
fn t60() -> Result<(), E> { match u() { Ok(()) => Ok(()), Err(e) => { warn_log!("{e:?}"); Err(e) } } }
fn t61() -> Result<(), E> { u().or(u()) }
fn t62() -> Result<(), E> { u().or_else(|_| u()) }
fn t63() -> Result<u32, E> { let r = f(); if r.is_ok() { println!("ok"); } r }
fn t64() { loop { match u() { Ok(()) => break, Err(e) => { warn_log!("{e:?}"); continue; } } } }
fn t65() { let _g = f().unwrap(); }
fn t66() { assert!(matches!(u(), Ok(()))); }
fn t67() { debug_assert!(plain().is_none()); assert!(u().is_ok()); }
fn main() {}
