#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Folders of --to urdf of every design of the library, as TAP: urdfdom's own check_urdf reads the
URDF, the SRDF speaks of its links and joints, inertias are those of solids, and meshes are there."""
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

PROGRAM = sys.argv[1]
CHECK = shutil.which("check_urdf")


def run(*arguments):
    return subprocess.run(arguments, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def principal_moments(i):
    """Of a symmetric matrix of three rows, rising: the closed form of a cubic equation."""
    a, b, c = (float(i.get(k)) for k in ("ixx", "iyy", "izz"))
    d, e, f = (float(i.get(k)) for k in ("ixy", "ixz", "iyz"))
    off = d * d + e * e + f * f
    mean = (a + b + c) / 3
    spread = math.sqrt(((a - mean) ** 2 + (b - mean) ** 2 + (c - mean) ** 2 + 2 * off) / 6)
    if spread <= 1e-15 * mean:
        return [mean] * 3
    a, b, c, d, e, f = ((a - mean) / spread, (b - mean) / spread, (c - mean) / spread, d / spread,
                        e / spread, f / spread)
    half = (a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e)) / 2
    angle = math.acos(max(-1, min(1, half))) / 3
    return sorted(mean + 2 * spread * math.cos(angle + 2 * math.pi * k / 3) for k in range(3))


def problems_of_links(robot):
    for link in robot.findall("link"):
        mass = link.find("inertial/mass")
        if mass is None:
            if list(link):
                yield f"{link.get('name')} has no inertia"
            continue
        low, middle, high = principal_moments(link.find("inertial/inertia"))
        if not (float(mass.get("value")) > 0 and low > 0 and low + middle >= high * (1 - 1e-12)):
            yield f"{link.get('name')}: moments {low} {middle} {high}"


def problems_of_joints(robot):
    for joint in robot.findall("joint"):
        limit = joint.find("limit")
        if joint.get("type") != "fixed" and (limit is None or float(limit.get("velocity")) <= 0):
            yield f"{joint.get('name')} has no speed"
        if joint.get("type") in ("revolute", "prismatic") and not (
                float(limit.get("lower")) <= float(limit.get("upper"))):
            yield f"{joint.get('name')} has limits the wrong way round"


def problems_of_meshes(robot, folder):
    named = {mesh.get("filename") for mesh in robot.iter("mesh")}
    there = {f"package://{folder.name}/meshes/{path.name}" for path in folder.glob("meshes/*.stl")}
    yield from (f"{name} is not there" for name in named - there)
    yield from (f"{name} is not used" for name in there - named)
    for path in folder.glob("meshes/*.stl"):
        count = int.from_bytes(path.read_bytes()[80:84], "little")
        if count == 0 or path.stat().st_size != 84 + 50 * count:
            yield f"{path.name} is no binary STL"


def problems_of_srdf(robot, srdf):
    links = {link.get("name") for link in robot.findall("link")}
    joints = {joint.get("name") for joint in robot.findall("joint") if joint.get("type") != "fixed"}
    if srdf.get("name") != robot.get("name"):
        yield "names of the robot differ"
    groups = {group.get("name"): [j.get("name") for j in group] for group in srdf.findall("group")}
    if len(groups) != len(srdf.findall("group")):
        yield "two groups have one name"
    for members in list(groups.values()) + [[j.get("name") for j in srdf.findall("passive_joint")]]:
        yield from (f"there is no joint {name}" for name in members if name not in joints)
    for state in srdf.findall("group_state"):
        if [joint.get("name") for joint in state] != groups[state.get("group")]:
            yield f"state {state.get('name')} is not of its group"
    pairs = [(p.get("link1"), p.get("link2")) for p in srdf.findall("disable_collisions")]
    yield from (f"there is no link {name}" for pair in pairs for name in pair if name not in links)
    if len({frozenset(pair) for pair in pairs}) != len(pairs) or any(a == b for a, b in pairs):
        yield "a pair stands there twice"


def problems_of(design, config, full):
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place) / "some_robot"
        done = run(PROGRAM, "export", design, "--config", config, "--to", "urdf", "-o", str(folder),
                   *(["--full"] if full else []))
        if done.returncode != 0:
            return [f"exit code {done.returncode}", *done.stderr.splitlines()]
        urdf, srdf = next(folder.glob("*.urdf")), next(folder.glob("*.srdf"))
        robot = xml.parse(urdf).getroot()
        problems = [*problems_of_links(robot), *problems_of_joints(robot),
                    *problems_of_meshes(robot, folder), *problems_of_srdf(robot, xml.parse(srdf).getroot())]
        if CHECK is not None:
            checked = run(CHECK, str(urdf))
            if checked.returncode != 0 or checked.stderr:
                problems += ["check_urdf:", *(checked.stdout + checked.stderr).splitlines()[-5:]]
        return problems


ROOTED = """<robot name="rooted"><link name="base_link"/>
<link name="body"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="head"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="stand" type="TYPE"><parent link="base_link"/><child link="body"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="turn" type="continuous"><parent link="body"/><child link="head"/>
<limit effort="1" velocity="1"/></joint></robot>"""


def problems_of_root(joint_type, *options):
    """Of a robot whose root has no mass: it is the root again, and what it holds hangs on it."""
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        (folder / "r.urdf").write_text(ROOTED.replace("TYPE", joint_type))
        done = run(PROGRAM, "import", str(folder / "r.urdf"), "-o", str(folder / "r.som"))
        design = (folder / "r.som").read_text().replace("{}", "{ behavior B = turn to 1rad }")
        (folder / "r.som").write_text(design)
        done = run(PROGRAM, "export", str(folder / "r.som"), "--to", "urdf", "-o",
                   str(folder / "out"), *options)
        if done.returncode != 0:
            return [f"exit code {done.returncode}", *done.stderr.splitlines()]
        robot = xml.parse(folder / "out" / "rooted.urdf").getroot()
        links = {link.get("name") for link in robot.findall("link")}
        roots = links - {child.get("link") for child in robot.findall("joint/child")}
        problems = [] if roots == {"base_link"} else [f"roots are {roots}"]
        if robot.find("link[@name='base_link']/inertial") is not None:
            problems.append("the root has a mass")
        problems += problems_of_srdf(robot, xml.parse(folder / "out" / "rooted.srdf").getroot())
        checked = run(CHECK, str(folder / "out" / "rooted.urdf")) if CHECK is not None else None
        if checked is not None and (checked.returncode != 0 or checked.stderr):
            problems += ["check_urdf:", *(checked.stdout + checked.stderr).splitlines()[-5:]]
        return problems


def main():
    configs = json.loads(run(PROGRAM, "library", "--json").stdout)["configs"]
    assert len(configs) > 20
    roots = [(kind, *more) for kind in ("fixed", "revolute")
             for more in ((), ("--full",), ("--behavior", "B"))]
    is_long = "SOM_TEST_LONG" in os.environ  # otherwise each config in one of two ways
    cases = [(f"{c['name']}{' in full' if full else ''}", problems_of, (c["file"], c["name"], full))
             for number, c in enumerate(configs) for full in (False, True) if is_long or full == (number % 2 == 1)]
    cases += [(f"a root without mass, {' '.join(root)}", problems_of_root, root) for root in roots]
    print(f"1..{len(cases)}", flush=True)
    failed = False
    if CHECK is None:
        print("# there is no check_urdf: files are only read by us")
    for number, (name, find_problems, arguments) in enumerate(cases, 1):
        problems = find_problems(*arguments)
        failed = failed or bool(problems)
        print(f"{'not ok' if problems else 'ok'} {number} - {name}", flush=True)
        for problem in problems[:10]:
            print(f"# {problem}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
