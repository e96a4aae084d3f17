#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the program on every golden input and compares with the files beside it, as TAP.

    golden.py PROGRAM FOLDER

For each input X of FOLDER, X.text holds what `somite VERB X` prints (output, errors, exit code) and
X.json what `somite VERB X --json` prints. The verb follows from the ending. SOM_UPDATE=1 rewrites
them; read the diff.
"""
import os
import pathlib
import subprocess
import sys

VERBS = {
    **dict.fromkeys([".som", ".m3l", ".role"], "check"),
    **dict.fromkeys([".conf", ".struct", ".chain", ".ckbot", ".hrdf", ".rofi", ".timor", ".xml", ".sdf",
                     ".urdf", ".xacro"],
                    "import"),
    **dict.fromkeys([".stl", ".obj", ".dae", ".gltf", ".glb", ".ply", ".wrl"], "measure"),
}


def run(program, arguments, folder):
    done = subprocess.run([program, *arguments], cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    return done.stdout + f"exit {done.returncode}\n".encode()


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    if not os.access(program, os.X_OK) or os.path.isdir(program):
        sys.exit(f"there is no program {program}: build it first")
    folder = pathlib.Path(sys.argv[2])
    inputs = sorted(path for path in folder.iterdir() if path.suffix in VERBS)
    assert inputs, f"no golden inputs in {folder}"
    print(f"1..{2 * len(inputs)}")
    number = failures = 0
    for path in inputs:
        for ending, options in ((".text", []), (".json", ["--json"])):
            number += 1
            actual = run(program, [VERBS[path.suffix], path.name, *options], folder)
            golden = path.with_name(path.name + ending)
            expected = golden.read_bytes() if golden.exists() else b"(no golden file)\n"
            bad = actual != expected
            if bad and os.environ.get("SOM_UPDATE"):
                golden.write_bytes(actual)
                bad = False
            failures += bad
            print(f"{'not ok' if bad else 'ok'} {number} - {golden.name}")
            if bad:
                for title, text in (("expected", expected), ("printed", actual)):
                    print(f"# --- {title}")
                    for line in text.decode("utf-8", "replace").splitlines():
                        print(f"# {line}")
    return failures != 0


sys.exit(main())
