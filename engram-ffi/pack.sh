#!/usr/bin/env bash
# Packs what a C programmer uses without Rust: pack.sh [release|debug] prints the path of the archive, below target/dist.
set -eu
cd "$(dirname "$0")/.."
profile=${1:-release}
target=${CARGO_TARGET_DIR:-$PWD/target}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
name=engram-c-$version-linux-x86_64
stage=$target/c/$name

if [ "$profile" = release ]; then cargo build --quiet --release --package engram-ffi; else cargo build --quiet --package engram-ffi; fi
rm -rf "$stage"
# The pkg-config files say where they lie themselves, so that the folder works wherever it is put.
CARGO_TARGET_DIR=$target engram-ffi/install.sh "$stage" "" "$profile"
sed -i 's|^prefix=.*|prefix=${pcfiledir}/../..|' "$stage"/lib/pkgconfig/*.pc
strip --strip-unneeded "$stage"/lib/libengram.so."$version"
strip --strip-debug "$stage"/lib/libengram.a
mkdir -p "$stage/examples" "$stage/docs" "$target/dist"
cp -r examples/c "$stage/examples/c"
cp docs/wire.md "$stage/docs/"
cp engram-ffi/README.md LICENSE-APACHE LICENSE-MIT "$stage/"
tar -C "$target/c" --owner=0 --group=0 --sort=name -czf "$target/dist/$name.tar.gz" "$name"
echo "$target/dist/$name.tar.gz"
