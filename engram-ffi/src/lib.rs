//! The C ABI of engram. So far it holds the version only; issue 3 fills it.

use std::ffi::c_char;

/// The version of the library, as text that the caller must not free.
#[unsafe(no_mangle)]
pub extern "C" fn engram_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_version_is_that_of_the_package() {
        // SAFETY: engram_version returns a NUL-terminated static.
        let text = unsafe { std::ffi::CStr::from_ptr(super::engram_version()) };
        assert_eq!(text.to_str(), Ok(env!("CARGO_PKG_VERSION")));
    }
}
