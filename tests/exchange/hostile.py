#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hostile XML and JSON in every format that is imported, as TAP.

    hostile.py PROGRAM

For each ending that `somite import` says it knows, files that were made to exhaust memory, stack or
time, or to read other files: each ends in a diagnostic with a code, exit 1 or 3, within SECONDS and
BYTES of memory, and nothing of another file is ever shown. Under the sanitizers a program takes a
few times the memory and time, and the bounds are for that.
"""
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
SECONDS = 20  # of the processor, since others may use it, too
MEGABYTES = 1024
LONG = bool(os.environ.get("SOM_TEST_LONG"))
SECRET = "the words of a file that nobody gave"
MANY = 300 << 20  # bytes of what is huge: more than any reader takes
LARGE = {"large attribute", "large text", "huge name", "a million attributes", "a million siblings",
         "a million words", "many namespaces", "deep and not closed", "large string", "many keys",
         "many values", "objects in objects"}  # tens of megabytes: once for each kind of reader

# How a file of a format begins: XML of these elements, or what else the ending is for.
ROOTS = {".conf": "configuration", ".struct": "Structure", ".control": "Control", ".urdf": "robot",
         ".xacro": "robot", ".sdf": "sdf", ".world": "sdf", ".hrdf": "robot", ".xml": "Behavior"}
XML_ROOTS = ["RobotStateObject", "Behavior", "root", "mujoco", "robot"]  # of .xml, all of them


def xml_cases(root):
    """name: bytes, or a list of (bytes, times) for what is too large to hold."""
    laughs = "".join(f'<!ENTITY l{i} "{"&l%d;" % (i - 1) * 10}">' for i in range(1, 10))
    def doctype(inside, name="x"):
        return f"<?xml version='1.0'?><!DOCTYPE {root} [{inside}]><{root}>&{name};</{root}>".encode()
    def around(begin, middle, times, end):
        return [(f"<{root}{begin}".encode(), 1), (middle, times), (f"{end}</{root}>".encode(), 1)]
    text = f"<{root} a='\u00e9'><b>\u00e9</b></{root}>"
    return {
        "billion laughs": doctype('<!ENTITY l0 "ha">' + laughs, "l9"),
        "quadratic blowup": doctype(f'<!ENTITY x "{"x" * 100000}">').replace(b"&x;", b"&x;" * 50000),
        "external entity": doctype('<!ENTITY x SYSTEM "secret.txt">'),
        "external entity by uri": doctype('<!ENTITY x SYSTEM "file:///etc/passwd">'),
        "parameter entity": doctype('<!ENTITY % p SYSTEM "secret.dtd"> %p;'),
        "document type of a network": f"<!DOCTYPE {root} SYSTEM 'http://127.0.0.1:9/x.dtd'><{root}/>"
                                      .encode(),
        "entity in itself": doctype('<!ENTITY x "&y;"><!ENTITY y "&x;">'),
        "entity that nobody defines": f"<{root}>&x;</{root}>".encode(),
        "inclusion": f"<{root} xmlns:xi='http://www.w3.org/2001/XInclude'>"
                     f"<xi:include href='secret.txt' parse='text'/></{root}>".encode(),
        "deep": [(f"<{root}>".encode(), 1), (b"<a>", 100000), (b"</a>", 100000),
                 (f"</{root}>".encode(), 1)],
        "deep and not closed": [(f"<{root}>".encode(), 1), (b"<a>", 3000000)],
        "huge attribute": around(" a='", b"x", MANY, "'>"),
        "large attribute": around(" a='", b"x" * (1 << 20), 40, "'>"),
        "huge text": around(">", b"x", MANY, ""),
        "large text": around(">", b"x" * (1 << 20), 50, ""),
        "huge comment": around("><!--", b"x", MANY, "-->"),
        "huge name": around("><", b"x" * (1 << 20), 50, "/>"),
        "a million attributes": [(f"<{root}".encode(), 1),
                                 (b"".join(b" a%06d=''" % i for i in range(1000000)), 1),
                                 (b"/>", 1)],
        "a million siblings": around(">", b"<a/>" * 1000, 1000, ""),
        "a million words": around(">", b"<a/>x" * 1000, 1000, ""),
        "many namespaces": around(">", b"<a xmlns:p='u'>" * 150 + b"</a>" * 150, 2000, ""),
        "not UTF-8": f"<{root}>".encode() + b"\xff\xfe\xc0\x80\xed\xa0\x80" + f"</{root}>".encode(),
        "UTF-16": b"\xff\xfe" + text.encode("utf-16-le")[:-1],
        "UTF-16 with half a pair": b"\xff\xfe" + text.encode("utf-16-le") + b"\x00\xd8",
        "UTF-32": text.encode("utf-32"),
        "UTF-7": b"<?xml version='1.0' encoding='UTF-7'?>+ADw-a/+AD4-",
        "an encoding that lies": b"<?xml version='1.0' encoding='utf-16'?>" + b"\xff" * 10,
        "null bytes": f"<{root}>\0\0\0</{root}>".encode(),
        "nothing but null bytes": b"\0" * 100000,
        "not closed": f"<{root}><a b='".encode(),
        "a comment that is not closed": f"<{root}><!-- ".encode(),
        "plain text that is not closed": f"<{root}><![CDATA[ ".encode(),
        "an instruction that is not closed": f"<?x <{root}>".encode(),
        "roots without end": [(f"<{root}/>".encode(), 100000)],
    }


def json_cases():
    return {
        "arrays without end": [(b"[", 1000000)],
        "arrays in arrays": [(b"[", 1000000), (b"]", 1000000)],
        "objects in objects": [(b'{"a":', 1000000), (b"1", 1), (b"}", 1000000)],
        "huge string": [(b'{"a": "', 1), (b"x", MANY), (b'"}', 1)],
        "large string": [(b'{"a": "', 1), (b"x" * (1 << 20), 50), (b'", }', 1)],
        "huge number": b'{"a": 1e999999}',
        "a number of a million digits": [(b'{"a": ', 1), (b"9" * 1000, 1000), (b"}", 1)],
        "one key again and again": [(b"{", 1), (b'"a": 1,' * 1000, 100), (b'"a": 2}', 1)],
        "many keys": [(b"{", 1), (b"".join(b'"k%d": {},' % i for i in range(1500000)), 1),
                      (b'"z" }', 1)],
        "many values": [(b"[", 1), (b"0," * 1000, 5000), (b"0]", 1)],
        "an escape of half a pair": b'{"a": "\\ud800"}',
        "not UTF-8": b'{"a": "\xff\xfe\xed\xa0\x80"}',
        "UTF-16": b"\xff\xfe" + '{"a": 1}'.encode("utf-16-le"),
        "UTF-32": '{"a": 1}'.encode("utf-32"),
        "null bytes": b'{"a": "\0\0"}',
        "not closed": b'{"a": [1, {"b": "',
        "words of other languages": b"{'a': NaN, b: Infinity, // c\n}",
    }


def endings():
    """As the program lists them, and the second ones of formats that have two."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "x.nobody-knows")
        path.write_text("?")
        done = subprocess.run([PROGRAM, "import", path.name], cwd=folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    listed = re.findall(r"\.[a-z0-9]+(?=[),])", done.stdout.split("what can be", 1)[-1])
    found = sorted({*listed, *ROOTS})
    assert ".conf" in found, done.stdout
    return found


def write(path, content):
    with open(path, "wb") as file:
        if isinstance(content, bytes):
            file.write(content)
        else:
            for piece, times in content:
                if times == MANY:  # its end alone, and a hole: the disk of a test is small
                    file.seek(times, os.SEEK_CUR)
                    continue
                block = piece * max(1, min(times, (1 << 20) // max(1, len(piece))))
                for _ in range(times * len(piece) // len(block)):
                    file.write(block)
                file.write(block[:times * len(piece) % len(block)])


def memory():
    """The most that any child of ours has taken so far, in megabytes."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(folder, name):
    before = processor_time()
    try:
        done = subprocess.run([PROGRAM, "import", name, "-o", "out.som", "--overwrite"], cwd=folder, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=20 * SECONDS, errors="replace")
    except subprocess.TimeoutExpired:
        return [f"did not end in {20 * SECONDS} s"], 0
    seconds = processor_time() - before
    problems = []
    if done.returncode not in (1, 3):
        problems.append(f"exit {done.returncode}")
    if not re.search(r"error: .* \[SOM\d{4}\]", done.stdout):
        problems.append("no diagnostic with a code")
    if "Sanitizer" in done.stdout or "runtime error" in done.stdout:
        problems.append("a sanitizer complains")
    if SECRET in done.stdout or "root:" in done.stdout:
        problems.append("shows another file")
    if pathlib.Path(folder, "out.som").exists():
        problems.append("wrote something")
    if seconds > SECONDS:
        problems.append(f"took {seconds:.1f} s")
    if memory() > MEGABYTES:
        problems.append(f"took {memory():.0f} MB")
    if len(done.stdout) > 1000000:
        problems.append(f"printed {len(done.stdout)} characters")
    return problems + ([done.stdout[:600]] if problems else []), seconds


EVERYTHING = {".urdf", ".json"}  # endings that get all cases in a short run, too


def is_tried(number, name, ending, large):
    """What is large once for each kind of reader; in a short run, once at all. The rest always, but in a
    short run every fourth case of an ending alone, other ones for other endings."""
    if name in LARGE or (name.startswith("huge") and not LONG):
        return ending in large
    return LONG or ending in EVERYTHING or (number + sum(map(ord, ending))) % 4 == 0


def cases():
    for ending in endings():
        roots = XML_ROOTS if ending == ".xml" else [ROOTS.get(ending, "a")]
        for root in roots:
            for number, (name, content) in enumerate(xml_cases(root).items()):
                if is_tried(number, name, ending if root == roots[0] else "", ROOTS if LONG else [".urdf"]):
                    yield ending, f"XML of <{root}>: {name}", content
        for number, (name, content) in enumerate(json_cases().items()):
            if is_tried(number, name, ending, [".conf", ".json"] if LONG else [".json"]):
                yield ending, f"JSON: {name}", content


def main():
    number = failures = 0
    slowest = (0, "")
    broken = False
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "secret.txt").write_text(SECRET)
        pathlib.Path(folder, "secret.dtd").write_text(f'<!ENTITY x "{SECRET}">')
        for ending, name, content in cases():
            number += 1
            path = pathlib.Path(folder, "hostile" + ending)
            write(path, content)
            problems, seconds = run(folder, path.name)
            if broken and problems and all("MB" in p for p in problems[:-1]):
                problems = []  # the one before it took that memory
            broken = broken or memory() > MEGABYTES
            slowest = max(slowest, (seconds, f"{ending} {name}"))
            failures += bool(problems)
            print(f"{'not ok' if problems else 'ok'} {number} - {ending} {name}")
            for line in "\n".join(problems).splitlines():
                print(f"# {line}")
            sys.stdout.flush()
            pathlib.Path(folder, "out.som").unlink(missing_ok=True)
            os.unlink(path)
    print(f"# slowest: {slowest[0]:.1f} s, {slowest[1]}; most memory: {memory():.0f} MB")
    print(f"1..{number}")
    return failures != 0


sys.exit(main())
