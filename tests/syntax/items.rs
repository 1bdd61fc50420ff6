// == functions
pub fn add(x: u8, y: u8) -> u8 { x + y }
const fn one() -> u8 { 1 }
async fn later() {}
unsafe fn risky() {}
pub(crate) const unsafe extern "C" fn all_of_them(first: u8) {}
extern fn plain_c() {}
fn attributes(#[cfg(unix)] a: u8, b: u8) {}
fn trailing_comma<T,>(x: T,) {}
// == parameters
fn patterns(_: u8, (a, b): (u8, u8), [x, ..]: [u8; 3], Point { y, .. }: Point, mut z: u8, &w: &u8) {}
// == receivers
impl X {
    fn value(self) {}
    fn mutable_value(mut self) {}
    fn shared(&self) {}
    fn exclusive(&mut self) {}
    fn lifetime<'a>(&'a self) {}
    fn exclusive_lifetime(&'static mut self) {}
    fn boxed(self: Box<Self>) {}
    fn pinned(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> { Poll::Pending }
}
// == generics
fn generics<'a, 'b: 'a, T: 'a + Clone + ?Sized, U = u8, const N: usize, const B: bool = true>(x: &'a T)
where
    'b: 'a,
    T: Copy,
    for<'c> &'c T: Debug,
    [T]: Clone,
{
}
// == empty where clauses
fn f() where {}
struct S where;
impl A for B where {}
// == impl trait and precise capturing
fn f<'a, T>() -> impl Iterator<Item = u8> + use<'a, T> + 'a { x }
fn g() -> (impl A, impl B) { x }
fn h(_: &(impl C + ?Sized), y: impl Fn(u8) -> u8) {}
// == dyn types
fn f(x: Box<dyn for<'a> Fn(&'a u8) -> &'a u8 + Send + 'static>, y: &dyn Any, z: &mut (dyn A + B)) {}
// == types
fn f(a: *const u8, b: *mut [u8], c: &'static str, d: [u8; 3], e: (u8,), f: (), g: (u8), h: fn(u8, y: u8) -> u8) {}
fn g(a: unsafe extern "C" fn(...), b: for<'a> fn(&'a u8), c: m!(u8), d: [u8; N * 2], e: A<{ N }>, f: B<3>) {}
fn h(a: C<'a, T, Item = U>, b: D<Item: E>, c: <T as A>::B, d: <T>::C, e: Vec<Vec<u8>>, f: _) -> ! { loop {} }
fn i() -> A<-1, 'x', true, "s"> { x }
// == structs
struct Unit;
struct Empty();
struct Tuple(pub u8, pub(crate) u8);
struct Braces {}
pub struct Named<T: Clone = u8> { pub a: T, #[cfg(x)] b: Vec<T>, pub(in crate::x) c: u8 }
struct Where<T>(T) where T: X;
union U { a: u8, b: f32 }
// == enums
enum E { A, B(u8, u8), C { x: u8, #[cfg(x)] y: u8 }, D = 5, #[default] F }
enum Never {}
// == traits
unsafe trait Marker {}
pub trait Shape: Debug + for<'a> Visit<'a>
where
    Self: Sized,
{
    type Item<'a>: Clone
    where
        Self: 'a;
    type Default = u8;
    const SIDES: u8;
    const NAME: &'static str = "shape";
    fn area(&self) -> f64;
    fn twice(&self) -> f64 { self.area() * 2.0 }
    async fn later(&self);
    fn future(&self) -> impl Future<Output = ()> + Send;
}
// == impls
impl<T: ?Sized, const N: usize> Shape for [T; N] where T: Debug {
    type Item<'a> = u8;
    const SIDES: u8 = 4;
    fn area(&self) -> f64 { 1.0 }
    helper!();
    #[cfg(x)]
    fn hidden(&self) {}
}
unsafe impl Send for X {}
impl !Sync for X {}
impl<T> Trait<T> for &'static T {}
// == type aliases
type A<'a, T: 'a> = <T as Iterator>::Item;
type B<T> = Vec<T> where T: Clone;
// == constants and statics
const _: () = assert!(true);
const A: &str = "x";
static mut B: u8 = 0;
pub static C: Lazy<X> = Lazy::new(|| X::new());
// == uses
use a;
use a::b::{self, c as d, e::{f, g::*}};
use ::a::b;
use crate::a as _;
pub(in crate::x) use super::y;
use {a, b};
use self::x;
use r#mod::x;
// == extern crates
extern crate a;
extern crate b as c;
extern crate self as d;
#[macro_use]
extern crate e;
// == modules
#![allow(dead_code)]
mod a;
pub mod b {
    #![allow(x)]
    mod c;
    pub fn d() {}
}
#[path = "other.rs"]
mod e;
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn works() {}
}
// == macro definitions
macro_rules! sum {
    ($x:expr, $($y:ident),* $(,)?) => { $x $(+ $y)* };
    () => {};
}
macro_rules! brackets [ (a) => { b } ];
macro_rules! parentheses ( (a) => { b } );
// == macro calls as items
thread_local! { static A: RefCell<u8> = RefCell::new(1); }
a::b!(x);
c![y];
cfg_if! { if #[cfg(a)] { mod b; } else { mod c; } }
// == unsafe extern blocks
unsafe extern "C" {
    safe fn a();
    unsafe fn b(x: *const u8, ...);
    safe static X: u8;
    static mut Y: u8;
    type Opaque;
}
extern "C" {
    #[link_name = "c"]
    fn c(x: u8);
}
// == attributes
#[derive(A, B)]
#[cfg(all(x, not(y)))]
#[doc = "text"]
#[repr(C, align(8))]
#[unsafe(no_mangle)]
#[tokio::main(flavor = "current_thread")]
fn f() {}
/// Documentation.
/** More of it. */
fn g() {}
// == visibilities
pub fn a() {}
pub(self) fn b() {}
pub(super) struct C;
pub(in crate::x) enum D { E }
// == unstable items
auto trait A {}
default impl B for C {}
impl const D for E {}
const trait F {}
fn g<T: [const] D>() {}
// == raw identifiers
fn r#fn(r#type: r#struct::r#enum) -> r#impl { r#type.r#match.r#loop() }
// == weak keywords
fn union(default: u8) { let union = default; union::x(); raw.y(); auto(); macro_rules(); safe(); }
// == names beyond ASCII
fn é(ñ: Ö) { let ü = "ß"; ñ.método(ü); }
// == comments
/* a /* nested */ comment */
/// doc
//! inner doc
//// no doc
/**/
/***/
/*! inner doc */
fn f() /* here */ -> /* there */ u8 { /* x /* y */ z */ 1 } // trailing
