#!/bin/sh
# Takes the seconds given, then passes.
sleep "${1:-5}"
echo "done after ${1:-5} s"
