//! What a shell step does to files: reads, searches, writes.

use super::plan::Step;
use crate::capture::event::WriteKind;

/// A file that a step changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Touched {
    pub(crate) path: String,
    pub(crate) kind: WriteKind,
    pub(crate) renamed_from: Option<String>,
    /// The whole new content or what was appended, where the command says it.
    pub(crate) content: Option<String>,
    pub(crate) append: bool,
}

/// What a search looked for, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Looked {
    pub(crate) query: String,
    pub(crate) path: Option<String>,
}

/// The effect of one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Files were changed.
    Write(Vec<Touched>),
    /// A patch in the format of `apply_patch`.
    Patch(String),
    /// Files were printed.
    Read(Vec<String>),
    /// Names or contents were searched.
    Search(Looked),
}

/// Programs that print files: the flags that take a value, and how many arguments come before the files.
const READERS: &[(&str, &[&str], usize)] = &[
    ("cat", &[], 0),
    ("head", &["-n", "-c"], 0),
    ("tail", &["-n", "-c"], 0),
    ("nl", &["-b", "-s", "-w", "-v"], 0),
    ("less", &[], 0),
    ("more", &[], 0),
    ("bat", &["-r", "--line-range", "-l", "--language", "--style", "-H"], 0),
    ("batcat", &["-r", "--line-range", "-l", "--language", "--style", "-H"], 0),
    ("tac", &[], 0),
    ("sed", &["-e", "-f"], 1),
    ("awk", &["-F", "-v", "-f"], 1),
    ("gawk", &["-F", "-v"], 1),
    ("jq", &["--arg", "--argjson"], 1),
    ("yq", &[], 1),
    ("xxd", &["-l", "-s", "-c"], 0),
    ("hexdump", &["-n", "-s"], 0),
    ("strings", &["-n"], 0),
    ("Get-Content", &["-TotalCount", "-Tail", "-Encoding"], 0),
    ("gc", &["-TotalCount", "-Tail"], 0),
    ("type", &[], 0),
];
const GREP_VALUES: &[&str] = &[
    "-A",
    "-B",
    "-C",
    "-m",
    "-g",
    "-t",
    "-T",
    "-f",
    "--glob",
    "--type",
    "--include",
    "--exclude",
    "--exclude-dir",
    "--max-count",
    "--context",
    "-d",
    "-j",
    "--max-depth",
    "-E",
    "-S",
    "--sort",
];

/// What the step does to files; nothing if it is another command.
pub(crate) fn effect(step: &Step) -> Option<Effect> {
    let program = step.program();
    if let Some(written) = redirected(step) {
        return Some(written);
    }
    match program {
        "apply_patch" | "applypatch" => patch(step),
        "tee" | "sponge" => files(step, &[], 0).map(|f| write_content(step, f, step.args().iter().any(|a| a == "-a"))),
        "sed" | "gsed" | "perl" if edits_in_place(step) => files(step, &["-e", "-f"], script_words(step)).map(updated),
        "mv" | "cp" => moved(step, step.args(), program == "mv"),
        "rm" | "unlink" | "trash" => files(step, &[], 0).map(deleted),
        "touch" => files(step, &["-d", "-t", "-r"], 0).map(|f| write_content(step, f, true)),
        "git" => git(step),
        "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ack" | "ugrep" => search(step, step.args(), true),
        "fd" | "fdfind" => search(step, step.args(), true),
        "find" => Some(Effect::Search(find(step))),
        "ls" | "tree" | "eza" | "exa" | "dir" | "Get-ChildItem" => listing(step),
        _ => read(step, program),
    }
}

fn read(step: &Step, program: &str) -> Option<Effect> {
    let (_, values, before) = READERS.iter().find(|(p, ..)| *p == program)?;
    let script_in_flag =
        *before == 1 && step.args().iter().any(|a| values.contains(&a.as_str()) && a != "-F" && a != "-v");
    files(step, values, if script_in_flag { 0 } else { *before }).map(Effect::Read)
}

/// `cat > f <<EOF`, `echo x > f`: the content is known. Output of other programs into a file is no edit.
fn redirected(step: &Step) -> Option<Effect> {
    let target = step.outputs.iter().find(|o| is_file(&o.path))?;
    let content = match step.program() {
        "cat" if step.args().is_empty() => step.heredoc.clone(),
        "" => Some(String::new()),
        "echo" => {
            let words = step.args().iter().skip_while(|a| matches!(a.as_str(), "-e" | "-n" | "-E"));
            Some(words.cloned().collect::<Vec<_>>().join(" ") + "\n")
        }
        "printf" => step.args().first().map(|a| a.replace("\\n", "\n")),
        _ => return None,
    };
    let (kind, path) = (if target.append { WriteKind::Update } else { WriteKind::Create }, step.path(&target.path));
    Some(Effect::Write(vec![Touched { path, kind, content, append: target.append, ..Touched::default() }]))
}

fn write_content(step: &Step, paths: Vec<String>, append: bool) -> Effect {
    let kind = if append { WriteKind::Update } else { WriteKind::Create };
    let one = |path| Touched { path, kind, content: step.heredoc.clone(), append, ..Touched::default() };
    Effect::Write(paths.into_iter().map(one).collect())
}

fn updated(paths: Vec<String>) -> Effect {
    Effect::Write(paths.into_iter().map(|path| Touched { path, ..Touched::default() }).collect())
}

fn deleted(paths: Vec<String>) -> Effect {
    let gone = |path| Touched { path, kind: WriteKind::Delete, ..Touched::default() };
    Effect::Write(paths.into_iter().map(gone).collect())
}

fn patch(step: &Step) -> Option<Effect> {
    let text = step.heredoc.clone().or_else(|| step.args().first().cloned())?;
    text.contains("*** ").then_some(Effect::Patch(text))
}

fn moved(step: &Step, args: &[String], is_move: bool) -> Option<Effect> {
    let mut names = plain(args, &["-t", "-S"]);
    let to = names.pop().filter(|t| is_file(t))?;
    let into_folder = names.len() > 1 || to.ends_with('/');
    let one = |from: &&str| {
        let name = from.trim_end_matches('/').rsplit('/').next().unwrap_or(from);
        let path = if into_folder { format!("{}/{name}", to.trim_end_matches('/')) } else { to.to_owned() };
        let (kind, renamed_from) =
            if is_move { (WriteKind::Update, Some(step.path(from))) } else { (WriteKind::Create, None) };
        Touched { path: step.path(&path), kind, renamed_from, ..Touched::default() }
    };
    let touched: Vec<Touched> = names.iter().filter(|n| is_file(n)).map(one).collect();
    (!touched.is_empty()).then_some(Effect::Write(touched))
}

fn git(step: &Step) -> Option<Effect> {
    let args = step.args();
    let at = args.iter().position(|a| !a.starts_with('-'))?;
    let rest = &args[at + 1..];
    let paths = |values: &[&str]| {
        let kept: Vec<String> = plain(rest, values).into_iter().filter(|p| is_file(p)).map(|p| step.path(p)).collect();
        (!kept.is_empty()).then_some(kept)
    };
    match args[at].as_str() {
        "mv" => moved(step, rest, true),
        "rm" if !rest.iter().any(|a| a == "--cached") => paths(&[]).map(deleted),
        "restore" if !rest.iter().any(|a| a == "--staged" || a == "-S") => paths(&["--source", "-s"]).map(updated),
        "checkout" if !rest.iter().any(|a| matches!(a.as_str(), "-b" | "-B" | "--orphan" | "-t" | "--track")) => {
            let chooses = rest.iter().any(|a| a == "--ours" || a == "--theirs");
            let named = match rest.iter().position(|a| a == "--") {
                Some(dashes) => &rest[dashes + 1..],
                None => rest,
            };
            let certain = named.len() < rest.len() || chooses;
            let names = named.iter().filter(|p| !p.starts_with('-') && is_file(p) && (certain || is_path_of_files(p)));
            let files: Vec<String> = names.map(|p| step.path(p)).collect();
            (!files.is_empty()).then(|| updated(files))
        }
        "grep" => search(step, rest, true),
        "ls-files" => Some(Effect::Search(Looked { query: rest.join(" "), path: None })),
        _ => None,
    }
}

/// Whether a word of `git checkout` names files and no branch: a folder with its slash, or a name with an ending.
fn is_path_of_files(word: &str) -> bool {
    let ending = || word.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, ending)| ending);
    word.ends_with('/')
        || ending().is_some_and(|e| {
            e != "x" && (1..=5).contains(&e.len()) && e.bytes().next().is_some_and(|b| b.is_ascii_alphabetic())
        })
}

fn search(step: &Step, args: &[String], pattern_first: bool) -> Option<Effect> {
    let by_flag = args.iter().position(|a| a == "-e" || a == "--regexp").and_then(|i| args.get(i + 1));
    let values: Vec<&str> = GREP_VALUES.iter().copied().chain(["-e", "--regexp"]).collect();
    let mut names = plain(args, &values).into_iter();
    let listing = args.iter().any(|a| a == "--files" || a == "-files");
    let query = match by_flag {
        Some(pattern) => pattern.clone(),
        None if pattern_first && !listing => names.next().unwrap_or("").to_owned(),
        None => String::new(),
    };
    let path = names.next().filter(|p| is_file(p)).map(|p| step.path(p));
    Some(Effect::Search(Looked { query, path }))
}

fn find(step: &Step) -> Looked {
    let args = step.args();
    let name = args.iter().position(|a| matches!(a.as_str(), "-name" | "-iname" | "-path" | "-regex" | "-wholename"));
    let query = name.and_then(|i| args.get(i + 1)).cloned().unwrap_or_default();
    let path = args.first().filter(|a| !a.starts_with('-') && is_file(a)).map(|p| step.path(p));
    Looked { query, path }
}

fn listing(step: &Step) -> Option<Effect> {
    let names = plain(step.args(), &["-L", "-I"]);
    let path = names.first().filter(|p| is_file(p)).map(|p| step.path(p));
    Some(Effect::Search(Looked { query: names.join(" "), path }))
}

fn edits_in_place(step: &Step) -> bool {
    let short = |a: &str| a.starts_with('-') && !a.starts_with("--") && a.contains('i');
    step.args().iter().any(|a| a.starts_with("--in-place") || short(a))
}

/// The words before the files of an in-place edit: its script, and the empty suffix of BSD's `-i ''`.
fn script_words(step: &Step) -> usize {
    let args = step.args();
    let script = usize::from(!args.iter().any(|a| a == "-e" || a == "-pe" || a == "-pie" || a == "-f"));
    let perl_script = usize::from(args.iter().any(|a| a == "-pe" || a == "-pie"));
    script + perl_script + usize::from(args.iter().any(String::is_empty))
}

/// The file arguments of a step, after `before` other words; nothing if none is a plain file.
fn files(step: &Step, values: &[&str], before: usize) -> Option<Vec<String>> {
    let names = plain(step.args(), values);
    let kept: Vec<String> = names.iter().skip(before).filter(|p| is_file(p)).map(|p| step.path(p)).collect();
    (!kept.is_empty()).then_some(kept)
}

/// Arguments that are neither flags nor their values.
fn plain<'a>(args: &'a [String], values: &[&str]) -> Vec<&'a str> {
    let mut out = Vec::new();
    let (mut skip, mut only_names) = (false, false);
    for arg in args {
        if skip {
            skip = false;
        } else if arg == "--" && !only_names {
            only_names = true;
        } else if !only_names && arg.starts_with('-') && arg.len() > 1 {
            skip = values.contains(&arg.as_str());
        } else {
            out.push(arg.as_str());
        }
    }
    out
}

/// A name that can be a file: no pattern, variable or device.
fn is_file(path: &str) -> bool {
    !path.is_empty()
        && path != "-"
        && path.len() < 1024
        && !path.contains(['*', '$', '`', '?', '{', '\n'])
        && !["/dev/", "/proc/", "&"].iter().any(|p| path.starts_with(p))
}

#[cfg(test)]
mod tests {
    use super::super::plan::plan;
    use super::*;

    fn of(command: &str) -> Option<Effect> {
        effect(&plan(command).steps[0])
    }

    #[test]
    fn reads_are_recognised() {
        let cases: &[(&str, &[&str])] = &[
            ("cat calc.py", &["calc.py"]),
            ("cat a.rs b.rs", &["a.rs", "b.rs"]),
            ("sed -n '1,20p' src/a.rs", &["src/a.rs"]),
            ("head -n 20 a.rs", &["a.rs"]),
            ("tail -50 a.rs", &["a.rs"]),
            ("nl -ba a.rs", &["a.rs"]),
            ("cd sub && cat x", &["sub/x"]),
            ("jq .name package.json", &["package.json"]),
        ];
        for (command, files) in cases {
            let expected = files.iter().map(|f| (*f).to_owned()).collect();
            assert_eq!(of(command), Some(Effect::Read(expected)), "{command}");
        }
        for command in ["tail -5", "cat *.rs", "cat $f", "cat /dev/null", "git status", "wc -l a.rs", "date"] {
            assert!(!matches!(of(command), Some(Effect::Read(_))), "{command}");
        }
    }

    #[test]
    fn searches_are_recognised() {
        let cases = [
            ("grep -rn \"foo bar\" src", "foo bar", Some("src")),
            ("rg -A 3 pattern file.rs", "pattern", Some("file.rs")),
            ("grep -e x f", "x", Some("f")),
            ("find src -name '*.rs'", "*.rs", Some("src")),
            ("ls -la src", "src", Some("src")),
            ("git grep token", "token", None),
        ];
        for (command, query, path) in cases {
            let looked = Looked { query: query.to_owned(), path: path.map(str::to_owned) };
            assert_eq!(of(command), Some(Effect::Search(looked)), "{command}");
        }
    }

    #[test]
    fn writes_are_recognised() {
        let touched = |command: &str| match of(command) {
            Some(Effect::Write(t)) => t,
            other => panic!("{command}: {other:?}"),
        };
        let t = touched("cat > a.txt <<EOF\nhi\nEOF");
        assert_eq!(
            (t[0].path.as_str(), t[0].content.as_deref(), t[0].kind),
            ("a.txt", Some("hi\n"), WriteKind::Create)
        );
        assert_eq!(touched("echo hello > b.txt")[0].content.as_deref(), Some("hello\n"));
        assert!(touched("echo hello >> b.txt")[0].append);
        assert_eq!(touched("sed -i 's/a/b/' x.rs y.rs").len(), 2);
        assert_eq!(touched("sed -i '' -e 's/a/b/' x.rs")[0].path, "x.rs");
        assert_eq!(touched("perl -pi -e 's/a/b/' x.rs")[0].path, "x.rs");
        assert_eq!(touched("rm -f a b")[1].kind, WriteKind::Delete);
        let t = touched("git mv old.rs new.rs");
        assert_eq!((t[0].path.as_str(), t[0].renamed_from.as_deref()), ("new.rs", Some("old.rs")));
        assert_eq!(touched("mv a/x.md done/")[0].path, "done/x.md");
        assert_eq!(touched("git checkout -- a.rs")[0].path, "a.rs");
        assert_eq!(touched("git checkout src/cart.rs")[0].path, "src/cart.rs");
        assert_eq!(touched("git checkout --ours README Makefile").len(), 2);
        for branch in ["main", "feature/cart", "release/1.2", "1.x", "-b fix.rs", "HEAD~1"] {
            assert_eq!(of(&format!("git checkout {branch}")), None, "{branch}");
        }
        assert_eq!(of("cargo run > out.log"), None);
        assert_eq!(of("echo x > /dev/null"), None);
    }
}
