#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables over time that the program writes, as those programs read them that plot such tables. As TAP.

    tables.py PROGRAM

One line of names, each once, the time first; then lines of as many numbers; the time grows from line to line. Read by
Python's own reader, strictly, and by what PlotJuggler's loader does: it takes as separator what is most frequent in the
first line outside of quotes, of a name with quotes in it only what is between the last two, and skips lines of another length."""
import csv
import io
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())

ODD = '''use "smores.m3l"
config Odd {
    part "left-front", "right front; lower", m[2] : SMORES
    connect "left-front".B to "right front; lower".T
    connect "right front; lower".B to m[1].T
    connect m[1].B to m[2].T
    behavior nod = parallel("left-front".tilt to 10deg, "right front; lower".tilt to -10deg, m[2].left spin 1rad/s during 0.2s)
}
config Wheel is SMORES { behavior roll = left spin 1rad/s during 0.1s }
'''


def run(*words, **options):
    return subprocess.run([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def separator_of(line):
    """As PlotJuggler detects it."""
    outside = re.sub(r'"[^"]*"?', '""', line)
    counts = {"\t": outside.count("\t"), ";": outside.count(";"), ",": outside.count(","),
              " ": len(re.findall(" +", outside))}
    return max(counts, key=lambda c: counts[c])


def problems_of(text, gaps=False):
    """What would keep a table from being plotted. With gaps, a cell may be empty, but not that of the time."""
    if not text.endswith("\n") or "\r" in text or "\n\n" in text:
        return ["lines do not end as they should"]
    rows = list(csv.reader(io.StringIO(text), strict=True))
    names, rows = rows[0], rows[1:]
    first = text.split("\n", 1)[0]
    problems = [] if rows else ["no rows"]
    if separator_of(first) != ",":
        problems.append(f"{separator_of(first)!r} would be taken for the separator")
    if names[0] != "t" or len(set(names)) != len(names) or "" in names:
        problems.append(f"names are not each once, or the first is not the time: {names}")
    problems += [f"PlotJuggler would not read the name {name!r}" for name in names if '"' in name or name != name.strip()]
    last = -math.inf
    for number, row in enumerate(rows, 2):
        try:
            values = [float(cell) if cell or not gaps else 0 for cell in row]
        except ValueError:
            return problems + [f"line {number} has what is no number: {row}"]
        if len(row) != len(names) or row[0] == "" or not all(map(math.isfinite, values)) or not values[0] > last:
            return problems + [f"line {number} is not as long as the first, or its time not after the one before: {row[:5]}"]
        last = values[0]
    return problems


def plays(_):
    problems, count = [], 0
    for config in json.loads(run("library", "--json").stdout)["configs"]:
        for behavior in config["behaviors"]:
            done = run("play", config["file"], "--config", config["name"], "--behavior", behavior, "--csv")
            if done.returncode == 0:
                count += 1
                problems += [f"{config['name']} {behavior}: {problem}" for problem in problems_of(done.stdout.decode())]
    return problems + ([] if count >= 30 else [f"{count} behaviors only"])


def odd_names(folder):
    problems = []
    for config, behavior, columns in (("Odd", "nod", ["left-front.bend", "right front; lower.left", "m[2].right"]),
                                      ("Wheel", "roll", ["left", "bend"])):
        for options in ([], ["--servo", "lab"], ["--dt", "3ms"]):
            text = run("play", "odd.som", "--config", config, "--behavior", behavior, "--csv", *options,
                       cwd=folder).stdout.decode()
            names = next(csv.reader([text.split("\n", 1)[0]]))
            problems += problems_of(text) + [f"{name} is missing in {names}" for name in columns if name not in names]
    # and it is a table that a behavior follows
    (folder / "nod.csv").write_bytes(run("play", "odd.som", "--config", "Odd", "--behavior", "nod", "--csv", cwd=folder).stdout)
    again = run("play", "odd.som", "--config", "Odd", "--behavior", 'follow "nod.csv"', "--csv", cwd=folder)
    first, second = (list(csv.reader(io.StringIO(text))) for text in ((folder / "nod.csv").read_text(), again.stdout.decode()))
    if again.returncode != 0 or first[0] != second[0]:
        return problems + ["what is played cannot be followed", again.stderr.decode()]
    off = max(abs(float(a) - float(b)) for x, y in zip(first[1:], second[1:]) for a, b in zip(x, y))
    return problems + ([] if off < 0.06 else [f"followed, it is {off} off"])


def records(folder):
    problems = []
    for engine in ("mujoco", "gazebo"):
        for file, config, behavior in (("odd.som", "Odd", "nod"), ("walkbot", "Walkbot", "walk")):
            done = run("simulate", file, "--config", config, "--behavior", behavior, "--engine", engine, "--duration", "0.5s",
                       "--record", "record.csv", cwd=folder)
            if b"SOM6001" in done.stderr:
                print(f"# built without {engine}")
                break
            problems += [f"{engine} {file}: {problem}" for problem in problems_of((folder / "record.csv").read_text())]
    return problems


def verifications(folder):
    problems = []
    for words in (("walkbot", "--behavior", "walk"), ("odd.som", "--behavior", "nod"), ("module", "--behavior", "wait 0s")):
        run("verify", *words, "--csv", "found.csv", cwd=folder)
        found = json.loads(run("verify", *words, "--series", "--json", cwd=folder).stdout)["results"][0]
        text = (folder / "found.csv").read_text()
        rows = list(csv.reader(io.StringIO(text)))
        problems += [f"{words}: {problem}" for problem in problems_of(text, gaps=True)]
        for series in found["series"]:
            column = [row[rows[0].index(series["name"])] for row in rows[1:]]
            if [float(cell) if cell else None for cell in column] != series["values"]:
                problems.append(f"{words}: {series['name']} is not that of --json")
    return problems


CHECKS = [plays, odd_names, records, verifications]


def main():
    print(f"1..{len(CHECKS)}")
    failures = 0
    with tempfile.TemporaryDirectory(prefix="somite-tables-") as name:
        folder = pathlib.Path(name)
        (folder / "odd.som").write_text(ODD)
        for number, check in enumerate(CHECKS, 1):
            problems = check(folder)
            failures += bool(problems)
            print(f"{'not ok' if problems else 'ok'} {number} - {check.__name__}", flush=True)
            for problem in problems[:20]:
                print(f"# {problem}")
    return failures != 0


sys.exit(main())
