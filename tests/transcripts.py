#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of transcripts and compares what they print, as TAP.

    transcripts.py PROGRAM [FILE…]

Without files: tests/command/*.session, README.md and docs/*.md.

A `.session` file is shell commands after `$ `, each followed by exactly what it prints: standard
output, then standard error with `2> ` before every line, then `exit N` unless N is 0. A line that
begins with `# ` between commands is a comment. In a `.md` page, every ```console block is such a
session, with standard error mixed in as a reader sees it and without exit codes. Every ```somite
block is written to the file named behind that word and must pass `somite check` with
nothing but notes.

A file that says `needs gazebo` or `needs mujoco` in a line `# needs …` (in a page `<!-- needs … -->`)
before its first session is skipped where the program was built without that engine.

Each file runs in an empty folder of its own, in which $SOURCE is the source tree and `somite` the
program. SOM_UPDATE=1 rewrites the files with what was printed; read the diff.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
UPDATE = bool(os.environ.get("SOM_UPDATE"))


def run(command, folder, merged):
    env = dict(os.environ, SOURCE=str(SOURCE), LC_ALL="C.UTF-8", HOME=folder,
               PATH=f"{folder}/.bin:{os.environ['PATH']}")
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, timeout=300,
                          stderr=subprocess.STDOUT if merged else subprocess.PIPE)
    text = done.stdout.decode("utf-8", "backslashreplace")
    if text and not text.endswith("\n"):
        text += "\n"
    if not merged:
        for line in done.stderr.decode("utf-8", "backslashreplace").splitlines():
            text += f"2> {line}\n"
        if done.returncode != 0:
            text += f"exit {done.returncode}\n"
    return text.replace(str(SOURCE), "$SOURCE").replace(folder, "$FOLDER")


def replay(lines, folder, merged):
    """The same session with what the commands print now; and the pairs that differ."""
    out, wrong, at = [], [], 0
    while at < len(lines):
        line = lines[at]
        at += 1
        out.append(line)
        if not line.startswith("$ "):
            continue
        command = line[2:]
        while command.endswith("\\\n"):
            command += lines[at]
            out.append(lines[at])
            at += 1
        expected = ""
        while at < len(lines) and not lines[at].startswith("$ ") and not (
                not merged and lines[at].startswith("# ")):
            expected += lines[at]
            at += 1
        blank = ""  # blank lines before the next command are layout
        while not merged and expected.endswith("\n\n"):
            expected, blank = expected[:-1], blank + "\n"
        if expected == "\n":
            expected, blank = "", blank + "\n"
        actual = run(command, folder, merged)
        if actual != expected:
            wrong.append((command.strip(), expected, actual))
        out.append(actual + blank)
    return "".join(out), wrong


def sessions_of(path):
    """(start, end) character ranges of the sessions in the file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".md":
        return text, [(0, len(text))]
    return text, [match.span(1) for match in re.finditer(r"^```console\n(.*?)^```", text, re.M | re.S)]


def check_designs(text, folder):
    """Writes the ```somite blocks of a page; those that do not check, as replay reports them."""
    wrong = []
    blocks = re.findall(r"^```somite(?: +(\S+))?\n(.*?)^```", text, re.M | re.S)
    for number, (name, design) in enumerate(blocks, 1):
        name = name or f"block-{number}.som"
        pathlib.Path(folder, name).write_text(design, encoding="utf-8")
        printed = run(f"somite check {name}", folder, True)
        if re.search(r"\[SOM\d+\]$", re.sub(r"(?m)^.*: note: .*$", "", printed), re.M):
            wrong.append((f"somite check {name}", "", printed))
    return wrong


def check(path, program):
    merged = path.suffix == ".md"
    text, ranges = sessions_of(path)
    folder = tempfile.mkdtemp(prefix="somite-session-")
    os.mkdir(f"{folder}/.bin")
    os.symlink(program, f"{folder}/.bin/somite")
    os.symlink(SOURCE / "somite", f"{folder}/.bin/launcher")
    pieces, last = [], 0
    problems = check_designs(text, folder) if merged else []
    for begin, end in ranges:
        replayed, wrong = replay(text[begin:end].splitlines(keepends=True), folder, merged)
        pieces += [text[last:begin], replayed]
        last = end
        problems += wrong
    shutil.rmtree(folder, ignore_errors=True)
    if UPDATE and problems:
        path.write_text("".join(pieces) + text[last:], encoding="utf-8")
    return problems


def missing_engines(path, program):
    """Engines that the file needs and the program has not."""
    said = re.search(r"^(?:#|<!--) needs ([a-z ]+?)(?: -->)?$", path.read_text(encoding="utf-8"), re.M)
    return [engine for engine in (said.group(1).split() if said else []) if subprocess.run(
        [program, "simulate", "module", "--engine", engine, "--duration", "1ms", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.find(b"SOM6001") >= 0]


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    if not os.access(program, os.X_OK) or os.path.isdir(program):
        sys.exit(f"there is no program {program}: build it first")  # an update would empty the pages
    groups = {"sessions": sorted((SOURCE / "tests/command").glob("*.session")),
              "pages": [SOURCE / "README.md", *sorted((SOURCE / "docs").glob("*.md"))]}
    paths = [path for name in sys.argv[2:] or groups for path in groups.get(name, [pathlib.Path(name)])]
    print(f"1..{len(paths)}")
    failures = 0
    for number, path in enumerate(paths, 1):
        missing = missing_engines(path, program)
        if missing:
            print(f"ok {number} - {path.name} # SKIP built without {' and '.join(missing)}", flush=True)
            continue
        problems = check(path, program)
        bad = bool(problems) and not UPDATE
        failures += bad
        print(f"{'not ok' if bad else 'ok'} {number} - {path.name}", flush=True)
        for command, expected, actual in problems if bad else []:
            for line in [f"$ {command}", "--- expected", *expected.splitlines(), "--- printed",
                         *actual.splitlines()]:
                print(f"# {line}")
    return failures != 0


sys.exit(main())
