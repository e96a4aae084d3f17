#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints "PASSED FAILED SECONDS" for a run of meson's tests: single checks inside TAP tests are
counted, and processor time. The slowest tests go to standard error.

    count_tests.py TESTLOG TIMES

TESTLOG is meson's testlog.json, TIMES what tools/time_test.sh has written."""
import json
import re
import sys

SLOWEST = 10


def read_times(path):
    """command: seconds"""
    times = {}
    for line in open(path, encoding="utf-8", errors="replace"):
        spent = re.match(r"(\d+)m([\d.]+)s (\d+)m([\d.]+)s (.*)", line)
        if spent:
            times[spent[5]] = 60 * (int(spent[1]) + int(spent[3])) + float(spent[2]) + float(spent[4])
    return times


times = read_times(sys.argv[2])
passed = failed = 0
spent = []
for line in open(sys.argv[1], encoding="utf-8"):
    test = json.loads(line)
    points = re.findall(r"^(ok|not ok)\b(?!.*# *SKIP)", test.get("stdout") or "", re.MULTILINE)
    bad = sum(point == "not ok" for point in points)
    passed += len(points) - bad
    failed += bad
    if test["result"] not in ("OK", "SKIP") and bad == 0:
        failed += 1  # crashed, or timed out, or has no TAP
    elif not points and test["result"] == "OK":
        passed += 1
    command = " ".join(test["command"]).partition("time_test.sh ")[2]
    spent.append((times.get(command, test["duration"]), test["name"].split(" / ")[-1]))
print(passed, failed, round(sum(seconds for seconds, _ in spent)))
if len(spent) > SLOWEST:
    slowest = ", ".join(f"{name} {seconds:.1f} s" for seconds, name in sorted(spent)[::-1][:SLOWEST])
    print(f"somite: slowest of {len(spent)} tests, in processor time: {slowest}", file=sys.stderr)
sys.exit(failed != 0)
