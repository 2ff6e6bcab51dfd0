//! Link settings of the addon.

fn main() {
    napi_build::setup();
    // Node unloads the addon of a worker thread that ends; a thread that still runs in it must find its code.
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-link-arg-cdylib=-Wl,-z,nodelete");
    }
}
