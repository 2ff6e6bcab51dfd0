#!/usr/bin/env bash
# Every test of the project, with its own set-up. Ends with one line "N passed, N failed"; exit 0 if nothing failed.
set -u
cd "$(dirname "$0")/.."
export CARGO_TERM_COLOR=never RUST_BACKTRACE=0 NO_COLOR=1
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
passed=0
failed=0
number=0

command -v cargo >/dev/null || { echo "error: cargo is missing; install Rust 1.89 or newer first"; exit 1; }

# step NAME COMMAND...: one step of the run; tests in its output are counted, any other step counts as one.
step() {
    local name=$1 log before=$SECONDS ran bad
    shift
    number=$((number + 1))
    log=$logs/$number
    if "$@" >"$log" 2>&1; then bad=0; else bad=1; fi
    ran=$(count passed "$log")
    local broken
    broken=$(count failed "$log")
    if [ "$bad" = 1 ] && [ "$broken" = 0 ]; then broken=1; fi
    if [ "$ran" = 0 ] && [ "$broken" = 0 ] && ! grep -qE '^ *SKIP' "$log"; then ran=1; fi
    passed=$((passed + ran))
    failed=$((failed + broken))
    grep -hE '^ *SKIP' "$log" | sort -u
    if [ "$broken" = 0 ]; then
        echo "ok    $name ($ran, $((SECONDS - before)) s)"
    else
        echo "FAIL  $name ($broken, $((SECONDS - before)) s)"
        tail -n 60 "$log" | sed 's/^/      /'
    fi
}

# Adds up what nextest ("12 passed, 1 failed"), rustdoc and the languages' scripts ("12 passed; 1 failed") say.
count() {
    { grep -hE '^ *Summary .* tests? run:|^test result:' "$2" || true; } | grep -oE "[0-9]+ $1" | awk '{n += $1} END {print n + 0}'
}

tests() {
    if cargo nextest --version >/dev/null 2>&1; then
        cargo nextest run --workspace --no-fail-fast
    else
        cargo test --workspace --no-fail-fast --lib --bins --tests
    fi
}

tells_the_story() {
    # Every language tells it with the same words.
    diff <(cargo run --quiet --package engram-example) examples/story.txt
}

same_names_everywhere() {
    # README.md and the types of Node, Python and Go have the settings from the table in the code.
    cargo run --quiet --package engram-tests --bin settings-tables -- --check
}

step "format" cargo fmt --all --check
step "lints" cargo clippy --workspace --all-targets --quiet -- -D warnings
step "documentation" env RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet
step "programs" cargo build --package engram-cli --bins
step "tests" tests
for language in c node python go harness; do
    if [ -f "tests/languages/$language.sh" ]; then
        step "$language" bash "tests/languages/$language.sh"
    fi
done
step "examples in the documentation" cargo test --workspace --doc --quiet
step "the story in Rust" tells_the_story
step "generated files are fresh" same_names_everywhere
step "the demo" make --no-print-directory demo

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
