#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files that try to make the program open other files, as TAP.

    path_tricks.py PROGRAM

Each trick is a file in a folder `in` that names a file elsewhere, which is there and of the right kind:
by "..", encoded, as an absolute path or URI, as a package, or through a symbolic link. The kernel
(inotify) reports every file and folder that is opened outside `in` and the folder given with
--search: there must be none. Controls show that such an opening would be seen, and that what
docs/import.md and docs/language.md allow is read.
"""
import ctypes
import itertools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
IN_OPEN = 0x20
CUBE = """solid cube
facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet
facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet
facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nvertex 1 0 0\nendloop\nendfacet
facet normal 0 0 1\nouter loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet
endsolid cube
"""
INERTIAL = ('<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
            '</inertial>')
SDF = ('<sdf version="1.9"><model name="m"><link name="l"><inertial><mass>1</mass></inertial>{}'
       '</link>{}</model></sdf>')
XACRO = '<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro"><link name="a"/>{}</robot>'
CONF = ('<configuration><modules><module><name>M</name><position>0 0 0.05 0 0 0</position></module>'
        '</modules><connections></connections></configuration>')
STRUCT = ('<Structure><Components><Component><component_id>a</component_id><file_path>{0}</file_path>'
          '</Component><Component><component_id>b</component_id><file_path>{0}</file_path></Component>'
          '</Components><Links><Link><link_id>1</link_id><component1><Component><component_id>a'
          '</component_id><file_path>{0}</file_path></Component></component1><component2><Component>'
          '<component_id>b</component_id><file_path>{0}</file_path></Component></component2><module1>M'
          '</module1><module2>M</module2><node1>0</node1><node2>3</node2><distance>0</distance>'
          '<angle>0</angle></Link></Links></Structure>')
CONTROL = ('<Control><Block type="gait"><component_id>a</component_id><gait_file>{0}</gait_file></Block>'
           '</Control>')
M3L = ('module box: root=a\nlink a: grouping=(), shape=box((0, 0, 0), (1, 1, 1)), mass=1, mesh="{}"\n')
SOM = 'use "smores.m3l"\nconfig c {{ part a : SMORES\nbehavior b = follow "{}" timeout 1s }}\n'
USE = 'use "{}"\nuse "smores.m3l"\nconfig c {{ part a : SMORES }}\n'
TIMOR = ('{{"modules": [{{"header": {{"ID": "J", "name": "J"}}, "bodies": [{{"ID": "b", "mass": 1, '
         '"collision": {{"type": "mesh", "parameters": {{"file": "{0}"}}}}, '
         '"visual": {{"type": "mesh", "parameters": {{"file": "{0}"}}}}, '
         '"connectors": [{{"ID": "c"}}]}}]}}]}}')
HRDF = '<robot version="1.4.0"><actuator type="X5-1"/>{}</robot>'
OBJ = "mtllib {}\nusemtl x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n"
GLTF = ('{{"asset": {{"version": "2.0"}}, "buffers": [{{"uri": "{}", "byteLength": 36}}], "bufferViews": '
        '[{{"buffer": 0, "byteLength": 36}}], "accessors": [{{"bufferView": 0, "componentType": 5126, '
        '"count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 1]}}], "meshes": [{{"primitives": '
        '[{{"attributes": {{"POSITION": 0}}}}]}}], "nodes": [{{"mesh": 0}}], "scenes": '
        '[{{"nodes": [0]}}]}}')

# What stands outside: each is what the reader that is lured would take.
DECOYS = {
    "secret.stl": CUBE, "secret.yaml": "a: 1\n", "secret.csv": "t, a.tilt [deg]\n0, 0\n1, 10\n",
    "secret.xacro": XACRO.format(""), "secret.sdf": SDF.format("", ""), "secret.conf": CONF,
    "secret.hrdf": HRDF.format(""), "secret.gait": "M i i i p0.1 [1000] ;\n",
    "secret.som": 'use "smores.m3l"\nconfig d { part a : SMORES }\n',
    "secret.m3l": M3L.format("").replace(', mesh=""', ""), "secret.mtl": "newmtl x\nKd 1 0 0\n",
    "secret.bin": "\0" * 36, "secret.png": "no picture", "secret.dtd": '<!ENTITY x "y">',
    "secret.xml": '<root BTCPP_format="4"/>', "secret.json": "{}", "model.sdf": SDF.format("", ""),
    "model.config": '<model><sdf version="1.9">model.sdf</sdf></model>',
}

# A reader: the file that is made, what the program is asked, the decoy that is named. "{}" in the file
# becomes the path.
READERS = {
    "urdf collision": ("x.urdf", f'<robot name="r"><link name="a">{INERTIAL}<collision><geometry>'
                       '<mesh filename="{}"/></geometry></collision></link></robot>', "secret.stl"),
    "urdf visual": ("x.urdf", f'<robot name="r"><link name="a">{INERTIAL}<visual><geometry>'
                    '<mesh filename="{}"/></geometry></visual></link></robot>', "secret.stl"),
    "urdf texture": ("x.urdf", f'<robot name="r"><link name="a">{INERTIAL}<visual><geometry>'
                     '<box size="1 1 1"/></geometry><material name="m"><texture filename="{}"/>'
                     '</material></visual></link></robot>', "secret.png"),
    "xacro include": ("x.xacro", XACRO.format('<xacro:include filename="{}"/>'), "secret.xacro"),
    "xacro yaml": ("x.xacro", XACRO.format(
        '<xacro:property name="p" value="${{xacro.load_yaml(\'{}\')}}"/><link name="l${{p[\'a\']}}"/>'
        .replace("{{", "{").replace("}}", "}")), "secret.yaml"),
    "sdf include": ("x.sdf", SDF.format("", "<include><uri>{}</uri></include>"), "secret.sdf"),
    "sdf include of a folder": ("x.sdf", SDF.format("", "<include><uri>{}</uri></include>"), ""),
    "sdf mesh": ("x.sdf", SDF.format(
        '<collision name="c"><geometry><mesh><uri>{}</uri></mesh></geometry></collision>', ""),
                 "secret.stl"),
    "sdf heightmap": ("x.sdf", SDF.format(
        '<collision name="c"><geometry><heightmap><uri>{}</uri></heightmap></geometry></collision>', ""),
                      "secret.png"),
    "sdf texture": ("x.sdf", SDF.format(
        '<visual name="c"><geometry><box><size>1 1 1</size></box></geometry><material><script><uri>{}'
        '</uri></script></material></visual>', ""), "secret.png"),
    "hrdf include": ("x.hrdf", HRDF.format('<include path="{}"/>'), "secret.hrdf"),
    "hrdf mesh": ("x.hrdf", HRDF.format('<rigid-body mass="1" mesh_path="{}"/>'), "secret.stl"),
    "struct component": ("x.struct", STRUCT.replace("{0}", "{}"), "secret.conf"),
    "control gait": ("x.control", CONTROL.replace("{0}", "{}"), "secret.gait"),
    "timor mesh": ("x.json", TIMOR.replace("{{", "{").replace("}}", "}").replace("{0}", "{}"),
                   "secret.stl"),
    "behavior tree": ("x.xml", '<root BTCPP_format="4"><include path="{}"/><BehaviorTree ID="t"/></root>',
                      "secret.xml"),
    "document type": ("x.conf", '<!DOCTYPE configuration SYSTEM "{}">' + CONF, "secret.dtd"),
    "entity": ("x.xml", '<!DOCTYPE RobotStateObject [<!ENTITY x SYSTEM "{}">]><RobotStateObject>&x;'
               '</RobotStateObject>', "secret.xml"),
    "xinclude": ("x.conf", '<configuration xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include '
                 'href="{}"/></configuration>', "secret.conf"),
    "rofi": ("x.json", '{"$ref": "{}", "modules": [], "moduleJoints": [], "spaceJoints": []}',
             "secret.json"),
    "ckbot": ("x.ckbot", "ConnectivityMatrix:\n0\n\nInclude: {}\n", "secret.conf"),
    "use of a design": ("x.som", USE.replace("{{", "{").replace("}}", "}"), "secret.som"),
    "use of module types": ("x.som", USE.replace("{{", "{").replace("}}", "}"), "secret.m3l"),
    "follow": ("x.som", SOM.replace("{{", "{").replace("}}", "}"), "secret.csv"),
    "mesh of a module": ("x.m3l", M3L, "secret.stl"),
    "material of a mesh": ("x.obj", OBJ, "secret.mtl"),
    "buffer of a mesh": ("x.gltf", GLTF.replace("{{", "{").replace("}}", "}"), "secret.bin"),
}

# Ways to name NAME of the folder top/outside from the folder top/middle/in. ROOT is the folder that
# top is in. What begins with "package" or "$(find" is only tried where it means something.
WAYS = {
    "above": "../../outside/NAME",
    "above, roundabout": "./sub/..//../../outside/./NAME",
    "above, encoded": "%2e%2e/%2e%2e/outside/NAME",
    "above, with backslashes": "..\\..\\outside\\NAME",
    "absolute": "ROOT/top/outside/NAME",
    "absolute uri": "file://ROOT/top/outside/NAME",
    "relative uri": "file://../../outside/NAME",
    "beside the folder": "../NAME",
    "ending of a path": "/top/outside/NAME",
    "ending with the folder above": "/middle/NAME",
    "package above": "package://../NAME",
    "package two above": "package://../../outside/NAME",
    "package of an ancestor's name": "package://top/outside/NAME",
    "package of the parent's name": "package://middle/NAME",
    "encoded package": "package://%2e%2e/NAME",
    "model above": "model://../NAME",
    "model of an ancestor's name": "model://top/outside/NAME",
    "link": "link_NAME",
    "link to a folder": "linked/NAME",
    "link to a link": "chain_NAME",
    "link in a folder to search": "inside/found_NAME",
    "linked folder in a folder to search": "package://shared/NAME",
    "found above": "$(find ..)/NAME",
    "found two above": "$(find ../..)/outside/NAME",
    "found by an ancestor's name": "$(find top)/outside/NAME",
}
PLAIN = {"document type", "entity", "xinclude", "rofi", "ckbot", "use of a design",
         "use of module types", "follow", "mesh of a module", "material of a mesh", "buffer of a mesh"}


class Watch:
    """What is opened in some folders."""

    def __init__(self, folders):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.file = self.libc.inotify_init1(os.O_NONBLOCK)
        self.names = {}
        for folder in folders:
            number = self.libc.inotify_add_watch(self.file, os.fsencode(folder), IN_OPEN)
            assert number >= 0, f"{folder} cannot be watched"
            self.names[number] = str(folder)

    def read(self):
        opened = []
        while True:
            try:
                data = os.read(self.file, 1 << 16)
            except BlockingIOError:
                return opened
            while data:
                number = int.from_bytes(data[:4], sys.byteorder)
                length = int.from_bytes(data[12:16], sys.byteorder)
                name = data[16:16 + length].rstrip(b"\0").decode()
                opened.append(f"{self.names.get(number, '?')}/{name}")
                data = data[16 + length:]


class Place:
    """ROOT/top/middle/in, ROOT/search, and decoys everywhere else."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.here = self.root / "top/middle/in"
        self.search = self.root / "search"
        decoys = [self.root, self.root / "top", self.root / "top/middle", self.root / "top/outside",
                  self.root / "top/outside/secret"]
        for folder in [*decoys, self.search / "inside"]:
            folder.mkdir(parents=True, exist_ok=True)
        for folder, (name, content) in itertools.product(decoys, DECOYS.items()):
            if "outside" in folder.parts or not name.startswith("model"):  # which makes a package
                (folder / name).write_text(content)
        for name in DECOYS:
            (self.search / "inside" / f"found_{name}").symlink_to(self.root / "top/outside" / name)
        (self.search / "shared").symlink_to(self.root / "top/outside")
        self.watch = Watch(decoys)

    def clear(self):
        shutil.rmtree(self.here, ignore_errors=True)
        self.here.mkdir()
        for name in DECOYS:
            (self.here / f"link_{name}").symlink_to(f"../../outside/{name}")
            (self.here / f"chain_{name}").symlink_to(f"link_{name}")
        (self.here / "linked").symlink_to("../../outside")
        (self.here / "sub").mkdir()

    def run(self, arguments, folder=None, **environment):
        """What was opened outside, and what the program did."""
        self.watch.read()
        done = subprocess.run([PROGRAM, *arguments], cwd=folder or self.here, text=True,
                              env={**os.environ, **environment}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=120)
        own = {str(self.here), str(self.search)}
        return [one for one in self.watch.read() if one not in own], done


def command_for(place, reader, name):
    if name.endswith(".som"):
        return ["check", name]
    if name.endswith(".m3l"):
        (place.here / "y.som").write_text('use "x.m3l"\nconfig c { part a : box }\n')
        return ["export", "y.som", "--to", "sdf", "-o", "made"]
    if name.endswith((".obj", ".gltf")):
        return ["measure", name]
    files = {"control gait": ["y.struct"], "behavior tree": ["y.conf"]}.get(reader, [])
    if files:
        (place.here / "component.conf").write_text(CONF)
        (place.here / "y.conf").write_text(CONF)
        (place.here / "y.struct").write_text(STRUCT.format("component.conf"))
    return ["import", *files, name, "--search", str(place.search)]


def try_trick(place, reader, way):
    name, content, decoy = READERS[reader]
    path = WAYS[way].replace("ROOT", str(place.root))
    path = path.replace("NAME", decoy) if decoy else path.replace("_NAME", "").replace("/NAME", "")
    place.clear()
    (place.here / name).write_text(content.replace("{}", path))
    arguments = command_for(place, reader, name)
    runs = [arguments]
    is_named = "top" in WAYS[way] or "middle" in WAYS[way]
    if arguments[0] == "import" and is_named:  # folders above have names if the path does
        runs.append([str(place.here / word) if word == name else word for word in arguments])
    faults = []
    for run in runs:
        opened, done = place.run(run)
        faults += [f"opened {one}" for one in opened]
        if done.returncode not in (0, 1, 3):
            faults.append(f"exit {done.returncode}: {done.stdout[-2000:]}")
    return faults


def tricks():
    for reader, way in itertools.product(READERS, WAYS):
        is_found = way.startswith("found") and not reader.startswith("xacro")
        is_scheme = "package" in WAYS[way] or "model:" in WAYS[way] or "search" in way
        if not is_found and not (is_scheme and reader in PLAIN):
            yield reader, way


# ---- controls

def write(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def check_watch(place):
    """Files that the user names may be anywhere, and are seen to be opened."""
    opened, done = place.run(["import", "../../outside/secret.conf"])
    return [] if any("secret.conf" in one for one in opened) else [f"nothing seen: {done.stdout}"]


def expect(place, arguments, word, folder=None, **environment):
    opened, done = place.run(arguments, folder, **environment)
    faults = [f"opened {one}" for one in opened if "secret" in one]
    if done.returncode != 0 or word not in done.stdout:
        faults.append(f"exit {done.returncode}: {done.stdout[-2000:]}")
    return faults


def check_package(place):
    """A package is known by its package.xml."""
    urdf = READERS["urdf collision"][1].replace("{}", "package://arm/meshes/cube.stl")
    write(place.here, {"arm/package.xml": "<package/>", "arm/meshes/cube.stl": CUBE,
                       "arm/urdf/x.urdf": urdf})
    return expect(place, ["import", "arm/urdf/x.urdf"], "hull")


def check_search(place):
    urdf = READERS["urdf collision"][1].replace("{}", "package://arm/meshes/cube.stl")
    write(place.here, {"given/arm/meshes/cube.stl": CUBE, "x.urdf": urdf})
    (place.here / "way").symlink_to("given")
    return expect(place, ["import", "x.urdf", "--search", "way"], "hull")


def check_lab(place):
    """As the lab's program keeps components and their gaits."""
    conf, gait = "/data/lab/files/leg/leg.conf", "/data/lab/files/leg/step.gait"
    write(place.here, {"leg/leg.conf": CONF, "leg/step.gait": DECOYS["secret.gait"],
                       "whole/x.struct": STRUCT.format(conf), "whole/x.control": CONTROL.format(gait)})
    return expect(place, ["import", "whole/x.struct", "whole/x.control"], "behavior")


def check_links(place):
    """Links within the folder of a design, to a project and to each of its files."""
    project = {"project/x.som": 'use "parts/own.som"\nuse "smores.m3l"\nconfig c { part a : SMORES\n'
               'behavior b = follow "own.csv" timeout 1s }\n',
               "project/parts/leg.som": DECOYS["secret.som"], "project/table.csv": DECOYS["secret.csv"]}
    write(place.here, project)
    (place.here / "project/parts/own.som").symlink_to("leg.som")
    (place.here / "project/own.csv").symlink_to("table.csv")
    (place.here / "shortcut").symlink_to("project")
    (place.here / "farm").mkdir()
    for name in ("x.som", "parts", "own.csv"):
        (place.here / "farm" / name).symlink_to(f"../project/{name}")
    faults = []
    for path in ("project/x.som", "shortcut/x.som", "farm/x.som"):
        faults += expect(place, ["check", path], "")
    return faults + expect(place, ["check", "x.som"], "", place.here / "shortcut")


def check_library(place):
    """What the user links into the library is theirs."""
    library = pathlib.Path(__file__).resolve().parents[2] / "library"
    write(place.here, {"x.som": USE.format("mine.m3l"), "elsewhere/mine.m3l": DECOYS["secret.m3l"]})
    shutil.copytree(library / "modules", place.here / "own/modules")
    (place.here / "own/modules/mine.m3l").symlink_to("../../elsewhere/mine.m3l")
    return expect(place, ["check", "x.som"], "", SOMITE_LIBRARY=str(place.here / "own"))


CONTROLS = [check_watch, check_package, check_search, check_lab, check_links, check_library]


def main():
    all_tricks = list(tricks())
    print(f"1..{len(CONTROLS) + len(all_tricks)}", flush=True)
    number = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        place = Place(os.path.realpath(folder))
        for control in CONTROLS:
            place.clear()
            number, faults = number + 1, control(place)
            failures += bool(faults)
            print(f"{'not ok' if faults else 'ok'} {number} - control: {control.__name__}")
            print("".join(f"# {line}\n" for fault in faults for line in fault.splitlines()), end="")
        for reader, way in all_tricks:
            number, faults = number + 1, try_trick(place, reader, way)
            failures += bool(faults)
            print(f"{'not ok' if faults else 'ok'} {number} - {reader}: {way}")
            print("".join(f"# {line}\n" for fault in faults for line in fault.splitlines()), end="")
    return failures != 0


sys.exit(main())
