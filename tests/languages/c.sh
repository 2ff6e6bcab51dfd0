#!/usr/bin/env bash
# C: the library is installed into a prefix, and everything is compiled against what was installed.
set -eu
cd "$(dirname "$0")/../.."
. tests/languages/common.sh
has cc gcc || skip c "a C compiler is missing and cannot be installed"
has pkg-config pkg-config || skip c "pkg-config is missing and cannot be installed"

cargo build --quiet --package engram-ffi
here=$target/c
prefix=$here/prefix
engram-ffi/install.sh "$prefix" "" debug
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
strict="-Wall -Wextra -pedantic -Werror"

# build COMPILER NAME PACKAGE [FLAGS]: a program of engram-ffi/tests/c, against the installed library.
build() {
    # shellcheck disable=SC2046,SC2086
    $1 -std=c11 $strict -g ${4:-} engram-ffi/tests/c/"$2".c $(pkg-config --cflags "$3") -pthread $(pkg-config --libs "$3") \
        -o "$work/$2-$3${4:+-asan}"
}

# fresh: an empty folder.
fresh() {
    mktemp -d -p "$work"
}

# quiet COMMAND...: it succeeds and writes nothing.
quiet() {
    local out
    out=$("$@" 2>&1) && [ -z "$out" ] || { echo "${*}: ${out:-it failed in silence}"; return 1; }
}

# every_function_is_probed: the functions of the header are those that the abuse program has probes for.
every_function_is_probed() {
    diff <(grep -oE '\bengram_[a-z_]+\(' include/engram.h | tr -d '(' | sort -u) <("$work/abuse-engram" list | sort -u)
}

# every_probe: one process a probe.
every_probe() {
    local number bad=0 count
    count=$("$work/abuse-engram" count)
    [ "$count" -gt 100 ] || return 1
    for ((number = 0; number < count; number++)); do
        quiet "$work/abuse-engram" "$number" "$(fresh)" || { echo "probe $number failed"; bad=1; }
    done
    echo "$count probes"
    return $bad
}

under_valgrind() {
    valgrind --quiet --leak-check=full --errors-for-leak-kinds=definite --error-exitcode=99 "$work/abuse-engram" all "$(fresh)"
}

# strained WHAT: threads or forks, and then a sound database.
strained() {
    local place
    place=$(fresh)
    quiet "$work/strain-engram" "$1" "$place" || return 1
    python3 - "$place"/home <<'PYTHON'
import pathlib, sqlite3, sys
databases = list(pathlib.Path(sys.argv[1]).rglob("engram.db"))
answers = [sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone()[0] for path in databases]
sys.exit(0 if answers == ["ok"] else f"{databases}: {answers}")
PYTHON
}

only_engram_is_exported() {
    ! nm -D --defined-only "$prefix/lib/libengram.so" | grep -vE ' engram_[a-z_]+$'
}

# Nothing but what glibc and gcc bring.
nothing_else_is_needed() {
    ! objdump -p "$prefix/lib/libengram.so" | awk '/NEEDED/ { print $2 }' | grep -vE '^(libc|libm|libgcc_s|libpthread|libdl|ld-linux-x86-64)\.so'
}

soname() {
    [ "$(objdump -p "$prefix/lib/libengram.so" | awk '/SONAME/ { print $2 }')" = libengram.so.0 ]
}

# story PACKAGE: as the README has it, with plain gcc.
story() {
    # shellcheck disable=SC2046
    cc $strict examples/c/story.c -o "$work/story-$1" $(pkg-config --cflags --libs "$1" libcjson) &&
        diff <("$work/story-$1") examples/story.txt
}

story_by_cmake() {
    cmake -S examples/c -B "$work/cmake" >"$work/cmake.log" && cmake --build "$work/cmake" >>"$work/cmake.log" &&
        diff <("$work/cmake/story") examples/story.txt
}

# readme: the first program of the README, with the lines that compile it there, from the packed archive.
readme() {
    local place archive
    place=$(fresh)
    archive=$(engram-ffi/pack.sh debug) && tar -C "$place" -xf "$archive" || return 1
    sed -n '/^```c$/,/^```$/p' "$place"/engram-c-*/README.md | sed '/^```/d' >"$place/ten.c"
    grep -q engram_open "$place/ten.c" || return 1
    (
        cd "$place"
        PKG_CONFIG_PATH=$(echo "$place"/engram-c-*/lib/pkgconfig) HOME=$place
        LD_LIBRARY_PATH=$(echo "$place"/engram-c-*/lib)
        export PKG_CONFIG_PATH LD_LIBRARY_PATH HOME
        for package in engram engram-static; do
            gcc ten.c $(pkg-config --cflags --libs "$package") -o ten && mkdir -p shop && [ -n "$(cd shop && ../ten)" ] || return 1
            rm ten
        done
    )
}

# The files that are installed are those that are taken out.
installs_and_uninstalls() {
    local root
    root=$(fresh)
    engram-ffi/install.sh /usr "$root" debug && [ -f "$root/usr/include/engram.h" ] || return 1
    grep -qx 'prefix=/usr' "$root/usr/lib/pkgconfig/engram.pc" || return 1
    engram-ffi/install.sh /usr "$root" uninstall && [ -z "$(find "$root" ! -type d)" ]
}

check "the header in C99" cc -std=c99 $strict -x c -fsyntax-only include/engram.h
if has g++ g++; then
    check "the header in C++" g++ -std=c++11 $strict -x c++ -fsyntax-only include/engram.h
else
    echo "SKIP  c: the header in C++: g++ cannot be installed"
fi
check "only engram's functions are exported" only_engram_is_exported
check "nothing else is needed" nothing_else_is_needed
check "the soname" soname
check "installs and uninstalls" installs_and_uninstalls
check "the README's program, from the archive" readme

for program in abuse strain; do check "$program compiles" build cc "$program" engram; done
check "abuse compiles, linked statically" build cc abuse engram-static
check "every function of the header is probed" every_function_is_probed
check "abuse, one process a probe" every_probe
check "abuse in one process" quiet "$work/abuse-engram" all "$(fresh)"
check "abuse in one process, linked statically" env LD_LIBRARY_PATH= "$work/abuse-engram-static" all "$(fresh)"
if has valgrind valgrind; then
    check "abuse under Valgrind" under_valgrind
else
    echo "SKIP  c: Valgrind cannot be installed"
fi
if has clang clang && build clang abuse engram-static -fsanitize=address 2>/dev/null; then
    check "abuse with AddressSanitizer" quiet "$work/abuse-engram-static-asan" all "$(fresh)"
else
    echo "SKIP  c: clang has no AddressSanitizer here"
fi
check "eight threads make 20,000 calls each" strained threads
check "two hundred forks under load" strained forks
count "shared vectors" cargo test --quiet --package engram-ffi --test vectors

if pkg-config --exists libcjson || { [ "$(id -u)" = 0 ] && apt-get install -y -qq libcjson-dev >/dev/null 2>&1; }; then
    check "the story" story engram
    LD_LIBRARY_PATH= check "the story, linked statically" story engram-static
    if has cmake cmake; then check "the story by CMake" story_by_cmake; else echo "SKIP  c: CMake cannot be installed"; fi
else
    echo "SKIP  c: the story: libcjson-dev cannot be installed"
fi
finish
