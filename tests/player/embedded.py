#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The player as a microcontroller gets it: C99, optimised for size, nothing but libc and libm. As TAP.

With the compiler of this machine, and with arm-none-eabi-gcc for a Cortex-M4 where it is installed;
says how large the code is: what a microcontroller needs, and with what simulators add to it."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wdouble-promotion", "-Werror"]
# what the player may ask of libc and libm, and what compilers ask for by themselves
ALLOWED = {"memset", "memcpy", "memmove", "memcmp", "strlen", "floor", "fabs", "sqrt", "ldexp", "frexp", "trunc",
           "_GLOBAL_OFFSET_TABLE_", "__stack_chk_fail"}
# reading a plugin's element, states and traces in words: for hosts with a file system
HOSTED = {"body_place", "dock_load", "element", "outcome", "piece_watch", "request", "robot_run", "robot_watch", "state_text", "topic", "trace_text",
          "weld_spring"}
RUNTIME = ("__aeabi_", "__gnu_", "__adddf", "__subdf", "__muldf", "__divdf", "__isinf", "__fpclassify",
           "__signbit", "__udivdi", "__umoddi", "__ubsan", "__asan")


def compile_all(compiler, options, folder):
    objects = []
    for source in sorted((ROOT / "player").glob("*.c")):
        target = pathlib.Path(folder) / (source.stem + ".o")
        subprocess.run([compiler, "-std=c99", "-Os", "-ffunction-sections", *WARNINGS, *options, "-I", str(ROOT),
                        "-c", str(source), "-o", str(target)], check=True)
        objects.append(str(target))
    return objects


def size_of(tool, objects):
    lines = subprocess.run([tool, "-t", *objects], check=True, text=True, stdout=subprocess.PIPE).stdout
    text, data, bss = lines.strip().splitlines()[-1].split()[:3]
    return int(text), int(data), int(bss)


def foreign_symbols(tool, objects):
    """What the objects need and do not have themselves."""
    needed, own = set(), set()
    listing = subprocess.run([tool, *objects], check=True, text=True, stdout=subprocess.PIPE).stdout
    for line in listing.splitlines():
        words = line.split()
        if len(words) == 2 and words[0] == "U":
            needed.add(words[1])
        elif len(words) == 3:
            own.add(words[2])
    return sorted(name for name in needed - own - ALLOWED if not name.startswith(RUNTIME))


def attempt(number, name, compiler, prefix, options):
    if shutil.which(compiler) is None:
        print(f"ok {number} - {name} # SKIP {compiler} is not installed")
        return True
    with tempfile.TemporaryDirectory() as folder:
        try:
            objects = compile_all(compiler, options, folder)
            foreign = foreign_symbols(prefix + "nm", objects)
            text, data, bss = size_of(prefix + "size", objects)
            small, _, _ = size_of(prefix + "size", [o for o in objects if pathlib.Path(o).stem not in HOSTED])
        except subprocess.CalledProcessError as error:
            print(f"not ok {number} - {name}\n# {error}")
            return False
    is_good = not foreign and data == 0 and bss == 0
    print(f"{'ok' if is_good else 'not ok'} {number} - {name}: {small} bytes of code, "
          f"{text} with what simulators add, {data} of data, {bss} of bss")
    if foreign:
        print(f"# needs {', '.join(foreign)}")
    return is_good


def main():
    print("1..2")
    here = attempt(1, "C99 and nothing but libc and libm", "gcc", "", ["-fno-pie"])
    there = attempt(2, "Cortex-M4", "arm-none-eabi-gcc", "arm-none-eabi-",
                    ["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"])
    return not (here and there)


sys.exit(main())
