#!/usr/bin/env bash
# Go: the C library is staged, the module is vetted and tested over it, with and without the race detector.
set -eu
cd "$(dirname "$0")/../.."
. tests/languages/common.sh
has go golang || skip go "go is missing and cannot be installed"
has pkg-config pkg-config || skip go "pkg-config is missing and cannot be installed"

cargo build --quiet --package engram-ffi
prefix=$target/c/prefix
engram-ffi/install.sh "$prefix" "" debug
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
export GOFLAGS=-mod=mod GOPROXY=off GOCACHE=$target/go/cache CGO_ENABLED=1

check "gofmt" test -z "$(gofmt -l bindings/go examples/go)"
check "go vet" env -C bindings/go go vet ./...
count "go tests" env -C bindings/go go test -count=1 -v ./...
count "go tests with the race detector" env -C bindings/go GODEBUG=cgocheck=2 go test -count=1 -race -v ./...
check "the story" diff <(cd examples/go && go run .) examples/story.txt
check "the story, linked statically" diff <(cd examples/go && LD_LIBRARY_PATH= go run -tags static_link .) examples/story.txt

# As a user has it: the archive unpacked elsewhere, no pkg-config, nothing of the repository.
tells_it_packed() {
    local place
    place=$(mktemp -d) && trap 'rm -rf "$place"' RETURN
    tar -C "$place" --strip-components=1 -xzf "$(CARGO_TARGET_DIR=$target bindings/go/pack.sh debug)"
    diff <(cd "$place/examples/story" && env -u PKG_CONFIG_PATH -u LD_LIBRARY_PATH go run .) examples/story.txt
}
check "the story, from the packed module" tells_it_packed
finish
