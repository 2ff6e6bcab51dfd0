//! Paths against globs: `src/**/*.rs`, `*.{ts,tsx}`, `docs/`.

/// Whether `pattern` covers `path`: the same path, a folder above it, or a glob that matches it. A pattern without a
/// slash is looked for at any depth. Costs length of pattern times length of path.
pub(crate) fn covers(pattern: &str, path: &str) -> bool {
    let pattern = pattern.trim().trim_start_matches("./");
    if pattern.is_empty() || pattern.len() > 512 {
        return false;
    }
    alternatives(pattern, 32).iter().any(|p| covers_plain(p, path))
}

fn covers_plain(pattern: &str, path: &str) -> bool {
    if pattern == path || pattern == "*" || pattern == "**" {
        return true;
    }
    let folder = pattern.trim_end_matches('/');
    if path.strip_prefix(folder).is_some_and(|r| r.starts_with('/')) {
        return true;
    }
    let wild = pattern.contains(['*', '?']);
    if !pattern.contains('/') {
        let name = path.rsplit('/').next().unwrap_or(path);
        return if wild { segment(pattern.as_bytes(), name.as_bytes()) } else { name == pattern };
    }
    wild && segments(&pattern.split('/').collect::<Vec<_>>(), &path.split('/').collect::<Vec<_>>())
}

/// `a.{ts,js}` gives `a.ts` and `a.js`; at most `limit` of them.
fn alternatives(pattern: &str, limit: usize) -> Vec<String> {
    let braces = pattern.find('{').and_then(|a| pattern[a..].find('}').map(|b| (a, a + b)));
    let Some((open, close)) = braces.filter(|_| limit > 1) else { return vec![pattern.to_owned()] };
    let mut out = Vec::new();
    for option in pattern[open + 1..close].split(',') {
        let one = format!("{}{option}{}", &pattern[..open], &pattern[close + 1..]);
        let rest = limit.saturating_sub(out.len());
        out.extend(alternatives(&one, rest.min(limit - 1)).into_iter().take(rest));
    }
    out
}

/// Segments against segments; `**` is any number of them. A table, so that no pattern takes exponential time.
fn segments(pattern: &[&str], path: &[&str]) -> bool {
    let mut reached = vec![false; path.len() + 1];
    reached[0] = true;
    for part in pattern {
        let mut next = vec![false; path.len() + 1];
        for at in 0..=path.len() {
            if *part == "**" {
                next[at] = reached[at] || at > 0 && next[at - 1];
            } else if at > 0 && reached[at - 1] {
                next[at] = segment(part.as_bytes(), path[at - 1].as_bytes());
            }
        }
        reached = next;
    }
    reached[path.len()]
}

/// One segment: `*` any run, `?` one byte. On a mismatch only the last star is tried again.
fn segment(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(c) if *c == b'?' || *c == name[n] => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    p = at + 1;
                    n = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_folders_and_globs() {
        for (pattern, path, want) in [
            ("src/a.rs", "src/a.rs", true),
            ("src", "src/deep/a.rs", true),
            ("src/", "srcs/a.rs", false),
            ("src/**/*.rs", "src/a.rs", true),
            ("src/**/*.rs", "src/x/y/a.rs", true),
            ("src/*.rs", "src/x/a.rs", false),
            ("**/*_test.go", "a/b/c_test.go", true),
            ("packages/*/src/**/*.{ts,tsx}", "packages/core/src/x/y.tsx", true),
            ("Dockerfile", "deploy/Dockerfile", true),
            ("*.sql", "db/1.sql", true),
            ("*", "anything/at/all", true),
            ("go.mod", "go.model", false),
            ("", "a", false),
        ] {
            assert_eq!(covers(pattern, path), want, "{pattern} {path}");
        }
    }

    #[test]
    fn hostile_patterns_end_soon() {
        let stars = "*a".repeat(200);
        assert!(!covers(&stars, &"a".repeat(150)));
        assert!(!covers(&format!("{}x", "**/".repeat(150)), &"a/".repeat(400)));
        assert!(!covers(&"{a,b}".repeat(60), "x"));
    }
}
