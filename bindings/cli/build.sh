#!/usr/bin/env bash
# Builds the programs engram and engram-hook: build.sh [release|debug]. In a release the hook is linked statically, which
# saves the loader's time at every call (design, D25).
set -eu
cd "$(dirname "$0")/../.."
if [ "${1:-release}" = debug ]; then
    cargo build --quiet --package engram-cli --bins
else
    cargo build --quiet --release --package engram-cli --bin engram
    cargo rustc --quiet --release --package engram-cli --bin engram-hook -- \
        -C target-feature=+crt-static -C relocation-model=static
fi
