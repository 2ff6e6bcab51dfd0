//! What a folder holds, for comparing before and after.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// One entry: its mode and a digest of its content (0 for folders).
pub type Entry = (u32, u64);

/// Every entry below `root` by its path, without those below `except`. Links are not followed.
pub fn tree(root: &Path, except: &Path) -> BTreeMap<PathBuf, Entry> {
    let mut found = BTreeMap::new();
    walk(root, except, &mut found);
    found
}

fn walk(dir: &Path, except: &Path, found: &mut BTreeMap<PathBuf, Entry>) {
    for path in std::fs::read_dir(dir).into_iter().flatten().filter_map(|e| Some(e.ok()?.path())) {
        if path == except {
            continue;
        }
        let Ok(meta) = path.symlink_metadata() else { continue };
        let content = if meta.is_file() { digest(&std::fs::read(&path).unwrap_or_default()) } else { 0 };
        found.insert(path.clone(), (meta.permissions().mode(), content));
        if meta.is_dir() {
            walk(&path, except, found);
        }
    }
}

fn digest(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// Copies a folder with everything in it; modes are kept.
///
/// # Panics
/// If something cannot be copied.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for path in std::fs::read_dir(from).expect("a folder").filter_map(|e| Some(e.ok()?.path())) {
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).expect("a copy");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Change = fn(&Path);

    #[test]
    fn every_change_shows() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a/b");
        std::fs::create_dir(dir.path().join("a")).unwrap();
        std::fs::write(&file, "one").unwrap();
        let before = tree(dir.path(), Path::new(""));
        let changes: [(&str, Change); 3] = [
            ("content", |f| std::fs::write(f, "two").unwrap()),
            ("mode", |f| std::fs::set_permissions(f, std::fs::Permissions::from_mode(0o600)).unwrap()),
            ("a new file", |f| std::fs::write(f.with_file_name("new"), "").unwrap()),
        ];
        let mut last = before.clone();
        for (what, change) in changes {
            change(&file);
            let now = tree(dir.path(), Path::new(""));
            assert_ne!(now, last, "{what}");
            last = now;
        }
        assert!(tree(dir.path(), &dir.path().join("a")).is_empty());
    }
}
