#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether behaviors of the library do under physics what their documentation says, as TAP.

    library_effects.py PROGRAM

The normal run takes the short ones in MuJoCo, the long one (SOM_TEST_LONG=1) all in both engines. It also verifies
the counter-examples of the library: each has the finding that its file expects, and in physics it falls or
collides.
"""
import csv
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
LIBRARY = SOURCE / "library"
LONG = bool(os.environ.get("SOM_TEST_LONG"))
ENGINES = ["mujoco", "gazebo"] if LONG else ["mujoco"]

# file, configuration, call, effect, and whether it is for the long run only. Effects: `way`: metres along x and y of
# the centre of mass; `turn`: degrees of the base, to the left; `rise`: metres of the base;
# `joints`: degrees or millimetres at the end; `event`: what happens.
EFFECTS = [
    ("module", "Module", "drive(50mm/s, 2s)", {"way": (0, -0.1)}, False),
    ("module", "Module", "roll(-90deg/s, 1s)", {"way": (0, 0.071)}, False),
    ("module", "Module", "tiltMiddle(45deg)", {"joints": {"bend": -45}}, False),
    ("module", "Module", "spinTop(90deg)", {"joints": {"front": -90}}, False),
    ("chain3", "Chain3", "drive(50mm/s, 2s)", {"way": (0, -0.1)}, False),
    ("chain3", "Chain3", "steer(30deg)", {"joints": {"middle.bend": -30, "middle.front": -90}}, False),
    ("chain3", "Chain3", "steer(-30deg)", {"joints": {"middle.bend": 30}}, False),
    ("chain3", "Chain3", "series(sineGait, sineGait)", {"forward": 0.03}, False),
    ("chain3", "Chain3", "holdRigid(1s)", {"way": (0, 0), "joints": {"head.bend": 0, "tail.front": 0}}, False),
    ("chain6", "Chain6", "drive(50mm/s, 2s)", {"way": (0, -0.1)}, False),
    ("chain6", "Chain6", "turn(30deg)", {"turns": 5}, True),
    ("car", "Car", "drive(50mm/s, 2s)", {"way": (0, -0.1)}, False),
    ("car", "Car", "turn(90deg)", {"turn": -90, "way": (0, 0)}, False),
    ("car", "Car", "turn(45deg)", {"turn": -45}, False),
    ("car", "Car", "square", {"turn": -360, "way": (0, 0)}, True),
    ("tank", "Tank", "drive(50mm/s, 2s)", {"way": (0.1, 0)}, False),
    ("tank", "Tank", "turn(90deg)", {"turn": -90, "way": (0, 0)}, False),
    ("snake", "Chain18", "SineGait18(2)", {"forward": 0.08}, True),
    ("snake", "Snake", "nSnakeSineGait(2)", {"forward": 0.08}, True),
    ("ring", "Ring", "curl", {"event": "dock_closed", "joints": {"m[1].bend": 60, "m[4].bend": 60}}, False),
    ("ring", "Ring", "curlAndBack", {"event": "dock_opened", "joints": {"m[1].bend": 0, "m[4].bend": 0}}, True),
    ("grasper", "Grasper", "grasp(55deg)", {"joints": {"left.tail.bend": 55, "right.head.bend": 55}}, False),
    ("walkbot", "Walkbot", "walk(2)", {"way": (0, -0.2)}, True),
    ("walkbot", "Walkbot17", "walk(2)", {"way": (0, -0.2)}, True),
    ("walkbot", "Walkbot", "trot(2)", {"forward": 0.4}, True),
    ("backhoe", "Backhoe", "drive(50mm/s, 2s)", {"way": (0, -0.1)}, True),
    ("backhoe", "Backhoe", "turn", {"turns": -45}, True),
    ("backhoe", "Backhoe", "square", {"turns": -250}, True),
    ("backhoe", "Backhoe", "arm.sweep(45deg)", {"joints": {"arm.lower.head.front": -45}}, True),
    ("atron_car", "ATRONCar", "drive(40mm/s, 3s)", {"way": (0.12, 0)}, False),
    ("atron_car", "ATRONCar", "drive(-40mm/s, 3s)", {"way": (-0.12, 0)}, False),
    ("atron_car", "ATRONCar", "turn(45deg)", {"turn": 45}, False),
    ("atron_car", "ATRONCar", "turn(-45deg)", {"turn": -45}, False),
    ("atron_car", "ATRONCar", "steer(12deg)", {"joints": {"front.axle.center": 12, "rear.axle.center": -12}}, False),
    ("ckbot_quadruped", "CKBotQuadruped", "inch", {"along": (0.02, 0)}, True),
    ("ckbot_quadruped", "CKBotQuadruped", "sidle", {"along": (0, 0.01)}, True),
    ("ckbot_quadruped", "CKBotQuadruped", "arch(15deg)", {"joints": {"spine[2].hinge": -30}}, False),
    ("mtran_quadruped", "MTRANQuadruped", "stand", {"rise": 0.058}, False),
    ("mtran_quadruped", "MTRANQuadruped", "standAndLie", {"rise": 0}, False),
    ("mtran_quadruped", "MTRANQuadruped", "walk(3)", {"way": (0.14, 0)}, False),
    ("mtran_quadruped", "MTRANQuadruped", "walkBack(3)", {"way": (-0.147, 0)}, True),
    ("mtran_equivalent", "MTRANEquivalent", "walk(3)", {"way": (0.14, 0)}, False),
    ("mtran_equivalent", "MTRANEquivalent", "walkBack(3)", {"way": (-0.147, 0)}, True),
    ("molecube_arm", "MolecubeArm", "nod(120deg)", {"joints": {"m[3].joint_1": 0}, "way": (0, 0)}, False),
    ("molecube_arm", "MolecubeArm", "m[3].joint_1 to 120deg", {"joints": {"m[3].joint_1": 120}}, False),
    ("molecube_arm", "MolecubeArm", "turnTop(120deg)", {"joints": {"m[4].joint_1": 0}}, False),
    ("gdut_robots", "GDUTArm", "look(60deg)", {"joints": {"I1.joint": 0}, "way": (0, 0)}, False),
    ("gdut_robots", "GDUTArm", "turnHand(90deg)", {"joints": {"i6.joint": 90}}, False),
    ("gdut_robots", "GDUTArm", "grip(40mm)", {"joints": {"g7.close1": 40, "g7.close2": 40}}, False),
    ("gdut_robots", "GDUTArm3", "grip(40mm)", {"joints": {"g7.close1": 40}}, False),
    ("gdut_robots", "GDUTArm1", "turnHand(90deg)", {"joints": {"i5.joint": 90}}, False),
    ("gdut_robots", "BipedClimber", "grip(30mm)", {"joints": {"G8.close1": 30}}, False),
    ("gdut_robots", "PoleClimbot", "look(60deg)", {"joints": {"I2.joint": 0}, "way": (0, 0)}, False),
    ("triathlete_pair", "TriATHLETEPair", "drive(0.25m/s, 4s)", {"way": (1, 0)}, False),
    ("triathlete_pair", "TriATHLETEPair", "turn(30deg)", {"turn": 32}, False),
    ("triathlete_pair", "TriATHLETEPair", "turn(-30deg)", {"turns": -22}, False),
    ("triathlete_pair", "TriATHLETEPair", "kneel(10cm)", {"rise": -0.1}, False),
    ("triathlete_double", "TriATHLETEDouble", "drive(0.25m/s, 4s)", {"way": (1, 0)}, True),
    ("triathlete_double", "TriATHLETEDouble", "kneel(10cm)", {"rise": -0.1}, True),
]


def somite(program, *words):
    env = dict(os.environ, SOMITE_LIBRARY=str(LIBRARY), LC_ALL="C.UTF-8")
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, env=env)
    return json.loads(done.stdout)


def simulate(program, file, config, call, engine):
    """What became of it, and the first and the last row of its record."""
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder) / "record.csv"
        run = somite(program, "simulate", file, "--config", config, "-b", call, "--engine", engine,
                     "--record", record, "--json")
        with open(record, encoding="utf-8") as rows:
            table = list(csv.DictReader(rows))
    return run, table[0], table[-1]


def joint_of(row, name):
    value = float(row[name])
    return 1000 * value if "close" in name else math.degrees(value)


def compare(effect, run, first, last):
    """What is not as the effect says."""
    x, y, _ = run["displacement"]
    turned = math.degrees(run["heading_change"])
    risen = float(last["z"]) - float(first["z"])
    checks = {
        "way": lambda v: math.hypot(x - v[0], y - v[1]) <= 0.015 + 0.15 * math.hypot(*v) + 0.03 * ("turn" in effect),
        "along": lambda v: x * v[0] + y * v[1] >= v[0] ** 2 + v[1] ** 2,
        "forward": lambda v: -y >= v,
        "turn": lambda v: abs(turned - v) <= 4 + 0.1 * abs(v),
        "turns": lambda v: turned * v > 0 and abs(turned) >= abs(v),
        "rise": lambda v: abs(risen - v) <= 0.012,
        "joints": lambda v: all(abs(joint_of(last, n) - angle) <= 5 for n, angle in v.items()),
        "event": lambda v: any(e["kind"] == v for e in run["events"]),
    }
    wrong = [kind for kind, wanted in effect.items() if not checks[kind](wanted)]
    return [f"{kind}: moved by {x:.3f}, {y:.3f} m, turned by {turned:.1f} deg, risen by {risen:.3f} m; joints "
            f"{ {n: round(joint_of(last, n), 1) for n in effect.get('joints', {})} }; expected {effect[kind]}"
            for kind in wrong]


def try_effect(program, case, engine):
    file, config, call, effect, _ = case
    run, first, last = simulate(program, file, config, call, engine)
    complaints = [] if run["outcome"] == "completed" else [f'outcome: {run["outcome"]}']
    return complaints + compare(effect, run, first, last)


def expectation(path):
    """The behavior, or "", and the code of a counter-example."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# Expected: "):
            words = line[len("# Expected: "):].split()
            return ("" if len(words) == 1 else words[0]), words[-1]
    return "", "no line '# Expected:'"


def try_counter_example(program, path):
    behavior, code = expectation(path)
    call = ["-b", behavior] if behavior else []
    found = somite(program, "verify", path, *call, "--json")
    complaints = []
    errors = [f["code"] for f in found["findings"] if f["severity"] == "error"]
    if found["verdict"] != "unsafe" or code not in errors:
        complaints.append(f'{found["verdict"]}: {errors}, expected {code}')
    # links that overlap as a design starts do not touch in physics
    for engine in ENGINES if path.stem != "colliding_modules" else []:
        run = somite(program, "simulate", path, *call, "--engine", engine, "--json")
        if run.get("outcome") not in ("fell", "collided"):
            complaints.append(f'{engine}: {run.get("outcome", run)}')
    return complaints


def main():
    program = os.path.abspath(sys.argv[1])
    cases = [(f"{c[1]} {c[2]} in {engine}", lambda c=c, engine=engine: try_effect(program, c, engine))
             for c in EFFECTS for engine in ENGINES if LONG or not c[4]]
    cases += [(f"counter-example {p.stem}", lambda p=p: try_counter_example(program, p))
              for p in sorted((LIBRARY / "configs" / "counter_examples").glob("*.som"))]
    print(f"1..{len(cases)}", flush=True)
    failed = 0
    for number, (name, try_case) in enumerate(cases, 1):
        complaints = try_case()
        failed += bool(complaints)
        print(f"{'not ok' if complaints else 'ok'} {number} - {name}", flush=True)
        for line in complaints:
            print("#", line)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
