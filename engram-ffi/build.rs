//! The shared library's name for the loader: the one under which it is installed.

fn main() {
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libengram.so.{}", env!("CARGO_PKG_VERSION_MAJOR"));
    }
    println!("cargo::rerun-if-changed=build.rs");
}
