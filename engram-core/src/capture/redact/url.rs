//! Credentials inside an address.

use super::{Hit, run, value};

/// `://user:password@` and `://token@`, from the colon.
pub(super) fn credentials(text: &str, at: usize) -> Option<Hit> {
    let bytes = text.as_bytes();
    if !bytes[at..].starts_with(b"://") {
        return None;
    }
    let start = at + 3;
    let end = run(bytes, start, 1024, |b| !b.is_ascii_whitespace() && !b"/\"'`<>\\|".contains(&b));
    let at_sign = start + text[start..end].rfind('@')?;
    let user_info = &text[start..at_sign];
    if user_info.contains(super::MARK) {
        return None;
    }
    match user_info.split_once(':') {
        Some((_, "")) => None,
        Some((user, password)) => {
            let from = start + user.len() + 1;
            (!value::is_placeholder(password)).then(|| Hit::new(from..at_sign, "url-password"))
        }
        None => (user_info.len() >= 20 && value::is_mixed(user_info)).then(|| Hit::new(start..at_sign, "url-token")),
    }
}
