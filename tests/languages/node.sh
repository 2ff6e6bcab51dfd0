#!/usr/bin/env bash
# Node: the packages are made, installed without a network into an empty folder, and tested there.
set -eu
cd "$(dirname "$0")/../.."
. tests/languages/common.sh
has node nodejs || skip node "node is missing and cannot be installed"
has npm npm || skip node "npm is missing and cannot be installed"

bindings/node/pack.sh debug >/dev/null
app=$target/node/app
mkdir -p "$app"
# The platform's package does not change its version: the old one must go.
rm -rf "$app/node_modules" "$app/test" "$app/package-lock.json"
printf '{ "name": "app", "private": true, "type": "module" }\n' >"$app/package.json"
npm install --prefix "$app" --offline --silent --no-audit --no-fund \
    "$target"/dist/engram-0.*.tgz "$target"/dist/engram-linux-x64-gnu-*.tgz
cp -r bindings/node/test "$app/test"

count "node tests" env -C "$app" ENGRAM_REPOSITORY="$PWD" node --test --test-reporter=tap test/vectors.test.mjs test/engram.test.mjs test/hostile.test.cjs test/adapters.test.mjs test/command.test.mjs
check "the story, from the package" diff <(cd "$app" && node node_modules/engram/example/story.mjs) examples/story.txt
sed "s/^import { Engram } from 'engram';/const { Engram } = require('engram');/; s/^import \(.*\) from \(.*\);/const \1 = require(\2);/
    1i (async () => {
    \$a })();" examples/node/story.mjs >"$app/story.cjs"
check "the story in CommonJS" diff <(cd "$app" && node story.cjs) examples/story.txt
compiler=$target/node/typescript
if [ -x "$compiler/node_modules/.bin/tsc" ] || npm install --prefix "$compiler" --silent --no-audit --no-fund typescript@5 >/dev/null 2>&1; then
    check "types" env -C "$app" "$compiler/node_modules/.bin/tsc" --noEmit --strict --target es2022 --module nodenext --lib es2022,esnext.disposable test/types.ts
else
    echo "SKIP  node: types: typescript cannot be installed"
fi
finish
