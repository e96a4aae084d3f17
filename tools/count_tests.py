#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints "PASSED FAILED" for a testlog.json of meson, counting single checks inside TAP tests."""
import json
import re
import sys

passed = failed = 0
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
print(passed, failed)
sys.exit(failed != 0)
