#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a program on a display, a bus and in folders of its own, which must leave with a status:
on_display.py STATUS PROGRAM ARGUMENT...

Where there is no Xvfb or dbus-run-session it leaves with 77: skipped.
"""

import os
import shutil
import subprocess
import sys
import tempfile


def main():
    if not shutil.which("Xvfb") or not shutil.which("dbus-run-session"):
        print("1..0 # SKIP no Xvfb or no dbus-run-session")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, GDK_BACKEND="x11", GSK_RENDERER="cairo", LANG="C.UTF-8",
                           LIBGL_ALWAYS_SOFTWARE="1", GSETTINGS_BACKEND="memory",
                           MESA_SHADER_CACHE_DISABLE="true", GTK_A11Y="none")
        for name in ("RUNTIME_DIR", "CONFIG_HOME", "CACHE_HOME", "DATA_HOME", "STATE_HOME"):
            environment["XDG_" + name] = os.path.join(folder, name)
            os.mkdir(environment["XDG_" + name], 0o700)
        environment.pop("WAYLAND_DISPLAY", None)
        reader, writer = os.pipe()
        display = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
            pass_fds=[writer], stderr=subprocess.DEVNULL)
        os.close(writer)
        try:
            environment["DISPLAY"] = ":" + os.read(reader, 20).decode().strip()
            status = subprocess.run(["dbus-run-session", "--", *sys.argv[2:]], env=environment).returncode
            return 0 if status == int(sys.argv[1]) else 1
        finally:
            display.terminate()
            display.wait()


sys.exit(main())
