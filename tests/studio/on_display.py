#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a program on a display, a bus and in folders of its own, which must leave with a status:
on_display.py [--screen WxH] [--scale N] [--dark] [--accessible] [--leaky] STATUS PROGRAM ARGUMENT...

--accessible: the program can be looked at by other programs of the bus, as screen readers do.
--leaky: the sanitizer does not look for leaks, which libraries have.
Where there is no Xvfb or dbus-run-session it leaves with 77: skipped.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--screen", default="1280x800")
    parser.add_argument("--scale", default="1")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--accessible", action="store_true")
    parser.add_argument("--leaky", action="store_true")
    parser.add_argument("status", type=int)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    return parser.parse_args()


def sanitizer_options(options):
    # What threads that end meanwhile have for themselves cannot be looked at: "Tracer caught signal 11".
    words = [os.environ.get("ASAN_OPTIONS", ""), "intercept_tls_get_addr=0"]
    return ":".join(word for word in [*words, "detect_leaks=0" if options.leaky else ""] if word)


# Letters are the same on every machine that has DejaVu's fonts, whatever others it has.
FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts/truetype/dejavu</dir>
  <cachedir>{folder}/fonts</cachedir>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
  <alias><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
</fontconfig>
"""


def environment_of(options, folder):
    environment = dict(os.environ, GDK_BACKEND="x11", GSK_RENDERER="cairo", LANG="C.UTF-8",
                       GDK_SCALE=options.scale, LIBGL_ALWAYS_SOFTWARE="1", LP_NUM_THREADS="0",
                       GSETTINGS_BACKEND="memory",
                       GTK_A11Y="atspi" if options.accessible else "test",
                       ASAN_OPTIONS=sanitizer_options(options),
                       LSAN_OPTIONS=f"suppressions={HERE}/leaks.txt:print_suppressions=0")
    # a cache of shaders has threads, which the sanitizer stumbles over: only if it is given one
    if "MESA_SHADER_CACHE_DIR" not in environment:
        environment["MESA_SHADER_CACHE_DISABLE"] = "true"
    if options.dark:
        environment["ADW_DEBUG_COLOR_SCHEME"] = "prefer-dark"
    for name in ("RUNTIME_DIR", "CONFIG_HOME", "CACHE_HOME", "DATA_HOME", "STATE_HOME"):
        environment["XDG_" + name] = os.path.join(folder, name)
        os.mkdir(environment["XDG_" + name], 0o700)
    environment["FONTCONFIG_FILE"] = os.path.join(folder, "fonts.conf")
    with open(environment["FONTCONFIG_FILE"], "w", encoding="utf-8") as file:
        file.write(FONTS.format(folder=folder))
    environment.pop("WAYLAND_DISPLAY", None)
    return environment


def main():
    options = parse()
    if not shutil.which("Xvfb") or not shutil.which("dbus-run-session"):
        print("1..0 # SKIP no Xvfb or no dbus-run-session")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        environment = environment_of(options, folder)
        reader, writer = os.pipe()
        display = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), "-screen", "0", options.screen + "x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=[writer], stderr=subprocess.DEVNULL)
        os.close(writer)
        try:
            environment["DISPLAY"] = ":" + os.read(reader, 20).decode().strip()
            # services that the bus starts talk, too: only the program's own words are ours
            out = os.dup(1)
            status = subprocess.run(
                ["dbus-run-session", "--", "sh", "-c", f'exec "$@" >&{out} {out}>&-', "sh", *options.command],
                env=environment, stdout=sys.stderr, pass_fds=[out]).returncode
            return 0 if status == options.status else 1
        finally:
            display.terminate()
            display.wait()


sys.exit(main())
