//! What kind of file a path names, and how its language writes comments and strings.

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    Source,
    Test,
    Documentation,
    Manifest,
    Lockfile,
    Config,
}

/// How a language marks comments and strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Language {
    /// A short name that patterns filter by.
    pub(crate) name: &'static str,
    /// What opens a comment that ends with the line.
    pub(crate) line_comments: &'static [&'static str],
    /// What opens and closes a comment over lines.
    pub(crate) block_comment: Option<(&'static str, &'static str)>,
    /// Which characters quote strings.
    pub(crate) quotes: &'static str,
    /// Whether a string is text to the program (and is hidden from the rules) or plain data of the file.
    pub(crate) strings_are_text: bool,
}

const SLASHES: &[&str] = &["//"];
const HASH: &[&str] = &["#"];
const C_BLOCK: Option<(&str, &str)> = Some(("/*", "*/"));

const fn c_like(name: &'static str, quotes: &'static str) -> Language {
    Language { name, line_comments: SLASHES, block_comment: C_BLOCK, quotes, strings_are_text: true }
}

const fn hashed(name: &'static str, strings_are_text: bool) -> Language {
    Language { name, line_comments: HASH, block_comment: None, quotes: "\"'", strings_are_text }
}

const fn data(name: &'static str, line_comments: &'static [&'static str]) -> Language {
    Language { name, line_comments, block_comment: None, quotes: "\"'", strings_are_text: false }
}

const PLAIN: Language = data("other", &[]);
const HTML: Language =
    Language { block_comment: Some(("<!--", "-->")), quotes: "", strings_are_text: false, ..data("html", &[]) };
const SQL: Language = Language { block_comment: C_BLOCK, quotes: "'", ..data("sql", &["--"]) };
const CSS: Language = Language { block_comment: C_BLOCK, ..data("css", &[]) };
const TERRAFORM: Language = Language { block_comment: C_BLOCK, quotes: "\"", ..data("terraform", &["#", "//"]) };
const PHP: Language = Language { line_comments: &["//", "#"], ..c_like("php", "\"'") };
const PYTHON: Language = Language { block_comment: Some(("\"\"\"", "\"\"\"")), ..hashed("python", true) };

const BY_EXTENSION: &[(&[&str], Language)] = &[
    (&["rs"], c_like("rust", "\"")),
    (&["go"], c_like("go", "\"`")),
    (&["js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "vue", "svelte"], c_like("js", "\"'`")),
    (&["py", "pyi"], PYTHON),
    (&["java"], c_like("java", "\"")),
    (&["kt", "kts"], c_like("kotlin", "\"")),
    (&["scala"], c_like("scala", "\"")),
    (&["swift"], c_like("swift", "\"")),
    (&["cs"], c_like("csharp", "\"")),
    (&["c", "h"], c_like("c", "\"")),
    (&["cc", "cpp", "cxx", "hpp", "hh", "hxx", "ino"], c_like("cpp", "\"")),
    (&["m", "mm"], c_like("objc", "\"")),
    (&["dart"], c_like("dart", "\"'")),
    (&["zig"], c_like("zig", "\"")),
    (&["proto"], c_like("proto", "\"")),
    (&["groovy", "gradle"], c_like("groovy", "\"'")),
    (&["php"], PHP),
    (&["rb", "rake", "gemspec"], hashed("ruby", true)),
    (&["ex", "exs"], hashed("elixir", true)),
    (&["r", "jl", "pl", "pm"], hashed("script", true)),
    (&["sh", "bash", "zsh", "fish"], hashed("shell", false)),
    (&["sql"], SQL),
    (&["lua", "hs", "elm"], Language { strings_are_text: true, ..data("lua", &["--"]) }),
    (&["yml", "yaml"], data("yaml", HASH)),
    (&["toml"], data("toml", HASH)),
    (&["ini", "cfg", "conf", "properties", "env"], data("ini", &["#", ";"])),
    (&["json", "json5", "jsonc"], data("json", SLASHES)),
    (&["tf", "tfvars", "hcl"], TERRAFORM),
    (&["css", "scss", "sass", "less"], CSS),
    (&["html", "htm", "xml", "xhtml", "svg", "erb", "hbs", "jinja", "j2", "twig", "ejs", "csproj"], HTML),
    (&["graphql", "gql"], data("graphql", HASH)),
    (&["mk", "cmake"], data("make", HASH)),
    (&["md", "mdx", "rst", "adoc", "txt", "tex"], data("prose", &[])),
];

const BY_NAME: &[(&str, Language)] = &[
    ("dockerfile", data("docker", HASH)),
    ("containerfile", data("docker", HASH)),
    ("cmakelists.txt", data("make", HASH)),
    ("makefile", data("make", HASH)),
    ("gemfile", hashed("ruby", true)),
    ("rakefile", hashed("ruby", true)),
    ("jenkinsfile", c_like("groovy", "\"'")),
    ("go.mod", data("gomod", SLASHES)),
    (".env", data("ini", HASH)),
    ("requirements", data("python-requirements", HASH)),
];

/// The language of a path, by its name or extension.
pub(crate) fn language(path: &str) -> Language {
    let name = file_name(path).to_lowercase();
    if let Some((_, l)) = BY_NAME.iter().find(|(n, _)| name.starts_with(n)) {
        return *l;
    }
    let extension = name.rsplit_once('.').map_or("", |(_, e)| e);
    BY_EXTENSION.iter().find(|(e, _)| e.contains(&extension)).map_or(PLAIN, |(_, l)| *l)
}

const LOCKFILES: &[&str] = &[
    "cargo.lock",
    "package-lock.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lockb",
    "bun.lock",
    "poetry.lock",
    "uv.lock",
    "pipfile.lock",
    "go.sum",
    "gemfile.lock",
    "composer.lock",
    "mix.lock",
    "pubspec.lock",
    "gradle.lockfile",
    "flake.lock",
];

const MANIFESTS: &[&str] = &[
    "cargo.toml",
    "package.json",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "pipfile",
    "go.mod",
    "gemfile",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "libs.versions.toml",
    "composer.json",
    "mix.exs",
    "pubspec.yaml",
    "package.swift",
    "podfile",
    "environment.yml",
    "deno.json",
    "build.sbt",
    "conanfile.txt",
    "vcpkg.json",
];

const TEST_FOLDERS: &[&str] =
    &["test", "tests", "__tests__", "spec", "specs", "e2e", "testing", "testdata", "androidtest", "integration_test"];
const TEST_MARKS: &[&str] = &["_test.", ".test.", ".spec.", "_spec.", "-test.", "_tests."];
const DOCUMENT_FOLDERS: &[&str] = &["doc", "docs", "documentation", "changelog", "changelogs", "adr"];
const CONFIG_LANGUAGES: &[&str] = &["yaml", "toml", "ini", "json", "terraform", "docker", "make", "html"];

/// What the file at `path` is for, by its path alone.
pub(crate) fn kind(path: &str) -> FileKind {
    let name = file_name(path);
    let lower = name.to_lowercase();
    let language = language(path).name;
    if LOCKFILES.contains(&lower.as_str()) {
        FileKind::Lockfile
    } else if MANIFESTS.contains(&lower.as_str()) || lower.starts_with("requirements") || lower.ends_with(".csproj") {
        FileKind::Manifest
    } else if language == "prose" || in_folder(path, DOCUMENT_FOLDERS) && language == "other" {
        FileKind::Documentation
    } else if is_test(path, name, &lower) {
        FileKind::Test
    } else if CONFIG_LANGUAGES.contains(&language) || lower.contains("config.") || lower.ends_with("rc.js") {
        FileKind::Config
    } else {
        FileKind::Source
    }
}

fn is_test(path: &str, name: &str, lower: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name);
    lower.starts_with("test_")
        || lower == "conftest.py"
        || TEST_MARKS.iter().any(|m| lower.contains(m))
        || ["Test", "Tests", "Spec", "IT"].iter().any(|s| stem.len() > s.len() && stem.ends_with(s))
        || in_folder(path, TEST_FOLDERS)
}

fn in_folder(path: &str, folders: &[&str]) -> bool {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    parts.iter().any(|p| folders.contains(&p.to_lowercase().as_str()))
}

/// The last component of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_follow_the_path() {
        for (path, want) in [
            ("src/main.rs", FileKind::Source),
            ("src/_pytest/fixtures.py", FileKind::Source),
            ("tests/test_api.py", FileKind::Test),
            ("pkg/where_test.go", FileKind::Test),
            ("src/FooTest.java", FileKind::Test),
            ("web/a.spec.ts", FileKind::Test),
            ("Cargo.toml", FileKind::Manifest),
            ("api/requirements-dev.txt", FileKind::Manifest),
            ("yarn.lock", FileKind::Lockfile),
            ("README.md", FileKind::Documentation),
            (".github/workflows/ci.yml", FileKind::Config),
            ("deploy/Dockerfile.prod", FileKind::Config),
            (".eslintrc.js", FileKind::Config),
        ] {
            assert_eq!(kind(path), want, "{path}");
        }
    }

    #[test]
    fn languages_follow_name_and_extension() {
        for (path, want) in
            [("a/Dockerfile", "docker"), ("x.tsx", "js"), ("go.mod", "gomod"), ("Gemfile", "ruby"), ("noext", "other")]
        {
            assert_eq!(language(path).name, want, "{path}");
        }
    }
}
