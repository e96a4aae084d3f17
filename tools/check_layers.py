#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a file includes what its room may not use. The rule is the table in
docs/architecture.md: `room` | what lives there | rooms; packages. Run by the tests."""
import pathlib
import re
import sys

# What an angle-bracket include belongs to. Anything else is the C library, which all may use.
PACKAGES = {
    "ccd": r"ccd/", "qhull": r"libqhull_r/", "assimp": r"assimp/", "libxml2": r"libxml/",
    "epoxy": r"epoxy/", "EGL": r"EGL/", "cglm": r"cglm/", "libpng": r"png\.h", "libjpeg": r"jpeglib\.h",
    "sdformat": r"sdf/", "ignition": r"(ignition|gz)/", "mujoco": r"mujoco/", "apriltag": r"apriltag/",
    "GTK4": r"(gtk|gdk|glib|gio|gobject|graphene|pango|gsk)", "libadwaita": r"adwaita",
    "gtksourceview": r"gtksourceview/", "Check": r"check\.h", "fcl": r"fcl/", "lapack": r"lapacke?\.h",
    "kdl": r"kdl/", "urdfdom": r"urdf_(parser|model)/", "dart": r"dart/", "X11": r"X11/",
}
# The player runs in microcontrollers: no allocation, no input or output, no abort.
FORBIDDEN = {"player": r"(stdio|stdlib|assert|errno|locale|signal|time|threads|unistd)\.h|sys/"}


def read_table(page):
    """room -> (rooms it may include, packages it may include)"""
    table = {}
    for line in page.read_text(encoding="utf-8").splitlines():
        row = re.match(r"\| `([\w/]+)/` \|.*\|([^|]*)\|$", line)
        if row:
            rooms, _, packages = row[2].partition(";")
            table[row[1].split("/")[0]] = (set(re.findall(r"\w+", rooms)), set(re.findall(r"\w+", packages)))
    return table


def problem_of(include, room, rooms, packages, table):
    quoted, angled = include
    if quoted:
        folder, _, name = quoted.rpartition("/")
        other = folder.split("/")[0]
        if not folder:
            return "includes are written from the root"
        if other not in table:
            return f"there is no room {other}/ in the table"
        if other != room and other not in rooms:
            return f"{room}/ may not include {other}/"
        if other != room and name.endswith("_internal.h"):
            return f"{name} is internal to {other}/"
        return None
    for package, pattern in PACKAGES.items():
        if re.match(pattern, angled) and package not in packages:
            return f"{room}/ may not include <{angled}>"
    if re.match(FORBIDDEN.get(room, r"$^"), angled):
        return f"{room}/ may not use <{angled}>"
    return None


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    table = read_table(root / "docs/architecture.md")
    bad = 0
    for room, (rooms, packages) in table.items():
        for path in sorted((root / room).rglob("*")):
            if path.suffix not in {".c", ".h", ".inc", ".cc", ".cpp"}:
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                include = re.match(r'\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)', line)
                problem = include and problem_of(include.groups(), room, rooms, packages, table)
                if problem:
                    print(f"{path}:{number}: error: {problem}")
                    bad += 1
    if len(table) < 3:
        print("docs/architecture.md: error: the layer table was not found")
        bad += 1
    return bad != 0


sys.exit(main())
