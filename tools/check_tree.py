#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hygiene of the whole tree, as TAP: format, length, licence lines, C++ headers, codes, words."""
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
LONGEST = 1000  # lines; 600 is what we aim at
CPP_ROOMS = ["base", "space", "language", "linkage", "modules", "compose", "player", "behaviors"]


def tracked(*endings):
    """Files of the tree with these endings, build folders left out."""
    git = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    names = git.stdout.split("\n") if git.returncode == 0 else [
        str(path.relative_to(ROOT)) for path in ROOT.rglob("*")]
    return [ROOT / name for name in sorted(names)
            if name.endswith(endings) and not name.startswith("build/") and (ROOT / name).is_file()]


def sources_are_formatted():
    tool = shutil.which("clang-format-14")
    if tool is None:
        return ["clang-format-14 is not installed"]
    files = [str(path) for path in tracked(".c", ".h", ".cc")]
    done = subprocess.run([tool, "--dry-run", "-Werror", *files], text=True, stderr=subprocess.PIPE)
    problems = [line for line in done.stderr.splitlines() if "error:" in line]
    return problems or ([f"clang-format failed: {done.stderr[:200]}"] if done.returncode else [])


def no_source_is_too_long():
    problems = []
    for path in tracked(".c", ".h", ".cc", ".py", ".inc"):
        count = len(path.read_text(encoding="utf-8").splitlines())
        if count > LONGEST:
            problems.append(f"{path}: {count} lines, more than {LONGEST}")
    return problems


def every_source_names_its_licence():
    return [f"{path}: no SPDX line" for path in tracked(".c", ".h", ".cc", ".py", ".sh")
            if "SPDX-License-Identifier: Apache-2.0" not in path.read_text(encoding="utf-8")[:2500]]


def file_names_are_unique():
    seen, problems = {}, []
    for path in tracked(".c", ".h", ".cc"):
        if path.name in seen:
            problems.append(f"{path}: the name is taken by {seen[path.name]}")
        seen[path.name] = path
    return problems


def headers_compile_as_cpp():
    compiler = shutil.which("c++") or shutil.which("clang++")
    if compiler is None:
        return ["no C++ compiler is installed"]
    headers = [path.relative_to(ROOT) for path in tracked(".h")
               if path.relative_to(ROOT).parts[0] in CPP_ROOMS and not path.name.endswith("_internal.h")]
    # each for itself, so that each brings what it needs
    problems = []
    for header in headers:
        done = subprocess.run(
            [compiler, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", str(ROOT),
             "-x", "c++", "-"], input=f'#include "{header}"\n', text=True, stderr=subprocess.PIPE)
        if done.returncode != 0:
            problems += [f"{header}: not C++17"] + done.stderr.splitlines()[:5]
    return problems


def every_code_has_a_case():
    """In tests/golden/diagnostics or tests/linkage/cases a file SOMnnnn-*, or SOMnnnn printed in a
    tests/command session; for what no command can show (a full disk, a hull of wrong points), its
    name in a unit test."""
    codes = {}
    for path in sorted((ROOT / "base/codes").glob("*.inc")):
        for number, name in re.findall(r"^SOM_CODE\(\s*(\d+),\s*\w+,\s*(\w+)", path.read_text(), re.M):
            codes[f"SOM{int(number):04d}"] = f"SOM_{name}"
    shown = " ".join(path.read_text(encoding="utf-8", errors="replace")
                     for path in (ROOT / "tests/command").glob("*.session"))
    for folder in ("tests/golden/diagnostics", "tests/linkage/cases"):
        shown += " ".join(path.name for path in (ROOT / folder).iterdir())
    tested = set(re.findall(r"\bSOM_\w+|\bSOM\d{4}\b", " ".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*_test.c"))))
    if len(codes) < 50:
        return ["the lists of codes were not understood"]
    return [f"{code} {name}: no golden file, session or unit test shows it"
            for code, name in sorted(codes.items())
            if code not in shown and name not in tested and code not in tested]


def codes_are_listed_in_order():
    text = "".join((ROOT / name).read_text() for name in
                   re.findall(r'#include "(.*)"', (ROOT / "base/diagnostic_codes.inc").read_text()))
    numbers = [int(number) for number in re.findall(r"^SOM_CODE\(\s*(\d+)", text, re.M)]
    if len(numbers) < 50:
        return ["the lists of codes were not understood"]
    return [f"SOM{b:04d} follows SOM{a:04d}" for a, b in zip(numbers, numbers[1:]) if b <= a]


def numbers_do_not_depend_on_the_locale():
    """The decimal point of libc follows the user's locale; base/number.h is the way. Tests and
    benchmarks may compare with libc."""
    pattern = re.compile(r"\b(strto(d|f|ld)|atof|v?f?s?scanf|localeconv|setlocale|uselocale)\s*\("
                         r'|"[^"]*%[-+#0]*(\d+|\*)?(\.(\d+|\*)?)?L?[aefgAEFG](?![a-z])[^"]*"')
    return [f"{path}:{number}: {line.strip()[:80]}"
            for path in tracked(".c", ".h", ".cc")
            if path.relative_to(ROOT).parts[0] not in ("tests", "benchmarks")
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
            if pattern.search(line.split("//")[0])]


def codes_in_pages_and_help_exist():
    known = {f"SOM{int(number):04d}" for path in (ROOT / "base/codes").glob("*.inc")
             for number in re.findall(r"^SOM_CODE\(\s*(\d+)", path.read_text(), re.M)}
    pages = [*tracked(".md"), *(ROOT / "command").glob("*.c")]
    return [f"{path}: there is no {code}" for path in pages
            for code in re.findall(r"SOM\d{4}", path.read_text(encoding="utf-8")) if code not in known]


def nothing_names_one_machine():
    pattern = re.compile(r"/(?:root|home/\w+|work)/|deb\.debian\.org|registry\.npmjs")
    own = pathlib.Path(__file__).resolve()
    return [f"{path}:{number}: {line.strip()[:80]}"
            for path in tracked(".c", ".h", ".cc", ".py", ".sh", ".md", ".build", ".inc", ".session", ".som", ".m3l")
            if path.resolve() != own
            for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)
            if pattern.search(line)]


CHECKS = [sources_are_formatted, no_source_is_too_long, every_source_names_its_licence,
          file_names_are_unique, headers_compile_as_cpp, every_code_has_a_case,
          codes_are_listed_in_order, codes_in_pages_and_help_exist,
          numbers_do_not_depend_on_the_locale, nothing_names_one_machine]


def main():
    print(f"1..{len(CHECKS)}")
    failures = 0
    for number, check in enumerate(CHECKS, 1):
        problems = check()
        failures += bool(problems)
        print(f"{'not ok' if problems else 'ok'} {number} - {check.__name__}")
        for problem in problems:
            print(f"# {problem}")
    return failures != 0


sys.exit(main())
