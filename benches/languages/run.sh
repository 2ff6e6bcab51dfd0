#!/usr/bin/env bash
# Builds and runs the programs of this folder in turn: run.sh [ROUNDS]. README.md says what they measure.
set -eu
cd "$(dirname "$0")/../.."
rounds=${1:-7}
target=${CARGO_TARGET_DIR:-$PWD/target}
here=$target/languages
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$here"

cargo build --quiet --release --package engram-ffi --package engram-node --package engram-python
cargo build --quiet --release --package engram-eval --bin language-rust
engram-ffi/install.sh "$here/c" "" release
export PKG_CONFIG_PATH=$here/c/lib/pkgconfig LD_LIBRARY_PATH=$here/c/lib
# shellcheck disable=SC2046
cc -O2 benches/languages/c.c $(pkg-config --cflags --libs engram) -o "$here/c-program"
(cd benches/languages/go && GOPROXY=off GOFLAGS=-mod=mod GOCACHE=$here/go go build -o "$here/go-program" .)
rm -rf "$here/node" "$here/python"
mkdir -p "$here/node" "$here/python"
cp bindings/node/{index.js,native.js,package.json} "$here/node/"
cp "$target/release/libengram_node.so" "$here/node/engram.node"
cp -r bindings/python/python/engram "$here/python/"
cp "$target/release/lib_engram.so" "$here/python/engram/_engram.abi3.so"
export ENGRAM_PACKAGE=$here/node PYTHONPATH=$here/python

for ((round = 0; round < rounds; round++)); do
    mkdir -p "$work/$round/p"
    for program in "$target/release/language-rust" "$here/c-program" "node benches/languages/node.mjs" \
        "python3 benches/languages/python.py" "$here/go-program"; do
        home=$(mktemp -d -p "$work")
        $program "$home" "$work/$round/p" 2
    done
done | python3 -c '
import collections, json, statistics, sys
times = collections.defaultdict(list)
for line in sys.stdin:
    row = json.loads(line)
    times[row["language"]].append(row["nanos"])
print("| onToolCall, 2 KB | median, us | ratio to rust, median of rounds | ratio to rust-json |\n| --- | --- | --- | --- |")
# Each process says two rounds; the first warms it up.
times = {language: own[1::2] for language, own in times.items()}
for language, own in times.items():
    ratios = [statistics.median(a / b for a, b in zip(own, times[base])) for base in ("rust", "rust-json")]
    print(f"| {language} | {statistics.median(own) / 1000:.1f} | {ratios[0]:.2f} | {ratios[1]:.2f} |")
'
