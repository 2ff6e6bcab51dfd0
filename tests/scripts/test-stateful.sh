#!/bin/sh
# Fails at its first call and passes from then on; the file given holds that state.
state=${1:?the file that holds the state}
if [ -e "$state" ]; then
    echo "1 passed, 0 failed"
    exit 0
fi
: > "$state"
echo "AssertionError: expected 2, got 1"
echo "0 passed, 1 failed"
exit 1
