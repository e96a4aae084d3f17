#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints "PASSED FAILED" for a testlog.json of meson, counting single checks inside TAP tests. The
slowest tests go to standard error."""
import json
import re
import sys

SLOWEST = 10

passed = failed = 0
times = []
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
    times.append((test["duration"], test["name"].split(" / ")[-1]))
print(passed, failed)
if len(times) > SLOWEST:
    slowest = ", ".join(f"{name} {seconds:.0f} s" for seconds, name in sorted(times)[::-1][:SLOWEST])
    print(f"somite: slowest of {len(times)} tests: {slowest}", file=sys.stderr)
sys.exit(failed != 0)
