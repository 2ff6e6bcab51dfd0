#!/usr/bin/env bash
# Installs the C library: install.sh PREFIX [DESTDIR] [release|debug]; `uninstall` in the place of the profile takes it out.
set -eu
prefix=$1 destination=${2:-} profile=${3:-release}
here=$(cd "$(dirname "$0")" && pwd)
built=${CARGO_TARGET_DIR:-$here/../target}/$profile
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/../Cargo.toml" | head -1)
major=${version%%.*}
root=$destination$prefix

if [ "$profile" = uninstall ]; then
    rm -f "$root/include/engram.h" "$root"/lib/libengram.{a,so,so."$major",so."$version"} "$root"/lib/pkgconfig/engram{,-static}.pc
    exit
fi
install -d "$root/include" "$root/lib/pkgconfig"
install -m 644 "$here/../include/engram.h" "$root/include/engram.h"
install -m 644 "$built/libengram_ffi.a" "$root/lib/libengram.a"
install -m 755 "$built/libengram_ffi.so" "$root/lib/libengram.so.$version"
ln -sf "libengram.so.$version" "$root/lib/libengram.so.$major"
ln -sf "libengram.so.$major" "$root/lib/libengram.so"
for name in engram engram-static; do
    sed "s|@PREFIX@|$prefix|; s|@VERSION@|$version|" "$here/$name.pc.in" >"$root/lib/pkgconfig/$name.pc"
done
