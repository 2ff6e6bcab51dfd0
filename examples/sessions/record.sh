#!/bin/sh
# Records the two demo sessions with the real Claude Code, driven by the scripts beside this file.
# Needs ../shared/real-clients (the folder ../shared of the developers). Usage: examples/sessions/record.sh PATH_OF_SHARED
set -eu
here=$(cd "$(dirname "$0")" && pwd)
shared=$(cd "${1:?the path of shared/}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/home/.claude" "$work/invoice"
cp "$here"/project/*.py "$work/invoice/"
git -C "$work/invoice" init -q
python3 - "$work" <<'PY'
import json, sys
work = sys.argv[1]
events = ["SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "SessionEnd"]
hook = {"type": "command", "command": f"cat >> {work}/payloads; echo >> {work}/payloads", "timeout": 5}
json.dump({"hooks": {e: [{"hooks": [hook]}] for e in events}}, open(f"{work}/home/.claude/settings.json", "w"))
PY
record() {
    : > "$work/payloads"
    python3 "$shared/real-clients/run_client.py" claude-code --home "$work/home" --project "$work/invoice" \
        --script "$here/$1.script.json" --prompt "$2" >&2
    sed -e "s#$work/home#/home/dev#g" -e "s#$work/invoice#/home/dev/invoice#g" \
        -e "s#$(echo "$work/invoice" | tr / -)#-home-dev-invoice#g" "$work/payloads" | grep . > "$here/$1.jsonl"
}
record 1-fix "The invoice test fails, please find out why and fix it"
record 2-discount "Add a discount in percent to the invoice total"
