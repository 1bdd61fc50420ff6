// == literals
fn f() {
    1_000u64; 0xffu8; 0b1010; 0o777; 1e10; 1.5f32; 2.; 1f64; 0x1F_u32; 1e-5_f64; true; false;
    "text"; "multi
line \
 continued"; r"raw"; r#"a"b"#; r##"a"#b"##; b"bytes"; br"raw"; br##"raw"#"##; c"text"; cr"raw"; cr#"r"#;
    'a'; '\u{1F600}'; '\n'; '\''; '"'; b'a'; b'\x7f'; 'ß';
}
// == paths
fn f() {
    a; a::b::c; ::a::b; crate::x; self::y; super::z; super::super::w; Self::A; <[T]>::len; <&T>::f;
    <dyn A>::g; <(A, B) as C>::h; f::<T>; Vec::<u8>::new; <T as A>::f::<U>; A::<B<C>>::d;
}
// == fields and tuples
fn f() { a.0.1; a.b.c; x.0 .1; t.1.method(); (a.f)(x); r#type.r#struct; (1,); (1, 2); (); (1) }
// == calls
fn f() { g(); g(1, 2,); a.b().c::<T>()?.await?.d; a[1][2](3); g::<T>(); <T>::f(); g(#[cfg(x)] a, b); (|| 1)(); }
// == arrays and indices
fn f() { [1, 2, 3]; [1; 3]; []; [#[cfg(e)] 1, 2]; &a[..]; a[1..2]; a[..=3]; a[i..].len() }
// == operators
fn f() {
    a + b * c - d / e % f; a & b | c ^ d; a << b >> c; a == b && c != d || e < f; a <= b; a >= b;
    -x; !x; *x; &x; &mut x; &&x; &raw const x; &raw mut x; x as u8; x as *const u8 as usize; (a as usize) < b;
}
// == assignments
fn f() {
    x = y; x = y = z; a += 1; a <<= 2; a >>= 1; a |= b; *p = 1; a[0] = 1; a.b = 1; _ = g();
    (a, b) = (b, a); [a, _] = c; S { x, .. } = s; (a, _) = d;
}
// == ranges
fn f() { a..b; ..b; a..; ..; a..=b; ..=b; (a..b).len(); for _ in 0..n {} }
// == struct expressions
fn f() { S { a, b: 1, ..c }; S { ..Default::default() }; S::<T> { a }; a::B { 0: x }; Self { x }; S {}; S { #[cfg(x)] a: 1 }; }
// == blocks
fn f() {
    { }; { 1 }; unsafe { g() }; const { 1 }; async { g() }; async move { g().await }; try { g()? };
    'a: { if x { break 'a 1; } 2 }
}
// == generators
fn f() { let g = gen { yield 1; }; let h = gen move { yield x; }; let a = async gen { yield 1; }; yield; }
// == closures
fn f() {
    |x| x; |x: u8| -> u8 { x }; move |(a, b), S { c }, &d, mut e| a; || {}; |_| 1; static || 1; |x, _| x;
    |a: &str| -> Result<_, E> { Ok(a) }; move || async move { x }; |(_, x)| x; |mut x: u8, _: u8| x;
}
// == async closures
fn f() { let c = async |x| { x.await }; let d = async move || 1; }
// == if
fn f() { if a {} if a { 1 } else { 2 } if a { 1 } else if b { 2 } else { 3 } let x = if a { 1 } else { 2 }; if (a) {} }
// == if let and let chains
fn f() {
    if let Some(x) = a {}
    if let Some(x) = a && x > 1 && let Ok(y) = b {}
    if c && let Err(e) = g() {}
    if let 1 | 2 = x {}
    if let (Ok(a) | Err(a)) = y {}
    while let Some(x) = it.next() && x.ok() {}
    if let Foo { a: Bar(b), .. } = x {}
}
// == let
fn f() {
    let x; let x: u8; let x = 1; let mut y = 2; let _ = g(); let _: T = g(); let (_, a) = b; let [a, b] = c;
    let (a, mut b): (u8, u8) = c; let | A | B = x; let Some(x) = y else { return }; let Ok(_) = z else { panic!() };
    let z = { let y = 1; y };
}
// == match
fn f() {
    match x { }
    match x { A => return, B => break, C => continue, D => {} E => { 1 } F => if a { 1 } else { 2 }, G => loop {}, H => |x| y, }
    match x { Some(ref x) if let Some(y) = x => {} Some(x) if x > 1 && c => {} #[cfg(f)] A => 1, _ if z => 2, _ => 3 }
    match (a(), b()) { (Ok(x), Ok(y)) => x, (Err(e), _) | (_, Err(e)) => e }
}
// == patterns
fn f() {
    match x {
        1 | 2 => {} 3..=5 => {} ..=9 => {} 10.. => {} 11..12 => {} -1 => {} 'a'..='z' => {} "s" => {} b'x' => {}
        X::Y => {} A | B if c => {} n @ 1..=9 => {} ref r => {} ref mut m => {} mut o => {} &x => {} &mut y => {}
        (a, .., b) => {} [a, rest @ .., b] => {} [] => {} [..] => {} (..) => {} () => {} (x,) => {} (x) => {}
        S { x, y: 1, ref z, mut w, v: _, .. } => {} A {} => {} B() => {} C { .. } => {} T(..) => {} T(_, _) => {}
        const { 1 + 2 } => {} m!() => {} (1 | 2) => {} i32::MAX => {} <T as X>::C => {} Some::<u8>(x) => {} _ => {}
    }
}
// == loops
fn f() {
    loop {}
    'a: loop { break 'a; continue 'a }
    'b: while x { break }
    'c: for (i, x) in xs.iter().enumerate() { for _ in y { continue 'c; } }
    loop { break 1; }
    loop { break 'd 1; }
}
// == jumps
fn f() { return; return 1; break; continue; return (1); return Err(x)?; }
// == question mark and await
async fn f() { let x = y?; let z = (a?)?.b?; x.await.y()?.z; async { }.await; g(async { 1 }); h().await?; }
// == statements
fn f() { ; ; if x {} if y {} match z {} loop {} while a {} {} ; unsafe {} g() }
// == attributes in bodies
fn f() {
    #[cfg(a)] let x = 1;
    #[allow(b)] { g(); }
    #[cfg(c)] g();
    #[inline] fn h() {}
    #[rustfmt::skip] let y = 2;
    /// doc
    let z = 3;
    #[cfg(d)]
    i()
}
// == items in bodies
fn f() {
    fn g() { fn h() {} }
    struct S;
    impl S { fn m(&self) {} }
    use a::b;
    const X: u8 = 1;
    static Y: u8 = 2;
    enum E { A }
    trait T {}
    type Q = u8;
    mod m { fn x() {} }
    macro_rules! n { () => {} }
    g()
}
// == macro calls
fn f() {
    println!("{x} {0} {y:?} {:>w$} {{z}}", a, w = 3); vec![1, 2]; vec![0; n]; m! { a b c } m!(); a::b!(x);
    matches!(x, Some(1) if y); assert!(a == b, "x {}", c); assert_eq!(a, b); write!(f, "{}", x)?; format!("{a}");
    todo!(); unreachable!("x {y}"); quote! { fn #name() {} }; html!(<a>{b}</a>); hashmap!{ "a" => 1, "b" => f() };
    json!({ "a": b()?, "c": [1, d], "e": { "f": g } }); m!(m!(m!(x))); a! { x => y, z => { w } }; n!(a, b;);
    asm!("nop", in("x") y, options(a)); offset_of!(A, b); addr_of!(x.y);
}
// == logging macros
fn f() { info!(target: "x", a = %b, c = ?d, e, %f, ?g, h.i = 1, "msg {}", j); span!(Level::INFO, "x"); warn!(%e); }
// == select and join
async fn f() {
    tokio::select! { biased; a = b() => { c }, Some(d) = e.next(), if f => g(), _ = h => {} else => {} }
    tokio::join!(a(), b()); try_join!(a, b)?;
}
// == statements in macros
fn f() { cfg_x! { let a = g(); h(a); } lazy_static! { static ref B: u8 = 1; } m! { if a { b(); } } }
// == tail expressions
fn f() -> u8 { match x { _ => 1 } }
fn g() -> u8 { if a { 1 } else { 2 } }
fn h() -> Vec<u8> { vec![1] }
fn i() -> u8 { loop { break 1 } }
fn j() -> u8 { unsafe { 1 } }
fn k() { g(); }
fn l() -> impl Fn() { || () }
// == unsafe operations
unsafe fn f() { *p.add(1) = 2; (*q).x = 3; &*r; &mut *s; }
// == unstable expressions
fn f() { builtin # offset_of(a, b); }
