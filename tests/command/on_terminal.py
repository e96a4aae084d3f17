#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Progress is for terminals alone: a line that is replaced, and gone in the end.

on_terminal.py SOMITE prints TAP. Where there is no terminal to be had it is skipped.
"""

import os
import pty
import subprocess
import sys
import tempfile

EXPECTED = b"\rpicture 1 of 3\x1b[K\rpicture 2 of 3\x1b[K\rpicture 3 of 3\x1b[K\r\x1b[K"


def main():
    try:
        ours, theirs = pty.openpty()
    except OSError:
        print("1..0 # SKIP no terminal")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        somite = os.path.abspath(sys.argv[1])
        subprocess.call([somite, "simulate", "module", "-b", "wait 0.2s", "-e", "mujoco", "--pictures",
                         "still.png"], cwd=folder, stdout=subprocess.DEVNULL, stderr=theirs)
    printed = os.read(ours, 4096)
    print("1..1")
    print("ok 1" if printed == EXPECTED else f"not ok 1\n# {printed}")
    return 0 if printed == EXPECTED else 1


sys.exit(main())
