#!/usr/bin/env bash
# Builds the wheel with the programs inside: pack.sh release|debug FOLDER [MATURIN].
set -eu
here=$(cd "$(dirname "$0")" && pwd)
profile=$1 out=$2 maturin=${3:-maturin}
target=${CARGO_TARGET_DIR:-$here/../../target}
export CARGO_TARGET_DIR=$target
"$here/../cli/build.sh" "$profile"
programs=$here/python/engram/bin
story=$here/python/engram/story.py
trap 'rm -rf "$programs" "$story"' EXIT
rm -rf "$programs" && mkdir -p "$programs"
cp "$target/$profile/engram" "$target/$profile/engram-hook" "$programs/"
strip --strip-debug "$programs"/*
cp "$here/../../examples/python/story.py" "$story"
if [ "$profile" = release ]; then flags=(--release); else flags=(--profile dev); fi
"$maturin" build --quiet "${flags[@]}" --strip --manifest-path "$here/Cargo.toml" --out "$out"
