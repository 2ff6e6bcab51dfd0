#!/usr/bin/env bash
# Builds the addon and packs both npm packages into target/dist: pack.sh [release|debug].
set -eu
profile=${1:-release}
here=$(cd "$(dirname "$0")" && pwd)
target=${CARGO_TARGET_DIR:-$here/../../target}
platform=linux-x64-gnu
version=$(sed -n 's/^  "version": "\(.*\)",/\1/p' "$here/package.json")
flags=()
if [ "$profile" = release ]; then flags=(--release); fi
cargo build --quiet --manifest-path "$here/Cargo.toml" "${flags[@]}"

staged=$(mktemp -d)
trap 'rm -rf "$staged"' EXIT
cp "$target/$profile/libengram_node.so" "$staged/engram.node"
if [ "$profile" = debug ]; then strip --strip-debug "$staged/engram.node"; fi
cp "$here/../../LICENSE-MIT" "$here/../../LICENSE-APACHE" "$staged/"
cat >"$staged/package.json" <<JSON
{
  "name": "engram-$platform",
  "version": "$version",
  "description": "The addon of engram for Linux on x86-64 with glibc.",
  "license": "MIT OR Apache-2.0",
  "main": "engram.node",
  "os": ["linux"],
  "cpu": ["x64"],
  "libc": ["glibc"],
  "engines": { "node": ">=18" }
}
JSON
mkdir -p "$target/dist"
npm pack --silent --pack-destination "$target/dist" "$staged"
npm pack --silent --pack-destination "$target/dist" "$here"
