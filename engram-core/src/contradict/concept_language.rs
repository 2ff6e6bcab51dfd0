//! Notions about the language itself: types, errors, imports, style of code.

use super::concept::{Concept, NONE};

// One notion a paragraph; rustfmt would give each pattern a line of its own.
#[rustfmt::skip]
pub(crate) const TABLE: &[Concept] = &[
    Concept {
        name: "panicking",
        mentions: &["never panic", "panic", "panics", "panicking", "crash the process"],
        shows: &["panic!(", "@go panic(", "todo!(", "unimplemented!(", "@go log.Fatal*", "@swift fatalError("],
        around: &[".unwrap()", ".expect(", "unreachable!(", "process::exit(", "process::abort(", "@go os.Exit("],
        ..NONE
    },
    Concept {
        name: "unwrapping",
        mentions: &["unwrap", "unwraps", "unwrapping"],
        shows: &[".unwrap()", ".unwrap_err()"],
        around: &[".expect(", ".expect_err(", "unwrap_unchecked", "panic!(", "unreachable!("],
        ..NONE
    },
    Concept {
        name: "forced unwrapping",
        mentions: &["force unwrap", "force-unwrap", "forced unwrap", "force unwrapping", "forced unwrapping",
            "non-null assertion", "not-null assertion", "null assertion", "bang operator", "double bang",
            "implicitly unwrapped"],
        shows: &[
            "@kotlin !!", "@swift *! ", "@swift *!.", "@swift *!)", "@swift *)!", "@swift *try!", "@swift *as!",
            "@js *!.",
            "@js *!;", "@dart *!.",
        ],
        around: &[
            "@kotlin requireNotNull(", "@kotlin checkNotNull(", "@kotlin lateinit", "@kotlin as ",
            "@swift unsafelyUnwrapped", "@js as unknown as",
        ],
        ..NONE
    },
    Concept {
        name: "unsafe code",
        mentions: &["unsafe", "unsafe code", "unsafe block"],
        shows: &[
            "@rust unsafe {", "@rust unsafe fn", "@rust unsafe impl", "@go unsafe.*", "@go \"\"unsafe\"",
            "@csharp unsafe", "@java sun.misc.Unsafe", "@java Unsafe.",
        ],
        around: &[
            "unsafe_code & allow*", "@go //go:linkname", "^go:linkname", "@csharp AllowUnsafeBlocks",
            "@java MemorySegment",
        ],
        ..NONE
    },
    Concept {
        name: "the any type",
        mentions: &[
            "`any`", "any type", "type any", "explicit any", "untyped", "typed strictly", "type-safe", "as any",
        ],
        shows: &[
            "@js *: any", "@js as any", "@js *<any>", "@js *<any,", "@js *, any>", "@js any[]", "@python *: Any",
            "@python -> Any", "@python *[Any]", "@python *, Any]", "@go interface{}",
        ],
        around: &[
            "@js as unknown as", "@js as never", "^@ts-ignore", "^@ts-expect-error", "^@ts-nocheck",
            "@js *: Function", "@js *: object", "^type: ignore", "@python cast(",
        ],
        ..NONE
    },
    Concept {
        name: "strict types",
        mentions: &[
            "strict mode", "strict typing", "typescript strict", "type checking", "type checker", "strict types",
            "mypy strict", "static types", "type hints", "type annotations",
        ],
        breaks: &[
            "\"~*strict\": false", "~strict = false", "\"noImplicitAny\": false", "\"strictNullChecks\": false",
            "disallow_untyped_defs = false", "strict: false", "declare(strict_types=0)",
        ],
        defeats: &[
            "^@ts-nocheck", "^@ts-ignore", "^type: ignore", "ignore_errors = true", "\"checkJs\": false",
            "\"skipLibCheck\": true", "ignore_missing_imports", "@js as any", "@js *: any", "^mypy: ignore*",
            "@python *: Any",
        ],
        ..NONE
    },
    Concept {
        name: "a broad exception handler",
        mentions: &[
            "bare except", "bare excepts", "broad except", "broad exceptions", "blanket except", "catch-all",
            "catch all", "generic exception",
            "generic exceptions", "swallow", "swallowed", "swallowing", "silently ignored", "empty catch",
            "empty catch block",
        ],
        shows: &[
            "except:", "except Exception*", "except BaseException*", "catch (Exception ", "catch (Throwable ",
            "catch (...)", "catch (_: Exception)", "catch (e: Exception)", "catch (e: Throwable)",
            "rescue Exception*", "%swallowed",
        ],
        around: &[
            "contextlib.suppress(", "suppress(Exception*", ".catch(() =>", ".catch(_ =>", ".catch(noop",
            "runCatching", "@swift *try?", "@ruby rescue nil", "@go _ = *err*", "let _ =", "on error resume next",
        ],
        ..NONE
    },
    Concept {
        name: "ignored errors",
        mentions: &["error + swallowed", "error + discarded", "errors + ignored", 
            "ignore errors", "errors ignored", "ignored errors", "error ignored", "discard errors",
            "errors discarded", "unchecked errors", 
        ],
        shows: &[
            "@go _ = *", "@go , _ := ", "@go , _ = ", "@rust let _ =", "@rust *.ok();", "%swallowed", "except: pass",
        ],
        around: &[
            "contextlib.suppress(", "|| true", ".catch(() =>", "2>/dev/null", "@rust unwrap_or_default()",
            "@swift *try?",
        ],
        ..NONE
    },
    Concept {
        name: "error handling",
        mentions: &[
            "error handling", "handle errors", "errors are handled", "error is handled", "errors are checked",
            "errors must be checked", "every error", "return value is checked", "return codes are checked",
            "check errors",
        ],
        breaks: &["%swallowed", "@go _ = *", "@go , _ := ", "@rust let _ =", "@rust *.ok();"],
        defeats: &["contextlib.suppress(", "|| true", ".catch(() =>", "2>/dev/null", "@swift *try?"],
        ..NONE
    },
    Concept {
        name: "wrapped errors",
        mentions: &[
            "wrapped errors", "errors are wrapped", "error is wrapped", "wrap errors", "wrap the error", "wrapping",
            "%w", "error context", "exception chaining", "wrapped with",
        ],
        shows: &[
            "\"*%w", "errors.Wrap*", ".with_context(", ".context(", " from exc", " from e", " from err", "wrap_err*",
        ],
        breaks: &[
            "@go Errorf( & \"*%v & err", "from None", "errors.New(err.Error()", "@go fmt.Errorf( & err & !\"*%w",
        ],
        ..NONE
    },
    Concept {
        name: "null",
        mentions: &["null", "nulls", "returning null", "null returns"],
        shows: &["return null", "=> null", "? null", ": null;", "= null;"],
        around: &["orElse(null)", "orNull()", "getOrNull(", "return undefined", "ofNullable(null"],
        ..NONE
    },
    Concept {
        name: "exceptions",
        mentions: &["exception", "exceptions", "throw", "throws", "thrown", "throwing"],
        shows: &["@js,java,cpp,csharp,kotlin,php,swift,dart throw ", "@python raise ", "@ruby raise "],
        around: &[
            "panic!(", "@cpp std::abort(", "@cpp std::terminate(", "Promise.reject(", "@js reject(", "sys.exit(",
            "@kotlin error(",
        ],
        ..NONE
    },
    Concept {
        name: "a fallback",
        mentions: &["fallback", "fall back", "falls back", "fall-back", "default value"],
        shows: &[
            "unwrap_or*", "or_else*", " ?? ", "??=", "except*", "catch*", "Err(*", " else *", "rescue*",
            "getOrDefault(", ".get(* , ", " || ", "orElse*", "?: ",
        ],
        breaks: &[".unwrap()", ".expect(", "@kotlin !!", "orElseThrow(", "@swift try!", "@go panic(", "sys.exit("],
        defeats: &["process.exit(", "os.Exit("],
        ..NONE
    },
    Concept {
        name: "resolving a path on disk",
        mentions: &["canonicalize", "canonicalise", "realpath", "resolve symlinks"],
        shows: &["canonicalize(", "canonicalize"],
        around: &["realpath(", "EvalSymlinks(", "toRealPath(", "realpathSync(", "getCanonicalPath(", "File.realpath"],
        ..NONE
    },
    Concept {
        name: "global mutable state",
        mentions: &[
            "global variable", "global variables", "global state", "globals", "mutable global", "mutable globals",
            "module-level state", "global mutable state", "package-level variable", "package-level state",
            "static mutable", "mutable static",
        ],
        shows: &[
            "@rust static mut", "@rust lazy_static!", "@rust OnceLock<", "@rust OnceCell<", "@rust LazyLock<",
            "@python global ", "@php global ", "@ruby *$* & = ",
        ],
        around: &[
            "thread_local!", "@python threading.local(", "@python lru_cache", "@python globals()",
            "@js global.* & = ", "@java ThreadLocal*", "sync.Once",
        ],
        ..NONE
    },
    Concept {
        name: "a singleton",
        mentions: &["singleton", "singletons"],
        shows: &[
            "~*getInstance(", "~*sharedInstance", "~*singleton*", "static let shared", "INSTANCE =",
            "_instance = None",
        ],
        around: &["sync.Once", "OnceLock<", "lru_cache", "by lazy", "@kotlin object "],
        ..NONE
    },
    Concept {
        name: "a wildcard import",
        mentions: &["`import *`", 
            "wildcard import", "wildcard imports", "star import", "star imports", "glob import", "glob imports",
                    ],
        shows: &[
            "import **", "@rust *::*;", "@java import & *.*;", "@kotlin import & *.**", "@js export * from",
            "@scala *._",
        ],
        around: &["__all__ = dir(", "importlib.import_module(", "globals().update("],
        ..NONE
    },
    Concept {
        name: "default exports",
        mentions: &["default export", "default exports"],
        shows: &["@js export default", "@js export = "],
        around: &["@js as default", "@js module.exports = "],
        ..NONE
    },
    Concept {
        name: "named exports",
        mentions: &["named export", "named exports"],
        breaks: &["@js export default", "@js export = "],
        defeats: &["@js as default"],
        ..NONE
    },
    Concept {
        name: "CommonJS",
        mentions: &["commonjs", "common js", "require()", "require("],
        shows: &["@js *= require(", "@js module.exports", "@js exports.* & = "],
        around: &["@js createRequire(", "\"\"type\": \"commonjs\""],
        ..NONE
    },
    Concept {
        name: "ES modules",
        mentions: &["es modules", "es module", "esm", "ecmascript modules", "import syntax"],
        breaks: &["@js *= require(", "@js module.exports", "\"\"type\": \"commonjs\""],
        defeats: &["@js createRequire("],
        ..NONE
    },
    Concept {
        name: "var",
        mentions: &["`var`", "var keyword", "const or let", "let or const", "const and let", "let and const"],
        breaks: &["@js var "],
        ..NONE
    },
    Concept {
        name: "enums",
        mentions: &["enum", "enums"],
        shows: &["@js enum ", "@js const enum "],
        ..NONE
    },
    Concept {
        name: "inheritance",
        mentions: &["inheritance", "subclassing", "subclass", "subclasses", "class hierarchies"],
        shows: &[" extends ", "@cpp *: public ", "@python class *& ( & ): & !Exception & !Enum & !ABC & !Protocol"],
        around: &["Object.setPrototypeOf(", ".prototype = ", "include & @ruby", "type(name, ("],
        ..NONE
    },
    Concept {
        name: "classes",
        mentions: &["class component", "class components", "class-based components"],
        shows: &[
            "extends React.Component", "extends Component", "extends PureComponent", "extends React.PureComponent",
        ],
        around: &["createReactClass(", "createClass("],
        ..NONE
    },
    Concept {
        name: "function components",
        mentions: &["function component", "function components", "functional components", "hooks"],
        breaks: &["extends React.Component", "extends Component", "extends PureComponent", "createReactClass("],
        ..NONE
    },
    Concept {
        name: "reflection",
        mentions: &["reflection", "reflective"],
        shows: &[
            "@go reflect.*", "Class.forName(", "getDeclaredField*", "getDeclaredMethod*", "setAccessible(true)",
            "java.lang.reflect*", "System.Reflection", "@csharp GetProperty(", "@csharp GetMethod(",
        ],
        around: &[
            "@python getattr(", "@python setattr(", "@ruby .send(", "@js Reflect.*", "MethodHandles*",
            "@csharp dynamic ",
        ],
        ..NONE
    },
    Concept {
        name: "field injection",
        mentions: &["field injection"],
        shows: &["@Autowired", "@Inject", "@Resource"],
        ..NONE
    },
    Concept {
        name: "constructor injection",
        mentions: &[
            "constructor injection", "injected through the constructor", "constructor-injected",
            "constructor parameters",
        ],
        breaks: &["@Autowired", "@Inject", "@java *= new *Service(", "@java *= new *Repository("],
        defeats: &["getBean(", "ServiceLocator*", "*.getInstance("],
        ..NONE
    },
    Concept {
        name: "macros of the preprocessor",
        mentions: &["preprocessor macro", "preprocessor macros", "#define", "function-like macros"],
        shows: &["@c,cpp,objc #define"],
        ..NONE
    },
    Concept {
        name: "goto",
        mentions: &["goto"],
        shows: &["@c,cpp,csharp,go,php goto "],
        around: &["setjmp(", "longjmp("],
        ..NONE
    },
    Concept {
        name: "immutability",
        mentions: &["immutable", "immutability", "frozen", "read-only", "readonly", "never mutated", "not mutated"],
        shows: &[
            "readonly ", "frozen=True", "@Immutable", "Object.freeze(", "@java final ", "@kotlin val ",
            "@csharp record ", "MappingProxyType(", "immutableListOf", ".freeze", "deepFreeze(",
        ],
        breaks: &["frozen=False", "@kotlin var ", "@kotlin mutableListOf(", "@swift var "],
        defeats: &[
            "object.__setattr__(", "@js as Mutable*", "-readonly", "MutableList", "@rust UnsafeCell",
            "@rust RefCell<", "instance_variable_set(",
        ],
        ..NONE
    },
    Concept {
        name: "mutable default arguments",
        mentions: &["mutable default", "mutable defaults", "mutable default argument", "mutable default arguments"],
        shows: &["@python def & *=[]", "@python def & *={}", "@python def & *= []", "@python def & *= {}"],
        around: &["@python def & *=list()", "@python def & *=dict()", "@python def & *=set()"],
        ..NONE
    },
    Concept {
        name: "lint suppressions",
        mentions: &[
            "suppression", "suppressions", "suppress", "suppressed", "lint suppression", "eslint-disable", "noqa",
            "nolint", "disable comments", "inline disables", "warnings ignored",
        ],
        shows: &[
            "^eslint-disable*", "^noqa", "^nolint", "^type: ignore", "^@ts-ignore", "^@ts-expect-error",
            "^@ts-nocheck", "@SuppressWarnings", "@Suppress(", "#[allow(", "#![allow(", "^NOSONAR",
            "^rubocop:disable", "^pylint: disable*", "^shellcheck disable*", "^swiftlint:disable*",
            "#pragma warning disable", "^NOLINT*", "^phpstan-ignore*", "^hadolint ignore*", "^biome-ignore",
        ],
        around: &["#[expect(", "per-file-ignores", "\"'off'", "-Wno-*", "NoWarn", "ignorePatterns", "exclude ="],
        ..NONE
    },
    Concept {
        name: "warnings that fail the build",
        mentions: &[
            "warnings are errors", "warnings as errors", "treat warnings", "-werror", "deny warnings",
            "zero warnings", "warning-free", "lint clean", "clippy clean", "no warnings",
        ],
        shows: &[
            "-Werror", "-D warnings", "deny(warnings)", "TreatWarningsAsErrors", "--max-warnings 0",
            "--max-warnings=0", "allWarningsAsErrors",
        ],
        breaks: &["-Wno-error*", "-A warnings", "TreatWarningsAsErrors>false", "allWarningsAsErrors = false"],
        defeats: &[
            "#[allow(", "#![allow(", "-Wno-*", "^eslint-disable*", "^noqa", "^nolint", "@SuppressWarnings",
            "|| true", "#pragma warning", "#pragma GCC diagnostic ignored", "NoWarn", " -w ",
        ],
        ..NONE
    },
    Concept {
        name: "tabs",
        mentions: &["tabs", "tab characters", "tab indentation"],
        shows: &["%tab_indent"],
        breaks: &["%space_indent"],
        ..NONE
    },
    Concept {
        name: "spaces",
        mentions: &["spaces", "space indentation", "two spaces", "four spaces", "2 spaces", "4 spaces"],
        shows: &["%space_indent"],
        breaks: &["%tab_indent"],
        ..NONE
    },
];
