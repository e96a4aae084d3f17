#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The plugin for Gazebo, compiled without code against declarations of what it uses: as Fortress has
them, and as gz-sim 8 and later have them. As TAP. It catches what rots where no simulator is.

With --lay-out FOLDER it only writes the headers of both, for tests that run the plugin."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
SOURCES = sorted((ROOT / "plugins/gazebo").glob("*.cc"))
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wnon-virtual-dtor", "-Werror"]
# The headers there are, without their first folder, in every version of a flavour.
SIM = ["Link.hh", "Model.hh", "System.hh", "Util.hh", *(f"components/{name}.hh" for name in [
    "ChildLinkName", "ContactSensorData", "DetachableJoint", "Inertial", "Joint", "JointForceCmd", "JointPosition",
    "JointTransmittedWrench", "JointType", "JointVelocity", "JointVelocityCmd", "Name", "ParentLinkName", "Pose"])]
OTHERS = ["common/Console.hh", "msgs/boolean.pb.h", "msgs/double.pb.h", "msgs/float.pb.h",
          "msgs/stringmsg.pb.h", "plugin/Register.hh", "transport/Node.hh"]
FLAVOURS = {"Fortress": ("ignition", "gazebo", "fortress", ["-DSOMITE_FORTRESS"]), "gz-sim": ("gz", "sim", "gz", [])}


def lay_out(folder, top, sim, declarations):
    """Every header there is includes the same declarations, and one registers plugins."""
    for name in [f"{sim}/{header}" for header in SIM] + OTHERS:
        path = pathlib.Path(folder) / top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        ending = "_register" if name.endswith("/Register.hh") else ""
        text = f'#pragma once\n#include "tests/plugins/declarations/{declarations}{ending}.hh"\n'
        if not path.exists() or path.read_text(encoding="utf-8") != text:  # else all would be built again
            path.write_text(text, encoding="utf-8")


def attempt(number, compiler, flavour, change=None):
    top, sim, declarations, options = FLAVOURS[flavour]
    name = f"{flavour}, {compiler}" + (", broken on purpose, is refused" if change else "")
    if shutil.which(compiler) is None:
        print(f"ok {number} - {name} # SKIP {compiler} is not installed")
        return True
    with tempfile.TemporaryDirectory() as folder:
        lay_out(folder, top, sim, declarations)
        sources = []
        for source in SOURCES:
            text = source.read_text(encoding="utf-8")
            sources.append(pathlib.Path(folder) / source.name)
            sources[-1].write_text(text.replace(*change) if change else text, encoding="utf-8")
        # -isystem: of warnings, those in the plugin itself count
        run = subprocess.run([compiler, "-std=c++17", "-fsyntax-only", *WARNINGS, *options, "-I", str(ROOT),
                              "-isystem", folder, *map(str, sources)], check=False, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    is_good = (run.returncode == 0) == (change is None)
    print(f"{'ok' if is_good else 'not ok'} {number} - {name}")
    if not is_good:
        print("".join(f"# {line}\n" for line in run.stdout.splitlines()[:40]), end="")
    return is_good


def main():
    if sys.argv[1] == "--lay-out":
        for flavour in FLAVOURS.values():
            lay_out(sys.argv[2], *flavour[:3])
        return 0
    is_long = "SOM_TEST_LONG" in os.environ  # otherwise each flavour by one of the compilers
    tries = [(compiler, flavour, None) for number, flavour in enumerate(FLAVOURS)
             for which, compiler in enumerate(("g++", "clang++")) if is_long or which == number % 2]
    tries += [("g++", "gz-sim", ("model.JointByName(ecm, ", "model.JointByName("))]
    print(f"1..{len(tries)}")
    return not all([attempt(i + 1, *one) for i, one in enumerate(tries)])


sys.exit(main())
