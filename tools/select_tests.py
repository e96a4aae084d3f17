#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what some tests need to be built, as targets of ninja, or the names of the tests.

    select_tests.py targets|names FOLDER SUITE [NAME...]

FOLDER is a configured build. SUITE is one of its suites, or 'all'. NAME is a test, or a room, whose
tests are all selected; without names all tests of the suite are."""
import json
import pathlib
import sys

what, folder, suite, wanted = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4:]


def read(name):
    return json.loads((folder / "meson-info" / f"intro-{name}.json").read_text(encoding="utf-8"))


def is_meant(test, word):
    return test["name"] == word or test["name"].startswith(word.rstrip("/") + "/")


def is_selected(test):
    is_of_suite = suite == "all" or suite in [name.split(":")[-1] for name in test["suite"]]
    return is_of_suite and (not wanted or any(is_meant(test, word) for word in wanted))


tests = read("tests")
unknown = [word for word in wanted if not any(is_meant(test, word) for test in tests)]
if unknown:
    rooms = sorted({test["name"].split("/")[0] for test in tests})
    sys.exit(f"somite: no test or room is called {', '.join(unknown)}; there are {', '.join(rooms)}, and "
             f"'meson test -C build/{folder.name} --list' lists all tests")
selected = [test for test in tests if is_selected(test)]
if what == "names":
    print(*(test["name"] for test in selected))
else:
    files = {target["id"]: target["filename"] for target in read("targets")}
    root = str(folder.resolve()) + "/"
    print(*sorted({file.removeprefix(root) for test in selected for target in test["depends"]
                   for file in files[target]}))
