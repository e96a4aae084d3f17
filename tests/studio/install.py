#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`meson install` into a folder: what desktops need is there and valid, and the studio that was
installed finds its library. As TAP: install.py BUILD"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BUILD = sys.argv[1]
ID = "org.somite.Studio"
FILES = [f"share/applications/{ID}.desktop", f"share/icons/hicolor/scalable/apps/{ID}.svg",
         f"share/metainfo/{ID}.metainfo.xml", f"share/mime/packages/{ID}.xml", "bin/somite",
         "bin/somite-studio", "share/somite/library/configs/walkbot.som"]


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)
    return [] if done.returncode == 0 else [f"{words[0]}: {line}" for line in done.stdout.splitlines()] or [
        f"{words[0]} left with {done.returncode}"]


def validate(name, tool, *words):
    """Runs a tool where it is installed; says so where it is not."""
    if shutil.which(tool) is None:
        return f"{name} # SKIP no {tool}", []
    return name, run(tool, *words)


def types_of(root):
    """The desktop finds our types by the endings of files."""
    if shutil.which("update-mime-database") is None:
        return "types of files # SKIP no update-mime-database", []
    problems = run("update-mime-database", root / "share/mime")
    globs = (root / "share/mime/globs2").read_text() if not problems else ""
    wanted = [":application/x-somite-design:*.som", ":application/x-somite-modules:*.m3l"]
    return "types of files", problems + [f"no {line}" for line in wanted if line not in globs]


def installed_studio(root):
    environment = {key: value for key, value in os.environ.items() if key != "SOMITE_LIBRARY"}
    display = subprocess.run([sys.executable, HERE / "on_display.py", "--leaky", "0", root / "bin/somite",
                              "studio", "walkbot", "--exit-after-startup"],
                             env=environment, cwd=root, stdout=subprocess.PIPE, text=True)
    name = "the studio that was installed opens a design of its library"
    if display.returncode == 77:
        return f"{name} # SKIP no display", []
    return name, [] if display.returncode == 0 else [f"it left with {display.returncode}"]


def checks(root):
    share = root / "share"
    yield "all files are there", [f"no {name}" for name in FILES if not (root / name).is_file()]
    desktop, metainfo = share / f"applications/{ID}.desktop", share / f"metainfo/{ID}.metainfo.xml"
    yield validate("the entry in menus", "desktop-file-validate", desktop)
    yield validate("the description", "appstreamcli", "validate", "--no-net", metainfo)
    yield validate("XML", "xmllint", "--noout", metainfo, share / f"mime/packages/{ID}.xml",
                   share / f"icons/hicolor/scalable/apps/{ID}.svg")
    yield types_of(root)
    yield installed_studio(root)


def main():
    with tempfile.TemporaryDirectory() as folder:
        problems = run("meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", folder)
        roots = [path.parent.parent for path in pathlib.Path(folder).rglob("bin/somite-studio")]
        results = list(checks(roots[0])) if roots else [("install", problems or ["no somite-studio"])]
    print(f"1..{len(results)}")
    for number, (name, found) in enumerate(results, 1):
        print(f"{'not ' if found else ''}ok {number} - {name}")
        for line in found:
            print(f"# {line}")
    return any(found for _, found in results)


sys.exit(main())
