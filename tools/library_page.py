#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/library.md, the page about the designs of the library, and its pictures.

    library_page.py PROGRAM                 verifies and simulates every behavior, writes page and pictures
    library_page.py PROGRAM --only [NAME…]  measures these configurations again, keeps the others' numbers
    library_page.py PROGRAM --check         as a test (TAP): the page has every configuration and behavior of
                                            the library with their words; with SOM_TEST_LONG=1 also measures
                                            everything again and compares

A behavior is measured if it can be run by itself: all of its parameters have defaults. Numbers of a page
are compared with what is measured within TIME, WAY and TURN below.
"""
import concurrent.futures
import functools
import json
import math
import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent
LIBRARY = SOURCE / "library"
PAGE = SOURCE / "docs" / "library.md"
PICTURES = SOURCE / "docs" / "pictures" / "library"
ENGINES = ["mujoco", "gazebo"]
PROGRAM = None

# How far a number may be from the one on the page: a share of it, and so much more.
TIME = (0.1, 0.2)  # seconds
WAY = (0.2, 30)  # millimetres
TURN = (0.2, 6)  # degrees

HEAD = """\
# The library

These designs come with Somite. The name of a file stands for it in every verb: `somite show walkbot`; in a design it is
`use "walkbot.som"`. This page is written by `tools/library_page.py`; a test compares it with the library, and in its long
run with what both physics engines make of every behavior.

Each behavior that can be run by itself has been verified and simulated, with the defaults of its parameters, in MuJoCo and in
Gazebo's engine. The columns of the engines have the outcome, if it is not `completed`, the time, how far the centre of mass moved,
and how far the base turned to the left. *Unsafe* is what `somite verify` has errors for; physics may still complete it, where
joints give way under loads that they could not hold. Behaviors without numbers are steps of others: they need arguments.

The modules and the sources of their figures are in `library/modules/`.
"""

COUNTER = """\
## Counter-examples

These designs are wrong on purpose, as those of the paper are that show what verification finds. They are in
`library/configs/counter_examples/`; the line `# Expected:` of each file has the code of the finding, with the behavior before it
that is to be verified. A test verifies that they are found.
"""


def call(*words):
    env = dict(os.environ, SOMITE_LIBRARY=str(LIBRARY), LC_ALL="C.UTF-8")
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, env=env)


def run(*words):
    done = call(*words)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        sys.exit(f"somite {' '.join(map(str, words))}: {done.stderr or done.stdout}")


def one_line(text):
    return " ".join(text.split()).replace("|", "\\|")


def parameters(behavior):
    return ", ".join(p["name"] + (f' = {p["default"]}' if "default" in p else f': {p["type"]}')
                     for p in behavior["parameters"])


def is_runnable(behavior):
    return all("default" in p for p in behavior["parameters"])


def length(metres):
    return f"{1000 * metres:.0f} mm" if metres < 1 else f"{metres:.2f} m"


def verdicts(path, config):
    """Of the behaviors of a configuration, and of itself under ''."""
    found = run("verify", path, "--config", config, "--json")
    return {r["behavior"] or "": r["verdict"] for r in found["results"]}


def simulate(path, config, behavior, engine):
    run_of = run("simulate", path, "--config", config, "-b", behavior, "--engine", engine, "--json")
    if "displacement" not in run_of:
        sys.exit(f"{config} {behavior} does not run in {engine}: {run_of}")
    x, y, z = run_of["displacement"]
    turn = round(math.degrees(run_of["heading_change"])) + 0
    words = "" if run_of["outcome"] == "completed" else run_of["outcome"] + ", "
    return f'{words}{run_of["sim_time"]:.1f} s, {length(math.hypot(x, y))}, {turn}°'


def measure(path, config, behavior, verdict):
    return [verdict, *(simulate(path, config, behavior, engine) for engine in ENGINES)]


def read_numbers():
    """What the page says: (configuration, behavior) to the cells behind it."""
    found, config = {}, ""
    for line in PAGE.read_text().splitlines() if PAGE.exists() else []:
        if line.startswith("### "):
            config = line[4:]
        cells = [c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 5 and cells[0].startswith("`"):
            found[config, re.match(r"`([\w\"]+)", cells[0])[1]] = cells[2:]
    return found


def parts_of(shown):
    """How many parts of which kind, those of parts left out."""
    counts = {}
    for part in shown["parts"]:
        if "." not in part["path"]:
            counts[part["config"]] = counts.get(part["config"], 0) + 1
    return ", ".join(name if n == 1 else f"{n} × {name}" for name, n in counts.items())


def table(config, behaviors, numbers):
    lines = ["", "| behavior | | verify | MuJoCo | Gazebo |", "|---|---|---|---|---|"]
    for b in behaviors:
        cells = numbers.get((config, b["path"]), ["", "", ""]) if is_runnable(b) else ["", "", ""]
        lines.append(f'| `{b["path"]}({parameters(b)})` | {one_line(b["doc"])} | {" | ".join(cells)} |'
                     .replace("()`", "`").replace("|  |", "| |").replace("|  |", "| |"))
    return lines


def section(entry, shown, numbers):
    name = entry["name"]
    facts = [f'order {entry["order"]}', f'{entry["modules"]} module{"s" * (entry["modules"] != 1)}',
             f'{entry["dof"]} DoF']
    parts = parts_of(shown)
    lines = [f"### {name}", "", f"![{name}](pictures/library/{name}.png)", "", one_line(entry["doc"]), "",
             f'`{entry["file"]}.som`: {", ".join(facts)}' + (f"; parts: {parts}." if parts else ".")]
    own = [b for b in shown.get("behavior_parameters", []) if b["path"] in entry["behaviors"]]
    return lines + (table(name, own, numbers) if own else []) + [""]


@functools.lru_cache(maxsize=None)
def show(file, config):
    return run("show", file, "--config", config, "--json")


def own_behaviors(entry):
    shown = show(entry["file"], entry["name"])
    return shown, [b for b in shown.get("behavior_parameters", []) if b["path"] in entry["behaviors"]]


def comment_of(path):
    """The comment at the head of a file, as a paragraph, and what it expects."""
    lines = []
    for line in path.read_text().splitlines():
        if not line.startswith("#"):
            break
        lines.append(line[1:].strip())
    text = " ".join(lines)
    words, expected = text.split("Expected:")
    return words.strip(), expected.split()


def counter_examples():
    return sorted((LIBRARY / "configs" / "counter_examples").glob("*.som"))


def page(library, numbers):
    lines = [HEAD]
    for entry in library:
        lines += section(entry, own_behaviors(entry)[0], numbers)
    lines.append(COUNTER)
    for path in counter_examples():
        words, expected = comment_of(path)
        lines += [f"### {path.stem}", "", f"![{path.stem}](pictures/library/{path.stem}.png)", "",
                  f'{words} Expected: {" ".join(f"`{w}`" for w in expected)}.', ""]
    return "\n".join(lines).rstrip() + "\n"


def render(design, name, *words):
    done = call("render", design, *words, "-o", PICTURES / f"{name}.png", "--size", "192x144")
    if done.returncode != 0:
        sys.exit(f"{name} is not drawn: {done.stderr}")


def draw(library):
    PICTURES.mkdir(parents=True, exist_ok=True)
    for old in PICTURES.glob("*.png"):
        old.unlink()
    for entry in library:
        render(entry["file"], entry["name"], "--config", entry["name"])
    for path in counter_examples():
        render(path, path.stem)


def measure_all(library, numbers, only, keep):
    """Measures what is run by itself, several at a time; `keep` is called after each with all numbers."""
    jobs = int(os.environ.get("SOM_JOBS", os.cpu_count()))
    chosen = [e for e in library if not only or e["name"] in only]

    def measure_design(entry):
        found = verdicts(entry["file"], entry["name"])
        for b in own_behaviors(entry)[1]:
            if is_runnable(b):
                key = entry["name"], b["path"]
                numbers[key] = measure(entry["file"], *key, found[b["path"]])
                print("#", *key, *numbers[key], flush=True)
        keep(numbers)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(measure_design, chosen))
    return numbers


def is_near(a, b, slack):
    return abs(a - b) <= slack[0] * max(abs(a), abs(b)) + slack[1]


def parse(cell):
    m = re.fullmatch(r"(?:(\D+), )?([\d.]+) s, ([\d.]+) (mm|m), (-?\d+)°", cell)
    return m[1], float(m[2]), float(m[3]) * (1000 if m[4] == "m" else 1), int(m[5])


def differences(old, new):
    """What is not as on the page, of the cells of one behavior."""
    found = [] if old[0] == new[0] else [f"verdict {new[0]}"]
    for was, is_, engine in zip(old[1:], new[1:], ENGINES):
        a, b = parse(was), parse(is_)
        if a[0] != b[0] or not all(is_near(*v) for v in zip(a[1:], b[1:], (TIME, WAY, TURN))):
            found.append(f"{engine}: {is_}")
    return found


def report(number, name, complaints):
    print(f"{'not ok' if complaints else 'ok'} {number} - {name}")
    for line in complaints:
        print("#", line)
    return not complaints


def check(library):
    is_long = bool(os.environ.get("SOM_TEST_LONG"))
    print(f"1..{3 + is_long}")
    numbers = read_numbers()
    runnable = [(e["name"], b["path"]) for e in library for b in own_behaviors(e)[1] if is_runnable(b)]
    good = report(1, "every_behavior_has_numbers",
                  [f"{c} {b}" for c, b in runnable if "" in numbers.get((c, b), [""])])
    good &= report(2, "the_page_is_what_the_library_says",
                   [] if PAGE.read_text() == page(library, numbers) else
                   ["tools/library_page.py PROGRAM --only NAME… writes docs/library.md again"])
    wanted = {e["name"] for e in library} | {p.stem for p in counter_examples()}
    found = {p.stem for p in PICTURES.glob("*.png")}
    good &= report(3, "every_design_has_a_picture", sorted(wanted ^ found))
    if is_long:
        new = measure_all(library, {}, [], lambda _: None)
        good &= report(4, "engines_measure_what_the_page_says",
                       [f"{c} {b}: {d}, on the page {numbers[c, b]}" for c, b in runnable
                        for d in differences(numbers[c, b], new[c, b])])
    return good


def main():
    global PROGRAM
    PROGRAM = os.path.abspath(sys.argv[1])
    library = run("library", "--json")["configs"]
    if sys.argv[2:] == ["--check"]:
        sys.exit(0 if check(library) else 1)
    only = sys.argv[3:] or ["-"] if sys.argv[2:3] == ["--only"] else []
    draw(library)
    numbers = read_numbers() if only else {}
    measure_all(library, numbers, only, lambda so_far: PAGE.write_text(page(library, dict(so_far))))
    PAGE.write_text(page(library, numbers))


if __name__ == "__main__":
    main()
