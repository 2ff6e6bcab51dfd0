#!/usr/bin/env bash
# Python: the wheel is built, installed into an environment of its own, and tested there.
set -eu
cd "$(dirname "$0")/../.."
. tests/languages/common.sh
has python3 python3 || skip python "python3 is missing and cannot be installed"
here=$target/python
if ! python3 -m venv "$here/env" 2>/dev/null; then
    rm -rf "$here/env"
    [ "$(id -u)" = 0 ] && apt-get install -y -qq python3-venv >/dev/null 2>&1 || true
    python3 -m venv "$here/env" || skip python "python3 has no venv; install python3-venv"
fi
python=$here/env/bin/python
"$python" -m pip install --quiet --disable-pip-version-check "maturin>=1.16,<2" pytest mypy >/dev/null 2>&1 ||
    "$python" -c "import maturin, pytest, mypy" 2>/dev/null || skip python "maturin and pytest cannot be installed"

rm -rf "$here/wheels"
CARGO_TARGET_DIR=$target bindings/python/pack.sh debug "$here/wheels" "$here/env/bin/maturin" >/dev/null 2>&1
"$python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps --no-index "$here"/wheels/*.whl

count "python tests" "$python" -m pytest --quiet -p no:cacheprovider bindings/python/tests
check "the story, from the wheel" diff <("$python" -m engram.story) examples/story.txt
check "types" "$python" -m mypy --strict --no-error-summary --cache-dir "$here/mypy" examples/python/story.py \
    bindings/python/tests/user_program.py
check "stubs" env -C "$here" MYPYPATH= "$python" -m mypy.stubtest engram --ignore-missing-stub --allowlist "$PWD/bindings/python/stubtest.txt"
finish
