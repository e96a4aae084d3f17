#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `--sarif` writes, read as a service of code review would, as TAP.

    sarif.py PROGRAM

Checks what the SARIF 2.1.0 standard requires and what services ask for on top of it, and that every
place, counted in characters, is that of the text it is about.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
LEVELS = {"none", "note", "warning", "error"}
# Every property that may stand in an object of these kinds, of those that are written here.
ALLOWED = {
    "log": {"$schema", "version", "runs"},
    "run": {"tool", "originalUriBaseIds", "columnKind", "results"},
    "driver": {"name", "version", "semanticVersion", "rules"},
    "rule": {"id", "shortDescription", "fullDescription", "help", "defaultConfiguration"},
    "result": {"ruleId", "ruleIndex", "kind", "level", "message", "locations", "relatedLocations", "fixes",
               "partialFingerprints", "properties"},
    "location": {"physicalLocation", "message"},
    "region": {"startLine", "startColumn", "endLine", "endColumn"},
}
CHECKED = """use "smores.m3l"
# größer
config "Kette – é𝒳" {
    part a, b : SMORES
    connect a.B to b.T; connect a.B to c.T
    connect a.B to b.T # twice
    behavior wiggle = a.tlit to 20deg
}
"""
VERIFIED = """use "smores.m3l"
config Tower {
    part a, b, "ü𝒳" : SMORES; connect a.B to b.T
    connect b.B to "ü𝒳".T
    behavior "fällt" = series(a.tilt to 90deg, parallel(b.tilt to 80deg, b.tilt to 10deg))
}
"""


def run(folder, *arguments):
    done = subprocess.run([PROGRAM, *arguments], cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
    assert b"Sanitizer" not in done.stderr, done.stderr.decode()
    return done


def known(kind, thing):
    assert set(thing) <= ALLOWED[kind], (kind, set(thing) - ALLOWED[kind])


def cut(lines, region):
    """The text of a region, whose columns count characters from 1."""
    first, last = region["startLine"] - 1, region["endLine"] - 1
    if first == last:
        return lines[first][region["startColumn"] - 1:region["endColumn"] - 1]
    return "\n".join([lines[first][region["startColumn"] - 1:], *lines[first + 1:last],
                      lines[last][:region["endColumn"] - 1]])


def path_of(folder, artifact):
    uri = artifact["uri"]
    assert re.fullmatch(r"[!-~]+", uri), uri
    if artifact.get("uriBaseId") == "%SRCROOT%":
        assert not uri.startswith(("/", "file:", "..")), uri
        return folder / urllib.parse.unquote(uri)
    assert uri.startswith("file:///"), uri
    return pathlib.Path(urllib.parse.unquote(uri[7:]))


def check_location(folder, location):
    known("location", location)
    physical = location["physicalLocation"]
    path = path_of(folder, physical["artifactLocation"])
    region = physical["region"]
    if region == {"startLine": 1}:  # the whole file
        return ""
    known("region", region)
    start = region["startLine"], region["startColumn"]
    assert (1, 1) <= start <= (region["endLine"], region["endColumn"]), region
    return cut(path.read_text(encoding="utf-8").split("\n"), region)


def read(folder, name):
    """The results of a log that is whole, each with the text that it marks."""
    log = json.loads((folder / name).read_text(encoding="utf-8"))
    known("log", log)
    assert log["version"] == "2.1.0" and "sarif" in log["$schema"]
    assert len(log["runs"]) == 1
    the_run = log["runs"][0]
    known("run", the_run)
    assert the_run["columnKind"] == "unicodeCodePoints"
    driver = the_run["tool"]["driver"]
    known("driver", driver)
    assert driver["name"] == "Somite" and driver["version"][0].isdigit()
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(set(ids)) == len(ids)
    for rule in driver["rules"]:
        known("rule", rule)
        assert rule["shortDescription"]["text"].endswith((".", ")", ":")) and rule["help"]["text"]
        assert rule["defaultConfiguration"]["level"] in LEVELS
    prints = set()
    results = []
    for result in the_run["results"]:
        known("result", result)
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert re.fullmatch(r"SOM\d{4}", result["ruleId"])
        assert result["level"] in LEVELS and result["message"]["text"]
        assert len(result["locations"]) == 1
        print_ = result["partialFingerprints"]["somite/v1"]
        assert print_ not in prints, "two results with one fingerprint"
        prints.add(print_)
        for other in result.get("relatedLocations", []):
            assert check_location(folder, other) and other["message"]["text"]
        for fix in result.get("fixes", []):
            for change in fix["artifactChanges"]:
                path_of(folder, change["artifactLocation"]).read_text()
                assert all("deletedRegion" in r for r in change["replacements"])
        results.append((result, check_location(folder, result["locations"][0])))
    return results


def diagnostics_of_check(folder):
    (folder / "é kette.som").write_text(CHECKED, encoding="utf-8")
    plain = run(folder, "check", "é kette.som")
    done = run(folder, "check", "é kette.som", "--sarif", "a.sarif")
    assert (done.returncode, done.stdout, done.stderr) == (1, plain.stdout, plain.stderr)
    results = read(folder, "a.sarif")
    as_json = json.loads(run(folder, "check", "é kette.som", "--json").stdout)["diagnostics"]
    assert [(r["ruleId"], r["level"], r["message"]["text"]) for r, _ in results] == \
        [(d["code"], d["severity"], d["message"]) for d in as_json]
    assert any("relatedLocations" in r for r, _ in results)
    assert {r["ruleId"]: text for r, text in results}["SOM2015"] == "c"


def fixes_can_be_applied(folder):
    """In a line with characters of two, three and four bytes before them."""
    path = folder / "fix.som"
    path.write_text('use "smores.m3l"\nconfig "é–𝒳" { part a : SMORES; behavior b = a.tlit to 1deg }\n',
                    encoding="utf-8")
    assert run(folder, "check", "fix.som", "--sarif", "fix.sarif").returncode == 1
    (result, marked), = read(folder, "fix.sarif")
    assert marked == "tlit"
    change, = result["fixes"][0]["artifactChanges"]
    replacement, = change["replacements"]
    region = replacement["deletedRegion"]
    lines = path.read_text(encoding="utf-8").split("\n")
    line = lines[region["startLine"] - 1]
    lines[region["startLine"] - 1] = (line[:region["startColumn"] - 1]
                                      + replacement["insertedContent"]["text"]
                                      + line[region["endColumn"] - 1:])
    path.write_text("\n".join(lines), encoding="utf-8")
    assert run(folder, "check", "fix.som").returncode == 0


def findings_of_verify(folder):
    (folder / "tower.som").write_text(VERIFIED, encoding="utf-8")
    plain = run(folder, "verify", "tower.som", "--json")
    done = run(folder, "verify", "tower.som", "--json", "--sarif", "b.sarif")
    assert (done.returncode, done.stdout) == (plain.returncode, plain.stdout)
    findings = json.loads(plain.stdout)["findings"]
    all_results = [(r, text) for r, text in read(folder, "b.sarif") if "properties" in r]
    results = [(r, text) for r, text in all_results if r.get("kind") != "open"]
    assert findings and len(results) == len(findings)
    assert any("relatedLocations" in r for r, _ in results) == any("other" in f for f in findings)
    lines = VERIFIED.split("\n")
    for (result, text), finding in zip(results, findings):
        values = result["properties"]
        assert result["ruleId"] == finding["code"] and result["level"] == finding["severity"]
        assert result["message"]["text"].startswith(finding["message"])
        for key in ("t0", "t1", "worst", "value", "limit"):
            assert values.get(key) == finding[key], key
        assert values["subjects"] == finding["subjects"] and values["check"] == finding["check"]
        if "line" in finding:
            assert text and lines[finding["line"] - 1][finding["column"] - 1:].startswith(
                text.split("\n")[0])


def what_was_not_checked_is_open(folder):
    drift = "    behavior drift = repeat forever: a.pan by 1deg\n}\n"
    (folder / "row.som").write_text(VERIFIED[:-2] + drift, encoding="utf-8")
    plain = run(folder, "verify", "row.som", "-b", "drift", "--for", "100ms", "--json", "--sarif",
                "o.sarif")
    skipped = [s for r in json.loads(plain.stdout)["results"] for s in r["skipped"]
               if s["kind"] == "not_checked"]
    results = [r for r, _ in read(folder, "o.sarif") if r.get("kind") == "open"]
    assert skipped and len(results) == len(skipped)
    for result, what in zip(results, skipped):
        assert result["ruleId"] == "SOM4094" and result["level"] == "none"
        assert what["reason"] in result["message"]["text"]
        assert result["properties"]["check"] == what["check"]
        assert result["properties"]["count"] == what["count"]


def fingerprints_stay(folder):
    """While lines move, are indented, and other files come in; and differ between files."""
    def prints(name):
        run(folder, "check", name, "--sarif", "p.sarif")
        return [r["partialFingerprints"]["somite/v1"] for r, _ in read(folder, "p.sarif")]
    (folder / "p.som").write_text(CHECKED, encoding="utf-8")
    before = prints("p.som")
    (folder / "p.som").write_text("# a line more\n\n" + CHECKED.replace("    ", "\t"),
                                  encoding="utf-8")
    assert before and prints("p.som") == before
    (folder / "q.som").write_text(CHECKED, encoding="utf-8")
    assert not set(prints("q.som")) & set(before)


def files_are_named_sensibly(folder):
    """Below the folder relative, elsewhere absolute, and what cannot be read by its own name."""
    (folder / "sub").mkdir()
    (folder / "sub/p.som").write_text(CHECKED, encoding="utf-8")
    def uris(*names, cwd=folder):
        run(cwd, "check", *names, "--sarif", str(folder / "u.sarif"))
        log = json.loads((folder / "u.sarif").read_text(encoding="utf-8"))
        return {json.dumps(r["locations"][0]["physicalLocation"]["artifactLocation"])
                for r in log["runs"][0]["results"]}
    below = {'{"uri": "sub/p.som", "uriBaseId": "%SRCROOT%"}'}
    for name in ("sub/p.som", "./sub/../sub/p.som", str(folder / "sub/p.som")):
        assert uris(name) == below, (name, uris(name))
    (folder / "empty").mkdir()
    outside = {json.dumps({"uri": "file://" + urllib.parse.quote(str(folder / "sub/p.som"))})}
    assert uris("../sub/p.som", cwd=folder / "empty") == outside
    assert uris("sub/p.som", "gone.som") == below | {'{"uri": "gone.som", "uriBaseId": "%SRCROOT%"}'}


def a_log_that_cannot_be_written_is_told(folder):
    (folder / "fine.som").write_text('use "smores.m3l"\nconfig A { part a : SMORES }\n')
    done = run(folder, "check", "fine.som", "--sarif", "no/such/folder/x.sarif")
    assert done.returncode == 3 and b"SOM01" in done.stderr, done
    assert run(folder, "check", "fine.som", "--sarif", "fine.sarif").returncode == 0
    assert read(folder, "fine.sarif") == []


CASES = [diagnostics_of_check, fixes_can_be_applied, findings_of_verify,
         what_was_not_checked_is_open, fingerprints_stay,
         files_are_named_sensibly, a_log_that_cannot_be_written_is_told]
print(f"1..{len(CASES)}")
failures = 0
for number, case in enumerate(CASES, 1):
    with tempfile.TemporaryDirectory() as name:
        try:
            case(pathlib.Path(os.path.realpath(name)))
            print(f"ok {number} - {case.__name__}")
        except (AssertionError, KeyError, IndexError, ValueError) as problem:
            failures += 1
            print(f"not ok {number} - {case.__name__}\n# {type(problem).__name__}: {problem!r}")
            import traceback
            print("# " + traceback.format_exc().replace("\n", "\n# "))
sys.exit(failures != 0)
