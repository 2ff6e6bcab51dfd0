#!/usr/bin/env bash
# Agents with a memory inside real SDKs (examples/harness), with a scripted model on loopback. The SDKs are kept below the
# target folder; nothing else is fetched once they are there.
set -eu
cd "$(dirname "$0")/../.."
. tests/languages/common.sh
has python3 python3 || skip harness "python3 is missing and cannot be installed"
has node nodejs && has npm npm || skip harness "node and npm are missing and cannot be installed"
has git git || skip harness "git is missing and cannot be installed"
here=$target/harness
env=$here/env
mkdir -p "$here"
if ! python3 -m venv "$env" 2>/dev/null; then
    rm -rf "$env"
    [ "$(id -u)" = 0 ] && apt-get install -y -qq python3-venv >/dev/null 2>&1 || true
    python3 -m venv "$env" || skip harness "python3 has no venv; install python3-venv"
fi

# quietly COMMAND...: its output is shown only when it fails, and then this script ends.
quietly() {
    local out
    out=$("$@" 2>&1) && return
    printf '%s\n' "$out" | tail -n 60
    exit 1
}

# installed STAMP WANTED COMMAND...: runs the command unless it succeeded for the same wants before.
installed() {
    local stamp=$here/$1 wanted=$2
    shift 2
    [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && return
    "$@" >/dev/null 2>&1 && echo "$wanted" >"$stamp"
}
python_sdks=$(cat examples/harness/*/requirements.txt)
# shellcheck disable=SC2086
installed python-sdks "$python_sdks" "$env/bin/python" -m pip install --quiet --disable-pip-version-check \
    $python_sdks "pytest<10" "maturin>=1.16,<2" || skip harness "the SDKs for Python cannot be installed"
# Claude Code comes with the SDK for Python: one copy serves both.
export ENGRAM_HARNESS_CLAUDE
ENGRAM_HARNESS_CLAUDE=$("$env/bin/python" -c 'import claude_agent_sdk as sdk; print(sdk.__path__[0])')/_bundled/claude
[ -x "$ENGRAM_HARNESS_CLAUDE" ] || skip harness "there is no Claude Code for this machine"

export ENGRAM_HARNESS_NODE=$here/node
mkdir -p "$ENGRAM_HARNESS_NODE"
node_sdk=$(sed -n 's/^ *"\(@.*\)": "\(.*\)",$/\1@\2/p' examples/harness/claude-agent-node/package.json)
echo '{ "private": true }' >"$ENGRAM_HARNESS_NODE/package.json"
installed node-sdk "$node_sdk" npm install --prefix "$ENGRAM_HARNESS_NODE" --no-save --omit=optional --no-audit --no-fund \
    --silent "$node_sdk" || skip harness "the SDK for Node cannot be installed"

quietly bindings/node/pack.sh debug
export ENGRAM_PROGRAM=$target/debug/engram
# OpenCode: its platform package has the program; its own start script is not run.
opencode="opencode-ai@1.18.33"
if installed opencode-program "$opencode" npm install --prefix "$here/opencode-client" --no-save --ignore-scripts --no-audit --no-fund --silent "$opencode"; then
    export ENGRAM_HARNESS_OPENCODE=$here/opencode-client/node_modules/opencode-linux-x64/bin/opencode
    [ -x "$ENGRAM_HARNESS_OPENCODE" ] || unset ENGRAM_HARNESS_OPENCODE
fi
# Codex and Gemini CLI, as they are pinned for the tests.
clients=$here/clients
if installed codex-program "@openai/codex@0.171.0" npm install --prefix "$clients/codex" --no-save --no-audit --no-fund --silent @openai/codex@0.171.0; then
    ENGRAM_HARNESS_CODEX=$(find "$clients/codex/node_modules/@openai" -type f -name codex -perm -u+x | head -n 1)
    export ENGRAM_HARNESS_CODEX
else
    echo "SKIP  harness: Codex cannot be installed"
fi
if installed gemini-program "@google/gemini-cli@0.61.0" npm install --prefix "$clients/gemini" --no-save --ignore-scripts --no-audit --no-fund --silent @google/gemini-cli@0.61.0; then
    ENGRAM_HARNESS_GEMINI=$(readlink -f "$clients/gemini/node_modules/.bin/gemini")
    export ENGRAM_HARNESS_GEMINI
else
    echo "SKIP  harness: Gemini CLI cannot be installed"
fi
[ -n "${ENGRAM_HARNESS_OPENCODE:-}" ] || echo "SKIP  harness: OpenCode cannot be installed"
for package in "$target"/dist/engram-0.*.tgz "$target"/dist/engram-linux-x64-gnu-*.tgz; do
    name=$(basename "${package%-*}")
    rm -rf "$ENGRAM_HARNESS_NODE/node_modules/$name"
    mkdir -p "$ENGRAM_HARNESS_NODE/node_modules/$name"
    tar -C "$ENGRAM_HARNESS_NODE/node_modules/$name" --strip-components=1 -xf "$package"
done
# The links that npm would make.
chmod +x "$ENGRAM_HARNESS_NODE/node_modules/engram/cli.js"
cp examples/harness/claude-agent-node/*.mjs tests/harness/*.mjs "$ENGRAM_HARNESS_NODE/"
rm -rf "$here/wheels"
CARGO_TARGET_DIR=$target quietly bindings/python/pack.sh debug "$here/wheels" "$env/bin/maturin"
quietly "$env/bin/python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps --no-index \
    "$here"/wheels/*.whl

count "agents with a memory" "$env/bin/python" -m pytest --quiet -p no:cacheprovider tests/harness
finish
