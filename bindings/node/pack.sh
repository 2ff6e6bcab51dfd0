#!/usr/bin/env bash
# Builds the addon and the programs, and packs both npm packages into target/dist: pack.sh [release|debug].
set -eu
profile=${1:-release}
here=$(cd "$(dirname "$0")" && pwd)
repository=$here/../..
target=${CARGO_TARGET_DIR:-$repository/target}
platform=linux-x64-gnu
version=$(sed -n 's/^  "version": "\(.*\)",/\1/p' "$here/package.json")
flags=()
if [ "$profile" = release ]; then flags=(--release); fi
cargo build --quiet --manifest-path "$here/Cargo.toml" "${flags[@]}"
"$repository/bindings/cli/build.sh" "$profile"

staged=$(mktemp -d)
trap 'rm -rf "$staged"' EXIT
mkdir -p "$target/dist" "$staged/native/bin" "$staged/engram/example"
cp "$target/$profile/libengram_node.so" "$staged/native/engram.node"
cp "$target/$profile/engram" "$target/$profile/engram-hook" "$staged/native/bin/"
if [ "$profile" = debug ]; then strip --strip-debug "$staged/native/engram.node" "$staged/native/bin/"*; fi
cat >"$staged/native/package.json" <<JSON
{
  "name": "engram-$platform",
  "version": "$version",
  "description": "What is native of engram, for Linux on x86-64 with glibc: the addon and the programs.",
  "license": "MIT OR Apache-2.0",
  "main": "engram.node",
  "os": ["linux"],
  "cpu": ["x64"],
  "libc": ["glibc"],
  "engines": { "node": ">=18" }
}
JSON
cp -r "$here"/{package.json,index.js,index.mjs,index.d.ts,native.js,cli.js,adapters,README.md} "$staged/engram/"
cp "$repository/examples/node/story.mjs" "$staged/engram/example/"
for package in native engram; do
    cp "$repository"/LICENSE-* "$staged/$package/"
    npm pack --silent --pack-destination "$target/dist" "$staged/$package"
done
