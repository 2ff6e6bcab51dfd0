# What the languages' test scripts share; sourced from the repository's root.
target=${CARGO_TARGET_DIR:-$PWD/target}
passed=0
failed=0

# skip LANGUAGE REASON: says that a language is not tested here, and ends.
skip() {
    echo "SKIP  $1: $2"
    exit 0
}

# has COMMAND PACKAGE: whether a command is there, after installing its Debian package where that is allowed.
has() {
    command -v "$1" >/dev/null && return
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return
    (apt-get install -y -qq "$2" || { apt-get update -qq && apt-get install -y -qq "$2"; }) >/dev/null 2>&1
    command -v "$1" >/dev/null
}

# check NAME COMMAND...: one test; its output is shown when it fails.
check() {
    local name=$1 out
    shift
    if out=$("$@" 2>&1); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAIL  %s\n%s\n' "$name" "$out" | tail -n 80
    fi
}

# count NAME COMMAND...: a test runner; its own counts are added.
count() {
    local name=$1 out bad=0 good wrong
    shift
    out=$("$@" 2>&1) || bad=1
    good=$(numbers passed "$out")
    wrong=$(numbers failed "$out")
    if [ "$bad" = 1 ] && [ "$wrong" = 0 ]; then wrong=1; fi
    if [ "$good" = 0 ] && [ "$wrong" = 0 ]; then wrong=1; fi
    passed=$((passed + good))
    failed=$((failed + wrong))
    if [ "$wrong" != 0 ]; then printf 'FAIL  %s\n%s\n' "$name" "$out" | tail -n 120; fi
}

# What node ("# pass 12"), pytest ("12 passed"), go test -v ("--- PASS:") and our own programs say.
numbers() {
    local word=$1 text=$2
    local tap=pass go=PASS
    if [ "$word" = failed ]; then tap=fail go=FAIL; fi
    {
        grep -E "^# $tap [0-9]+" <<<"$text" | grep -oE '[0-9]+' || true
        grep -E '(passed|failed).* in [0-9.]+s' <<<"$text" | grep -oE "[0-9]+ $word" | grep -oE '[0-9]+' || true
        grep -E '^test result:' <<<"$text" | grep -oE "[0-9]+ $word" | grep -oE '[0-9]+' || true
        grep -cE "^ *--- $go:" <<<"$text" || true
    } | awk '{ n += $1 } END { print n + 0 }'
}

finish() {
    echo "test result: $passed passed; $failed failed"
    [ "$failed" = 0 ]
}
