"""The command ``engram``: becomes the native program that lies in this package."""

import os
import pathlib
import sys


def main() -> None:
    """Replaces this process by the program, with the same arguments."""
    program = pathlib.Path(__file__).parent / "bin" / "engram"
    try:
        os.execv(program, ["engram", *sys.argv[1:]])
    except OSError as e:
        sys.exit(f"error: {program} does not start: {e.strerror}; install the wheel of engram for this platform again")


if __name__ == "__main__":
    main()
