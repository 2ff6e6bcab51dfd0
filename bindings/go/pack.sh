#!/usr/bin/env bash
# Packs the module with the C library inside: pack.sh [release|debug] prints the path of the archive, below target/dist. What is
# built with it needs no pkg-config, and nothing of engram's at run time.
set -eu
cd "$(dirname "$0")/../.."
profile=${1:-release}
target=${CARGO_TARGET_DIR:-$PWD/target}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
name=engram-go-$version-linux-x86_64
stage=$target/go/$name

flags=()
if [ "$profile" = release ]; then flags=(--release); fi
cargo build --quiet --package engram-ffi "${flags[@]}"
rm -rf "$stage"
mkdir -p "$stage/lib" "$stage/include" "$stage/examples" "$target/dist"
cp bindings/go/{go.mod,README.md} LICENSE-APACHE LICENSE-MIT "$stage/"
find bindings/go -name '*.go' -not -name '*_test.go' -not -name link.go -exec cp {} "$stage/" \;
cp include/engram.h "$stage/include/"
cp "$target/$profile/libengram_ffi.a" "$stage/lib/libengram.a"
strip --strip-debug "$stage/lib/libengram.a"
system=$(sed -n 's|^Libs: [^ ]*libengram.a ||p' engram-ffi/engram-static.pc.in)
cat >"$stage/link.go" <<GO
package engram

// The C library lies in this module.

/*
#cgo CFLAGS: -I\${SRCDIR}/include
#cgo LDFLAGS: \${SRCDIR}/lib/libengram.a $system
*/
import "C"
GO
cp -r examples/go "$stage/examples/story"
sed -i 's|=> .*|=> ../..|' "$stage/examples/story/go.mod"
tar -C "$target/go" --owner=0 --group=0 --sort=name -czf "$target/dist/$name.tar.gz" "$name"
echo "$target/dist/$name.tar.gz"
