//! Which project a directory belongs to, and where that project's data lies.
//!
//! Identity (D14): the repository's common git directory, so that worktrees and subfolders are one project; without
//! git, the canonical folder. Nothing here starts a process: a hook calls it.

pub(crate) mod own_file;

use crate::error::{Error, Result};
use crate::text;
use std::io::Write;
use std::path::{Component, Path, PathBuf};

/// A project: its root in the working tree, and the place that identifies it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// The top folder of the working tree; paths in memory are relative to it.
    pub root: PathBuf,
    /// The common git directory, or the root where there is no git.
    pub identity: PathBuf,
    /// The repository's `.git` folder of this working tree, where there is one.
    pub git_dir: Option<PathBuf>,
}

impl Project {
    /// Finds the project that `dir` belongs to.
    ///
    /// # Errors
    /// `InvalidArgument` if `dir` is empty or does not exist, or if it is `/` or the user's home.
    pub fn find(dir: &Path) -> Result<Project> {
        if dir.as_os_str().is_empty() {
            return Err(Error::invalid("the project directory is empty; name one, or run inside one"));
        }
        let dir = dir
            .canonicalize()
            .map_err(|e| Error::invalid(format!("no project at \"{}\"", dir.display())).with_source(e))?;
        let home = std::env::var_os("HOME").map(PathBuf::from).and_then(|h| h.canonicalize().ok());
        Project::of_folder(&dir, home.as_deref())
    }

    fn of_folder(dir: &Path, home: Option<&Path>) -> Result<Project> {
        // A repository at home, or at the root, does not make one project of everything below.
        let is_place_of_all = |d: &Path| d.parent().is_none() || home == Some(d);
        for root in dir.ancestors().take_while(|d| !is_place_of_all(d)) {
            if let Some((git_dir, identity)) = git_dirs(root) {
                return Ok(Project { root: root.to_owned(), identity, git_dir: Some(git_dir) });
            }
        }
        if is_place_of_all(dir) {
            return Err(Error::invalid(format!(
                "\"{}\" is no project; go into a folder of your own work",
                dir.display()
            )));
        }
        Ok(Project { root: dir.to_owned(), identity: dir.to_owned(), git_dir: None })
    }

    /// The name of the project's data folder: 16 hexadecimal digits of the identity's SHA-256.
    pub fn hash(&self) -> String {
        text::digest::<8>(self.identity.as_os_str().as_encoded_bytes())
    }

    /// `path` as memory keeps it: relative to the root with forward slashes. A path outside the project stays absolute;
    /// a relative one is taken from `cwd`.
    pub fn relative(&self, path: &str, cwd: &Path) -> String {
        relative_to(&self.root, path, cwd)
    }

    /// The globs of the project's `.engramignore`, one a line; `#` begins a comment. A file of the project can only
    /// reduce what is captured (T-6).
    pub fn ignored(&self) -> Vec<String> {
        let lines = small_text(&self.root.join(".engramignore")).unwrap_or_default();
        lines.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')).map(str::to_owned).collect()
    }

    /// The commit or branch that `HEAD` names, read from the git directory: 40 hexadecimal digits, or `ref: NAME` on a
    /// branch without a commit yet.
    pub fn git_head(&self) -> Option<String> {
        let git_dir = self.git_dir.as_ref()?;
        let head = small_text(&git_dir.join("HEAD"))?.trim().to_owned();
        let Some(name) = head.strip_prefix("ref: ") else { return Some(head).filter(|h| is_commit(h)) };
        if !is_reference(name) {
            return None;
        }
        let loose = [git_dir, &self.identity].iter().find_map(|d| small_text(&d.join(name)));
        let commit = loose.map(|l| l.trim().to_owned()).or_else(|| packed_ref(&self.identity, name));
        commit.map_or(Some(head.clone()), |c| Some(c).filter(|c| is_commit(c)))
    }

    /// The name of the branch that is checked out.
    pub fn git_branch(&self) -> Option<String> {
        let head = small_text(&self.git_dir.as_ref()?.join("HEAD"))?;
        let name = head.trim().strip_prefix("ref: ").filter(|n| is_reference(n))?;
        name.strip_prefix("refs/heads/").map(str::to_owned)
    }
}

fn packed_ref(common: &Path, name: &str) -> Option<String> {
    let packed = own_file::foreign_text(&common.join("packed-refs"), 4 << 20)?;
    packed.lines().find_map(|l| l.strip_suffix(name)?.strip_suffix(' ').map(str::to_owned))
}

/// A file of a repository, which may be anybody's: a regular file of at most 64 KiB, not through a link, never one that
/// would make a hook wait.
fn small_text(path: &Path) -> Option<String> {
    own_file::foreign_text(path, 64 << 10)
}

/// A name that git itself allows. It is joined to a folder, so it must stay inside, and told to an agent, so it must be
/// one plain word.
fn is_reference(name: &str) -> bool {
    let allowed = |c: char| !c.is_control() && !c.is_whitespace() && !"~^:?*[\\".contains(c);
    let inside = |part: &str| !part.is_empty() && !part.starts_with('.');
    name.starts_with("refs/") && name.len() <= 255 && name.chars().all(allowed) && name.split('/').all(inside)
}

/// A commit id: SHA-1 or SHA-256 in hexadecimal.
fn is_commit(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// The git directory of a working tree's root and the common directory of its repository.
fn git_dirs(root: &Path) -> Option<(PathBuf, PathBuf)> {
    let dot_git = root.join(".git");
    let kind = std::fs::symlink_metadata(&dot_git).ok()?;
    if kind.is_dir() {
        return dot_git.join("HEAD").exists().then(|| (dot_git.clone(), dot_git));
    }
    let link = small_text(&dot_git)?;
    let git_dir = root.join(link.trim().strip_prefix("gitdir: ")?).canonicalize().ok()?;
    let common = match small_text(&git_dir.join("commondir")) {
        Some(c) => git_dir.join(c.trim()).canonicalize().ok()?,
        None => git_dir.clone(),
    };
    Some((git_dir, common))
}

/// `path` relative to a root that need not exist here (a session recorded elsewhere), by its text alone.
pub(crate) fn relative_by_text(root: &Path, path: &str, cwd: &str) -> String {
    let base = if cwd.is_empty() { root } else { Path::new(cwd) };
    let full = tidy(&base.join(path.replace('\\', "/")));
    slash(full.strip_prefix(root).unwrap_or(&full))
}

fn relative_to(root: &Path, path: &str, cwd: &Path) -> String {
    let full = tidy(&cwd.join(path.replace('\\', "/")));
    if let Ok(inside) = full.strip_prefix(root) {
        return slash(inside);
    }
    // The same file through a symlinked folder: only then is the disk asked.
    let real = full.parent().and_then(|p| p.canonicalize().ok()).and_then(|p| Some(p.join(full.file_name()?)));
    match real.as_deref().map(|r| r.strip_prefix(root)) {
        Some(Ok(inside)) => slash(inside),
        _ => slash(&full),
    }
}

/// `path` without `.` and `..`, by its text alone.
fn tidy(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut out, c| {
        match c {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
        out
    })
}

fn slash(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// Where the data of one project lies (design section 6).
#[derive(Clone, Debug)]
pub struct DataDir {
    dir: PathBuf,
}

impl DataDir {
    /// The data folder of `project` below `home`.
    pub fn of(home: &Path, project: &Project) -> DataDir {
        DataDir { dir: home.join("projects").join(project.hash()) }
    }

    /// A data folder at a known place.
    pub fn at(dir: PathBuf) -> DataDir {
        DataDir { dir }
    }

    /// Every project's data folder below `home`, by name.
    pub fn all(home: &Path) -> impl Iterator<Item = DataDir> {
        let entries = std::fs::read_dir(home.join("projects")).into_iter().flatten();
        let mut dirs: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
        dirs.sort();
        dirs.into_iter().map(DataDir::at)
    }

    /// Makes the folder and its subfolders with mode 0700. Costs one `stat` when they exist.
    pub fn create(&self) -> Result<()> {
        for dir in [self.events(), self.episodes(), self.state()] {
            if dir.is_dir() {
                continue;
            }
            let mut builder = std::fs::DirBuilder::new();
            builder.recursive(true);
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            builder.create(&dir).map_err(|e| Error::io("create", &dir, e))?;
        }
        Ok(())
    }

    /// [`DataDir::create`], and `project.json`, which says to people and to other projects whose data this is.
    pub fn create_for(&self, project: &Project) -> Result<()> {
        self.create()?;
        let path = self.dir.join("project.json");
        if path.exists() {
            return Ok(());
        }
        let about = serde_json::json!({"v": 1, "root": project.root, "identity": project.identity});
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path).map_err(|e| Error::io("create", &path, e))?;
        writeln!(file, "{about}").map_err(|e| Error::io("write", &path, e))
    }

    /// The root of the project whose data this is, as `project.json` says; the folder itself where that is missing.
    pub fn root(&self) -> String {
        let about = std::fs::read_to_string(self.dir.join("project.json")).unwrap_or_default();
        let about: serde_json::Value = serde_json::from_str(&about).unwrap_or_default();
        about["root"].as_str().map_or_else(|| self.dir.display().to_string(), str::to_owned)
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.dir
    }

    /// Its name: the project's hash.
    pub fn name(&self) -> &str {
        self.dir.file_name().and_then(|n| n.to_str()).unwrap_or_default()
    }

    /// Event logs, one file a session.
    pub fn events(&self) -> PathBuf {
        self.dir.join("events")
    }

    /// Episode files, one a session.
    pub fn episodes(&self) -> PathBuf {
        self.dir.join("episodes")
    }

    /// What can be derived from the logs again: folded session state, pending warnings.
    pub fn state(&self) -> PathBuf {
        self.dir.join("state")
    }

    /// Warnings that wait for a session's next hook; `stem` is the session's file name.
    pub fn warnings_of(&self, stem: &str) -> PathBuf {
        self.state().join(format!("{stem}.warnings.jsonl"))
    }

    /// The database.
    pub fn database(&self) -> PathBuf {
        self.dir.join("engram.db")
    }

    /// What only the user can say, append-only.
    pub fn user_log(&self) -> PathBuf {
        self.dir.join("user.jsonl")
    }

    /// The greppable log of memory changes and recalls.
    pub fn memory_log(&self) -> PathBuf {
        self.dir.join("memory.log")
    }

    /// The lock of whoever consolidates; the OS drops it with its holder.
    pub fn lock_file(&self) -> PathBuf {
        self.dir.join("consolidate.lock")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn git_repo(dir: &Path) {
        std::fs::create_dir_all(dir.join(".git")).unwrap();
        std::fs::write(dir.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    }

    #[test]
    fn a_subfolder_and_a_worktree_are_one_project() {
        let tmp = tempfile::tempdir().unwrap();
        let main = tmp.path().join("main");
        git_repo(&main);
        std::fs::create_dir_all(main.join("src/deep")).unwrap();
        let worktree = tmp.path().join("wt");
        std::fs::create_dir_all(&worktree).unwrap();
        let link = main.join(".git/worktrees/wt");
        std::fs::create_dir_all(&link).unwrap();
        std::fs::write(link.join("HEAD"), "ref: refs/heads/topic\n").unwrap();
        std::fs::write(link.join("commondir"), "../..\n").unwrap();
        std::fs::write(worktree.join(".git"), format!("gitdir: {}\n", link.display())).unwrap();

        let (a, b, c) = (
            Project::find(&main).unwrap(),
            Project::find(&main.join("src/deep")).unwrap(),
            Project::find(&worktree).unwrap(),
        );
        assert_eq!(a.hash(), b.hash());
        assert_eq!(a.hash(), c.hash());
        assert_eq!(c.git_branch().as_deref(), Some("topic"));
        assert_ne!(a.root, c.root);
    }

    #[test]
    fn two_folders_without_git_are_two_projects_and_root_is_none() {
        let tmp = tempfile::tempdir().unwrap();
        for d in ["a", "b"] {
            std::fs::create_dir(tmp.path().join(d)).unwrap();
        }
        let (a, b) = (Project::find(&tmp.path().join("a")).unwrap(), Project::find(&tmp.path().join("b")).unwrap());
        assert_ne!(a.hash(), b.hash());
        assert!(Project::find(Path::new("/")).is_err());
        assert!(Project::find(Path::new("")).is_err());
        assert!(Project::find(&tmp.path().join("gone")).is_err());
    }

    #[test]
    fn a_repository_at_home_is_not_the_project_of_what_lies_below() {
        let tmp = tempfile::tempdir().unwrap();
        let home = tmp.path().canonicalize().unwrap();
        git_repo(&home);
        let (plain, own) = (home.join("plain"), home.join("own"));
        std::fs::create_dir(&plain).unwrap();
        git_repo(&own);
        let root = |dir: &Path| Project::of_folder(dir, Some(&home)).map(|p| p.root);
        assert_eq!(root(&plain).unwrap(), plain);
        assert_eq!(root(&own).unwrap(), own);
        assert!(root(&home).is_err());
        assert_eq!(Project::of_folder(&plain, None).unwrap().root, home, "elsewhere it is the repository's");
    }

    #[test]
    fn paths_are_relative_to_the_root_whatever_the_working_directory() {
        let tmp = tempfile::tempdir().unwrap();
        git_repo(tmp.path());
        std::fs::create_dir_all(tmp.path().join("src")).unwrap();
        let p = Project::find(tmp.path()).unwrap();
        let src = p.root.join("src");
        assert_eq!(p.relative("a.rs", &src), "src/a.rs");
        assert_eq!(p.relative("../b.rs", &src), "b.rs");
        assert_eq!(p.relative(&p.root.join("src/./c.rs").to_string_lossy(), Path::new("/")), "src/c.rs");
        assert_eq!(p.relative("/etc/hosts", &src), "/etc/hosts");
    }

    #[test]
    fn files_of_a_repository_are_read_with_care() {
        let tmp = tempfile::tempdir().unwrap();
        git_repo(tmp.path());
        let project = Project::find(tmp.path()).unwrap();
        std::fs::write(tmp.path().join("secret"), "not a commit").unwrap();
        let head = |text: String| {
            std::fs::write(tmp.path().join(".git/HEAD"), text).unwrap();
            project.git_head()
        };
        assert_eq!(head(format!("ref: {}\n", tmp.path().join("secret").display())), None);
        assert_eq!(head("ref: refs/../../secret\n".into()), None);
        assert_eq!(head("anything\n".into()), None);
        assert_eq!(head("ref: refs/heads/x y\n".into()), None);
        std::fs::create_dir_all(tmp.path().join(".git/refs/heads")).unwrap();
        std::fs::write(tmp.path().join(".git/refs/heads/odd"), "no commit\n").unwrap();
        assert_eq!(head("ref: refs/heads/odd\n".into()), None);
        assert_eq!(head(format!("ref: refs/heads/{}\n", "x".repeat(300))), None);
        assert_eq!(project.git_branch(), None);
        assert_eq!(head("ref: refs/heads/main\n".into()).as_deref(), Some("ref: refs/heads/main"));
        assert_eq!(head("0123456789".repeat(4)), Some("0123456789".repeat(4)));
        // A link, a pipe that nobody writes to, and a huge file are as good as none.
        std::os::unix::fs::symlink("/dev/zero", tmp.path().join(".engramignore")).unwrap();
        assert!(project.ignored().is_empty());
        std::fs::remove_file(tmp.path().join(".engramignore")).unwrap();
        let fifo = tmp.path().join(".engramignore");
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        assert!(project.ignored().is_empty());
    }
}
