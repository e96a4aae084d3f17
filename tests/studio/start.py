#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `somite studio FILE --exit-after-startup` does with files of all kinds: start.py SOMITE, on a
display (on_display.py). Prints TAP.
"""

import os
import subprocess
import sys
import tempfile

PAIR = 'use "smores.m3l"\nconfig Pair {\n    part a, b : SMORES\n    connect a.B to b.T\n}\n'
MEGABYTE = 1 << 20


def write(name, content):
    with open(name, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    return name


def link(name, target):
    os.symlink(target, name)
    return name


def make_folder(name):
    os.mkdir(name)
    return name


# A fact, what is opened, the status it leaves with, words that it says.
CASES = [
    ("a design of the library is opened", lambda: ["walkbot"], 0, ""),
    ("nothing is opened", lambda: [], 0, ""),
    ("a file is opened", lambda: [write("pair.som", PAIR)], 0, ""),
    ("a file with blanks and other letters in its name is opened", lambda: [write("my päir 1.som", PAIR)], 0, ""),
    ("two files are two windows", lambda: [write("one.som", PAIR), write("two.som", PAIR)], 0, ""),
    ("an empty file is opened", lambda: [write("empty.som", "")], 0, ""),
    ("a file with errors is opened, for they can be repaired", lambda: [write("wrong.som", "config {{{")], 0, ""),
    ("a file of comments alone is opened", lambda: [write("quiet.som", "# nothing yet\n")], 0, ""),
    ("a file whose modules are missing is opened", lambda: [write("lost.som", 'use "nosuch.m3l"\n')], 0, ""),
    ("a file that cannot be read by this program ends it", lambda: [link("round.som", "round.som")], 1, "round.som"),
    ("a design that is not there ends it", lambda: ["nosuch.som"], 1, "nosuch.som"),
    ("a folder ends it", lambda: [make_folder("folder.som")], 1, "folder.som"),
    ("bytes that are no text end it", lambda: [write("bytes.som", b"config \xff\xfe {}\n")], 1, "UTF-8"),
    ("a zero byte ends it", lambda: [write("zero.som", b"config A {\0}\n")], 1, "zero.som: "),
    ("a file that no design is as large as ends it",
     lambda: [write("huge.som", b"#" * (65 * MEGABYTE))], 1, "huge.som"),
    ("one megabyte of comments is opened", lambda: [write("long.som", "# words\n" * (MEGABYTE // 8) + PAIR)], 0, ""),
    ("one line of a megabyte is opened", lambda: [write("line.som", "#" * MEGABYTE + "\n" + PAIR)], 0, ""),
    ("a hundred modules are opened", lambda: [write("snake.som", 'use "snake.som"\nconfig Big { part s : Snake(n = 34) }\n')],
     0, ""),
    ("one that is wrong among others ends it", lambda: [write("fine.som", PAIR), "nosuch.som"], 1, "nosuch.som"),
]


def main():
    program = os.path.abspath(sys.argv[1])
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for number, (fact, make, status, words) in enumerate(CASES, 1):
            run = subprocess.run([program, "studio", *make(), "--exit-after-startup"], capture_output=True,
                                 timeout=120, check=False)
            said = run.stderr.decode(errors="replace")
            is_fine = run.returncode == status and words in said and "CRITICAL" not in said and "WARNING" not in said
            failed += not is_fine
            print(f"{'ok' if is_fine else 'not ok'} {number} - {fact}", flush=True)
            if not is_fine:
                print(f"# status {run.returncode} in place of {status}")
                print("".join(f"# {line}\n" for line in said.splitlines()), end="")
    print(f"1..{len(CASES)}")
    return 1 if failed else 0


sys.exit(main())
