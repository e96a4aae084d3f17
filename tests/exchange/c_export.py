#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Behaviors exported to C, compiled and run on this machine: what they print is what `somite play --csv` prints. As TAP.

    c_export.py PROGRAM

Every behavior of the library and of a design with everything that a behavior can hold is compiled for size, with
warnings as errors, by gcc and clang in turn. Then boards that sense something else than a PC does."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
OPTIONS = ["-std=c17", "-Os", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]
LEAST = 55  # behaviors of the library
EVERY = 1 if "SOM_TEST_LONG" in os.environ else 3  # of how many behaviors of the library one is tried

# Arguments of behaviors that need some.
ARGUMENTS = {"drive": "(90deg/s, 1s)", "sweep": "(20deg)", "wheels": "(1rad/s, -1rad/s, 1s)", "steer": "(10deg)", "CKBotLeg key": "(30deg, 10deg)",
             "key": "(30deg)", "legKey": "(30deg, 20deg)", "legSlide": "(2deg, -3deg)", "legHop": "(2deg, -3deg)", "arch": "(10deg)", "curl": "(20deg)",
             "tiltMiddle": "(45deg)", "spinTop": "(45deg)", "stride": "(2)", "legs": "(10deg, 20deg, 30deg, 15deg)",
             "trotStride": "(20deg)", "trot": "(2)"}

DESIGN = '''use "ckbot.m3l"
use "gdut.m3l"
use "smores.m3l"

config Gripper is G {
    behavior grip = parallel(close1 to 30mm, close2 to 2cm at 1cm/s)
}

config Everything {
    part m[3] : SMORES
    part "a \\"quoted\\", ??/ one \\\\ n" : SMORES
    connect m[i].B to m[i+1].T for i in 1..2
    connect "a \\"quoted\\", ??/ one \\\\ n".T to m[1].T
    dock ends: m[3].B to m[1].L open
    pose bent { m[1].tilt = 10deg }
    start bent
    behavior everything = series(
        "a \\"quoted\\", ??/ one \\\\ n".tilt to 0.1rad,
        parallel(m[1].tilt to -20deg at 33deg/s, m[2].tilt by 12.345deg, m[3].left spin -1.7rad/s during 0.33s),
        any(m[2].tilt to 30deg at 3deg/s, wait 0.7s, m[3].right spin 90deg/s until position(m[3].right) > 20deg timeout 1s),
        repeat 3: series(m[1].tilt by 5deg within 0.5deg, hold m[1].tilt),
        repeat until time > 2.5s and not contact(m[1]): wait 0.11s,
        choose(input("a b") > 0.5: m[1].tilt to 0deg, bodyTilt < 1rad: m[1].tilt to 40deg, else: wait 1s),
        follow "course.csv" timeout 3s,
        disconnect ends timeout 1s, wait until docked(ends) or elapsed > 0.1s timeout 1s,
        hold m[2].tilt during 0.2s)
    behavior som = wait 0.02s
    behavior Som_player = wait 0.02s
    behavior "3 steps" = wait 0.02s
}

config Climber {
    part a, b : UBar
    connect a.top to b.bottom
    behavior swing = series(a.hinge to 60deg, a.hinge to -60deg at 40deg/s, parallel(a.hinge to 5deg, b.hinge by -0.7rad))
    behavior onward = repeat forever: series(a.hinge to 10deg, a.hinge to -10deg)
}
'''


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, words))}\n{(done.stderr or done.stdout).decode(errors='replace')}")
    return done.stdout


class Builder:
    """Compiles what the player is once for each compiler, and the rest of each folder."""

    def __init__(self, folder):
        self.folder = folder
        self.objects = {}

    def build(self, compiler, exported, board="board_host.c"):
        if compiler not in self.objects:
            place = self.folder / compiler
            place.mkdir()
            run(compiler, *OPTIONS, "-c", *sorted(exported.glob("som_*.c")), cwd=place)
            self.objects[compiler] = sorted(place.glob("*.o"))
        tables, = (path for path in exported.glob("*_graph.c") if not path.name.startswith("som_"))
        program = exported / "program"
        run(compiler, *OPTIONS, "-o", program, exported / "main.c", exported / board, tables, *self.objects[compiler], "-lm")
        return program


def export(folder, file, config, behavior, *options):
    """The folder that is written; everything in it is listed, and nothing else is there."""
    out = folder / "exported"
    shutil.rmtree(out, ignore_errors=True)
    listed = json.loads(run(PROGRAM, "export", file, "--config", config, "--behavior", behavior, "--to", "c", "-o", out,
                            "--json", *options, cwd=folder))["files"]
    assert sorted(listed) == sorted(str(path) for path in out.iterdir()), "files that are not listed"
    return out


def differences(folder, builder, compiler, case, options=(), seconds="600"):
    file, config, behavior = case
    exported = export(folder, file, config, behavior, *options)
    program = builder.build(compiler, exported)
    played = run(PROGRAM, "play", file, "--config", config, "--behavior", behavior, "--csv", "--for", f"{seconds}s",
                 *options, cwd=folder)
    printed = run(program, env=dict(os.environ, SECONDS=seconds))
    if played == printed:
        return []
    for number, (a, b) in enumerate(zip(played.splitlines(), printed.splitlines()), 1):
        if a != b:
            return [f"line {number}: play {a[:200]!r}", f"line {number}: C    {b[:200]!r}"]
    return [f"{played.count(10)} lines of play, {printed.count(10)} of C"]


def library_cases():
    cases = []
    for config in json.loads(run(PROGRAM, "library", "--json"))["configs"]:
        for behavior in config["behaviors"]:
            case = (config["file"], config["name"], behavior)
            plain = subprocess.run([PROGRAM, "play", case[0], "--config", case[1], "--behavior", behavior, "--for", "10ms"],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
            given = ARGUMENTS.get(f"{case[1]} {behavior}", ARGUMENTS.get(behavior, ""))
            if "needs a joint for its parameter" not in plain:  # these are parts of the others
                cases.append(case[:2] + (behavior + (given if "SOM2034" in plain else ""),))
    return cases


def library_moves_as_predicted(folder, builder):
    cases, problems = library_cases(), []
    for number, case in enumerate(cases[::EVERY]):
        try:
            found = differences(folder, builder, COMPILERS[number % len(COMPILERS)], case)
        except (RuntimeError, AssertionError) as error:
            found = str(error).splitlines()
        problems += [f"{' '.join(case)}: {line}" for line in found]
    print(f"# {len(cases[::EVERY])} of {len(cases)} behaviors, to the last bit")
    return problems + ([] if len(cases) >= LEAST else [f"{len(cases)} behaviors only"])


def everything_moves_as_predicted(folder, builder):
    (folder / "all.som").write_text(DESIGN)
    (folder / "course.csv").write_text("t,m[2].tilt [deg],m[3].tilt [deg]\n0,0,0\n0.3,11,-7\n0.9,-3,5\n")
    problems = []
    for compiler in COMPILERS:
        for case, options, seconds in ((("Everything", "everything"), (), "600"),
                                       (("Everything", "everything"), ("--dt", "3ms"), "600"),
                                       (("Everything", "som"), (), "600"), (("Everything", "Som_player"), (), "600"),
                                       (("Everything", '"3 steps"'), (), "600"),
                                       (("Climber", "swing"), (), "600"), (("Climber", "onward"), ("--dt", "7ms"), "5"),
                                       (("Climber", "wait 0s"), (), "600"), (("Gripper", "grip"), (), "600"),
                                       (("Climber", "a.hinge to 1e-7rad within 1e-9rad"), ("--set", "b.hinge=-0.3rad"), "600")):
            found = differences(folder, builder, compiler, ("all.som", *case), options, seconds)
            problems += [f"{compiler} {case}: {line}" for line in found]
    return problems


def the_folder_compiles_by_itself(folder, _):
    """As README.txt says, and with make; and says how large it is."""
    out = export(folder, "walkbot", "Walkbot", "walk")
    problems = []
    for compiler in COMPILERS:
        run(compiler, *OPTIONS, *sorted(out.glob("*.c")), "-lm", "-o", out / "walk", cwd=out)
        expected = run(out / "walk")
        (out / "walk").unlink()
        for path in sorted(out.glob("*.c")):
            run(compiler, *OPTIONS, "-c", path, cwd=out)
        objects = sorted(out.glob("*.o"))
        for name, part in (("player and loop", [o for o in objects if o.name.startswith("som_") or o.name == "main.o"]),
                           ("tables of the Walkbot's walk", [o for o in objects if o.name == "walk_graph.o"])):
            text, data, bss = run("size", "-t", *part).decode().splitlines()[-1].split()[:3]
            print(f"# {compiler} -Os, {name}: {text} bytes of code and constants, {data} of data, {bss} of bss")
        for path in objects:
            path.unlink()
        if shutil.which("make"):
            run("make", f"CC={compiler}", cwd=out)
            problems += [] if run(out / "walk") == expected else [f"make with {compiler} gives another motion"]
            run("make", "clean", cwd=out)
    said = (out / "README.txt").read_text()
    memory = int((out / "walk_graph.h").read_text().split("_MEMORY ")[1].split()[0])
    if f"{memory} bytes for the player" not in said:
        problems.append("README.txt does not say how much memory the player takes")
    return problems


BLOCKED = '''#include "board.h"
#include <stdio.h>
void board_start(const BoardSenses *senses) { senses->positions[3] = 0.25; }
void board_read(const BoardSenses *senses) {
    senses->positions[3] = 0.25; // whatever is commanded
    senses->inputs[0] = 1;
    *senses->height = 2;
}
static double sent;
void board_write(const BoardTargets *targets) { sent = targets->positions[3]; }
bool board_wait(const SomPlayer *player) {
    bool is_on = som_player_status(player) == SOM_PLAYER_RUNNING;
    if (som_player_time(player) < 0.015) {
        printf("%.2f ", sent);
    }
    if (!is_on) {
        printf("%.2f %.2f\\n", som_player_time(player), sent);
    }
    return is_on;
}
'''


def boards_sense(folder, builder):
    """A joint that is blocked, an input and a height: time-outs run out, conditions hold; nothing jumps at the start."""
    behavior = "series(bend to 45deg timeout 2s, wait until input(go) > 0.5 and height > 1m timeout 9s)"
    out = export(folder, "module", "Module", behavior, "--dt", "10ms")
    (out / "board_mine.c").write_text(BLOCKED)
    said = run(builder.build(COMPILERS[0], out, "board_mine.c")).decode().split()
    # two steps of 10 ms from where it is, at 2.4086 rad/s; then 2 s of time-out and one tick; then where it was sent
    expected = ["0.27", "0.30", "2.01", "0.79"]
    return [] if said == expected else [f"{said}, not {expected}"]


def too_small_memory_is_refused(folder, builder):
    """Tables of another version than the player: main returns 1, and nothing is read that is not there."""
    out = export(folder, "module", "Module", "tiltMiddle(45deg)")
    header = out / "tiltMiddle_graph.h"
    text = header.read_text()
    memory = text.split("_MEMORY ")[1].split()[0]
    header.write_text(text.replace(f"_MEMORY {memory}", f"_MEMORY {int(memory) - 8}"))
    done = subprocess.run([builder.build(COMPILERS[0], out)], stdout=subprocess.PIPE)
    return [] if (done.returncode, done.stdout) == (1, b"") else [f"left with {done.returncode}"]


# The board mps2-an386: a Cortex-M4, whose calls for output are answered by the PC.
STARTUP = '''extern void _start(void);
extern char stack_top[];
static void fault(void) { for (;;) { } }
__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
    (void (*)(void))stack_top, _start, fault, fault, fault, fault, fault};
'''
LAYOUT = '''MEMORY { FLASH (rx): ORIGIN = 0, LENGTH = 4M  RAM (rwx): ORIGIN = 0x20000000, LENGTH = 4M }
SECTIONS {
  .text : { KEEP(*(.vectors)) *(.text*) *(.rodata*) KEEP(*(.init)) KEEP(*(.fini)) } > FLASH
  .ARM.exidx : { *(.ARM.exidx*) } > FLASH
  .data : { *(.data*) *(.init_array*) *(.fini_array*) } > RAM
  .bss : { __bss_start__ = .; *(.bss*) *(COMMON) __bss_end__ = .; } > RAM
  end = .; __end__ = .;
  stack_top = ORIGIN(RAM) + LENGTH(RAM);
}
'''


def a_cortex_m4_prints_the_same(folder, _):
    """In an emulator, where that and a compiler for it are installed."""
    needed = [name for name in ("arm-none-eabi-gcc", "qemu-system-arm", "make") if not shutil.which(name)]
    specs = "rdimon.specs"  # of newlib
    if not needed and run("arm-none-eabi-gcc", f"-print-file-name={specs}").decode().strip() == specs:
        needed = ["newlib"]
    if needed:
        print(f"# SKIP {', '.join(needed)}: not installed")
        return []
    out = export(folder, "chain3", "Chain3", "sineGait")
    (out / "startup.c").write_text(STARTUP)
    (out / "board.ld").write_text(LAYOUT)
    run("make", "CROSS=arm-none-eabi-", "CPU=-mcpu=cortex-m4 -mthumb", f"LINK=--specs={specs} -T board.ld", "EXTRA=startup.c",
        cwd=out)
    printed = run("qemu-system-arm", "-M", "mps2-an386", "-nographic", "-monitor", "none", "-serial", "none",
                  "-semihosting-config", "enable=on,target=native", "-kernel", "sineGait", cwd=out, timeout=120)
    played = run(PROGRAM, "play", "chain3", "--config", "Chain3", "--behavior", "sineGait", "--csv")
    objects = [path for path in sorted(out.glob("*.o")) if path.name.startswith("som_") or path.name == "main.o"]
    size = run("arm-none-eabi-size", "-t", *objects).decode().splitlines()[-1].split()[:3]
    print(f"# arm-none-eabi-gcc -Os -mcpu=cortex-m4, player and loop: {size[0]} bytes of code and constants, {size[1]} of data")
    return [] if printed == played else ["another motion than on a PC"]


CHECKS = [library_moves_as_predicted, everything_moves_as_predicted, the_folder_compiles_by_itself, boards_sense,
          too_small_memory_is_refused, a_cortex_m4_prints_the_same]


def main():
    print(f"1..{len(CHECKS)}")
    failures = 0
    if not COMPILERS:
        print("Bail out! no compiler")
        return True
    with tempfile.TemporaryDirectory(prefix="somite-c-") as name:
        folder = pathlib.Path(name)
        builder = Builder(folder)
        for number, check in enumerate(CHECKS, 1):
            try:
                problems = check(folder, builder)
            except (RuntimeError, AssertionError) as error:
                problems = str(error).splitlines()
            failures += bool(problems)
            print(f"{'not ok' if problems else 'ok'} {number} - {check.__name__}", flush=True)
            for problem in problems:
                print(f"# {problem}")
    return failures != 0


sys.exit(main())
