#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every example of every `somite help VERB`, as TAP.

    help_examples.py PROGRAM

An example is a line of a help text that begins with `  somite `. Each runs in a folder of its own with the
files that the examples name, and fails if it exits with another code than 0. Examples of the studio need a
display and are only counted; --watch ends after a round; engines that are not built are skipped.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
LIBRARY = pathlib.Path(__file__).resolve().parent.parent.parent / "library"

WALKER = """use "smores.m3l"

config Walker(n: count = 4) {
    part m[n] : SMORES
    connect m[i].B to m[i+1].T for i in 1..n-1
    base m[1] on ground
    behavior nod = m[1].pan to 10deg
}
"""
ARM = """<configuration><modules>
<module><name>M0</name><position>0 0 0.05 0 0 0</position></module>
<module><name>M1</name><position>0 -0.1 0.05 0 0 0</position></module>
</modules><connections><connection><module1>M0</module1><module2>M1</module2>
<node1>0</node1><node2>3</node2></connection></connections></configuration>
"""
COMPONENT = "<Component><component_id>%s</component_id><file_path>/x/arm/arm.conf</file_path></Component>"
STRUCTURE = f"""<Structure><Components>{COMPONENT % 'A'}{COMPONENT % 'B'}</Components><Links><Link>
<component1>{COMPONENT % 'A'}</component1><component2>{COMPONENT % 'B'}</component2>
<module1>M1</module1><module2>M0</module2><node1>0</node1><node2>3</node2></Link></Links></Structure>
"""
CONTROL = """<Control><Block type="gait"><component_id>A</component_id><gait_file>/x/arm/up.gait</gait_file></Block>
</Control>
"""
LINK = """<link name="%s"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
</inertial><collision><geometry><box size="1 1 1"/></geometry></collision></link>"""
URDF = f"""<robot name="arm">{LINK % 'base_link'}</robot>
"""
XACRO = f"""<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arg name="prefix" default=""/>
<xacro:arg name="tool" default="false"/>{LINK % '$(arg prefix)base'}</robot>
"""
STL = "solid wheel\n" + "".join(
    "facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {x} {y} {z}\n" for x, y, z in corners) + "endloop\nendfacet\n"
    for corners in (((0, 0, 0), (0, 60, 0), (80, 0, 0)), ((0, 0, 0), (80, 0, 0), (0, 0, 90)),
                    ((0, 0, 0), (0, 0, 90), (0, 60, 0)), ((80, 0, 0), (0, 60, 0), (0, 0, 90)))) + "endsolid wheel\n"

FILES = {
    "walker.som": WALKER, "walker-new.som": WALKER.replace("= 4", "= 5"), "designs/walker.som": WALKER,
    "walkbot.conf": ARM, "walkbot.gait": "M1 i i i p1 ;\n", "walkbot.struct": STRUCTURE, "walkbot.control": CONTROL,
    "components/arm/arm.conf": ARM, "components/arm/up.gait": "M1 i i i p1 ;\n", "arm.urdf": URDF,
    "gripper.urdf": URDF.replace('"arm"', '"gripper"'), "arm.xacro": XACRO, "wheel.stl": STL,
    "smores.m3l": (LIBRARY / "modules/smores.m3l").read_text(encoding="utf-8"),
}


def run(command, folder):
    env = dict(os.environ, LC_ALL="C.UTF-8", HOME=folder, SOMITE_LIBRARY=str(LIBRARY),
               PATH=f"{folder}/.bin:{os.environ['PATH']}")
    return subprocess.run(["sh", "-c", command], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", timeout=600)


def examples_of(folder):
    verbs = re.findall(r"^  ([a-z]+) ", run("somite help", folder).stdout, re.M)
    for verb in verbs:
        for line in re.findall(r"^  (somite .*)$", run(f"somite help {verb}", folder).stdout, re.M):
            yield verb, line


def prepare(folder):
    os.mkdir(f"{folder}/.bin")
    os.symlink(PROGRAM, f"{folder}/.bin/somite")
    for name, text in FILES.items():
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def try_out(verb, line):
    """"ok", a reason why it is skipped, or what was printed."""
    if verb == "studio":
        return "# SKIP needs a display", []
    command = line + " --rounds 1" if "--watch" in line else line
    with tempfile.TemporaryDirectory(prefix="somite-help-") as folder:
        prepare(folder)
        done = run(command, folder)
    if "SOM6001" in done.stderr:
        return "# SKIP no such engine", []
    return "", [] if done.returncode == 0 else [f"exit {done.returncode}", *done.stderr.splitlines()[:20]]


def main():
    with tempfile.TemporaryDirectory(prefix="somite-help-") as folder:
        prepare(folder)
        examples = list(examples_of(folder))
    assert len(examples) > 40, f"only {len(examples)} examples were found"
    print(f"1..{len(examples)}")
    failures = 0
    for number, (verb, line) in enumerate(examples, 1):
        remark, problems = try_out(verb, line)
        failures += bool(problems)
        print(f"{'not ok' if problems else 'ok'} {number} - {line.replace('#', ' ')} {remark}".rstrip(), flush=True)
        for problem in problems:
            print(f"# {problem}")
    return failures != 0


sys.exit(main())
