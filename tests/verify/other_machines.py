#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The sample kernel compiles for machines that have neither SSE2 nor AVX2: for 64-bit ARM with a
cross compiler if there is one, and for none of the instructions we know with the compiler at hand."""
import pathlib
import shutil
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
sources = sorted((root / "verify").glob("batch*.c"))
flags = ["-std=c17", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-c",
         "-o", "/dev/null", "-D_POSIX_C_SOURCE=200809L", f"-I{root}"]


def compile_all(compiler):
    for source in sources:
        result = subprocess.run([*compiler, *flags, source], capture_output=True, text=True)
        if result.returncode != 0:
            print(result.stderr, file=sys.stderr)
            return False
    return True


def find_arm():
    """A compiler for ARM; one without a C library of its own borrows the headers of this machine,
    whose types are as wide."""
    compiler = shutil.which("aarch64-linux-gnu-gcc")
    if compiler is None:
        return None
    probe = subprocess.run([compiler, "-E", "-x", "c", "-"], input="#include <string.h>",
                           capture_output=True, text=True)
    if probe.returncode == 0:
        return [compiler]
    machine = subprocess.run(["cc", "-print-multiarch"], capture_output=True, text=True)
    return [compiler, "-D__x86_64__", "-idirafter", "/usr/include/" + machine.stdout.strip()]


print("1..2")
arm = find_arm()
good = arm is None or compile_all(arm)
skip = " # SKIP no aarch64-linux-gnu-gcc" if arm is None else ""
print(f"{'ok' if good else 'not ok'} 1 - for 64-bit ARM{skip}")
plain = compile_all(["cc", "-U__SSE2__", "-U__AVX2__"])
print(f"{'ok' if plain else 'not ok'} 2 - without known instructions")
sys.exit(not (good and plain))
