#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Spoils case files in one place each and expects that replay says so, as TAP.

    replay_faults.py REPLAY CASES
"""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

REMOVED = object()
# file: [where, what is put there, a part of the fault]; a dotted path leads to where
SPOILED = {
    "edits-nested": [
        ("ops", 5, "'ops' is not a list"),
        ("ops.0.op", "AddLinkages", "there is no operation 'AddLinkages'"),
        ("ops.0.op", REMOVED, "'op' is missing"),
        ("ops.0.args", REMOVED, "'args' is missing"),
        ("ops.0.args.disposition", REMOVED, "'disposition' is missing"),
        ("ops.0.args.disposition", "drivn", "'disposition' is 'drivn'"),
        ("ops.0.args.T", [1, 2, 3], "'T' is no pose"),
        ("ops.0.args.parent", "nowhere", "there is no sub-linkage 'nowhere'"),
        ("ops.0.refused", "a cycle", "operation 0 (AddLinkage) is done"),
        ("ops.0.refused", 1, "'refused' is not a string"),
        ("ops.0.reports", ["SOM7030"], "operation 0 does not report SOM7030"),
        ("ops.0.reports", "SOM7030", "'reports' is not a list"),
        ("ops.0.state", [], "'state' is not an object"),
        ("ops.0.state.parent", [], "'parent' is not an object"),
        ("ops.0.state.nlinks", 7, "operation 0: 'nlinks' is"),
        ("ops.0.state.njoints", "two", "'njoints' is not a number"),
        ("ops.0.state.ground.top", "part0.base", "'top' has another ground"),
        ("ops.0.state.parent.part0~base", "root(ground)", "'part0.base' does not hang on"),
        ("ops.0.state.tree_parent_link.part0~base", "part0.base", "has another parent"),
        ("final_poses.ground", [0] * 12, "link 'ground' is"),
        ("final_poses.ground", [0] * 11, "a final pose is not twelve numbers"),
        ("final_poses.nobody", [0] * 12, "there is no link 'nobody'"),
    ],
    "SOM7010-bad-limits": [
        ("ops.1.args.limits", [1, 2], "'limits' is not an object"),
        ("ops.1.args.limits", {"25": [-1, 1]}, "limits are not two numbers"),
        ("ops.1.args.limits", {"5": [1]}, "limits are not two numbers"),
        ("ops.1.args.limits", {"5": [-1, 1]}, "operation 1 (AddJoint) is done"),
        ("ops.1.refused", "SOM7001", "operation 1 does not report SOM7001"),
        ("ops.1.args.phi", 2, "'phi' is neither 1 nor -1"),
        ("ops.1.args.type", "revolving", "there is no type 'revolving'"),
        ("ops.4.args.joint", "knee", "there is no joint 'knee'"),
        ("ops.4.args.joint", 3, "'joint' is not a string"),
    ],
    "SOM7016-bad-value": [
        ("ops.6.args.value", "0.5", "'value' is not a number"),
        ("ops.6.args.dof", 5.5, "'dof' is no count"),
        ("ops.6.args.dof", REMOVED, "'dof' is missing"),
    ],
    "SOM7008-across-a-border": [("ops.-1.args.keep", "here", "'keep' is 'here'")],
    "SOM7012-not-a-subtree": [("ops.-1.args.links", "arm", "'links' is not a list")],
    "SOM7014-not-at-link": [("ops.-1.args.moved", ["nothing"], "there is no joint 'nothing'")],
    "abstraction-proper": [
        ("ops.14.args.joints.1.x", [0, 0, 1], "'x' is not six numbers"),
        ("ops.14.args.joints", {}, "'joints' is not a list"),
        ("ops.15.args.per_dof", REMOVED, "'per_dof' is missing"),
    ],
    "follow": [
        ("ops.6.args.tracks.0.waypoints.1", [1], "a waypoint is not a time and a value"),
        ("ops.6.args.tracks.0.waypoints.1.0", "1", "a waypoint is not a time and a value"),
        ("ops.6.args.tracks.0.joint", "elbow", "there is no joint 'elbow'"),
        ("ops.6.args.tick", "0.1", "'tick' is not a number"),
    ],
    "run-fourbar-drive": [
        ("model", [], "'model' is not an object"),
        ("model.joints", REMOVED, "'joints' is missing"),
        ("model.joints.0.disposition", "treee", "'disposition' is 'treee'"),
        ("model.joints.0.disposition", REMOVED, "'disposition' is missing"),
        ("model.joints.0.x", [0], "a tree joint has no values"),
        ("model.joints.0.name", "j2", "the model cannot be built"),
        ("model.joints.0.P.3", 0.1, "step 0: invariant is"),
        ("options.b_max", "0.5", "'b_max' is not a number"),
        ("options.b_max", 0.1, "step 0: dxmax is"),
        ("options.limit_mode", "activ", "'limit_mode' is 'activ'"),
        ("problem.target", REMOVED, "'target' is missing"),
        ("problem.target.0", ["j1", 5], "a goal is not a joint"),
        ("problem.target.0", ["j1", 6, 1], "a goal is not a joint"),
        ("problem.target.0", ["j9", 5, 1], "there is no joint 'j9'"),
        ("problem.variables.0", ["j1"], "'variables' has no coordinate"),
        ("problem.variables.0", ["j9", 5], "there is no joint 'j9'"),
        ("problem.variables", [["j2", 5], ["j3", 5]], "step 0: rank of target is 0, not 1"),
        ("problem.closures", [], "step 0: rank of invariant is 0, not 2"),
        ("problem.closures", ["j5"], "there is no joint 'j5'"),
        ("expected", REMOVED, "'expected' is missing"),
        ("expected.iterations", REMOVED, "'steps' is missing"),
        ("expected.iterations.2.norms", REMOVED, "'norms' is missing"),
        ("expected.iterations.2.norms.target", 0.5, "step 2: target is"),
        ("expected.iterations.2.norms.target", "0.5", "step 2: target is"),
        ("expected.iterations.2.norms.wish", 0.5, "names a level that there is not"),
        ("expected.iterations.2.ranks", [2, 0, 0, 2, 0], "step 2: rank of target is 1, not 2"),
        ("expected.iterations.2.ranks", [2, 0], "step 2: rank of lock is 0, not -1"),
        ("expected.iterations.2.clamped", 1, "step 2: 0 clamped, not 1"),
        ("expected.iterations.2.dxmax", 0.24, "step 2: dxmax is"),
        ("expected.iterations.-1.norms.target", 0.5, "step 14: target is"),
        ("expected.final_x.j1", [0] * 6, "joint 'j1' ends at"),
        ("expected.final_x.j1", [0] * 5, "a final value is not six numbers"),
        ("expected.final_y.j4", [0] * 6, "joint 'j4' ends at"),
        ("expected.reports", ["SOM7101"], "SOM7101 is not reported"),
    ],
    "run-tower2-hierarchical": [
        ("rounds", [], "3 rounds of 9 parts, not 0 of 0"),
        ("rounds.1.0.closures", [], "3 rounds of 9 parts, not 3 of 8"),
        ("model.linkages.1.disposition", "driving", "rounds of"),
        ("model.linkages.1.parent", "bottom", "there is no sub-linkage 'bottom'"),
        ("target", REMOVED, "'target' is missing"),
        ("expected.norms.3.invariant", 1, "step 3: invariant is"),
    ],
    "SOM7105-at-limit": [("expected.steps", 1.5, "'steps' is no count")],
}


def spoil(case, where, value):
    """The same case with one value changed or removed; `~` in a key stands for a dot."""
    case = copy.deepcopy(case)
    at, keys = case, where.split(".")
    for key in keys[:-1]:
        at = at[int(key)] if isinstance(at, list) else at[key.replace("~", ".")]
    last = int(keys[-1]) if isinstance(at, list) else keys[-1].replace("~", ".")
    if value is REMOVED:
        del at[last]
    else:
        at[last] = value
    return case


def main(replay, cases):
    number = 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "spoiled.json"

        def check(text, name, code, fault):
            nonlocal number
            number += 1
            path.write_text(text)
            done = subprocess.run([replay, str(path)], capture_output=True, text=True, timeout=60)
            said = done.stdout + done.stderr
            ok = done.returncode == code and fault in said
            print(f"{'ok' if ok else 'not ok'} {number} - {name}")
            if not ok:
                print(f"# exit {done.returncode}, not {code}; expected: {fault}\n# "
                      + said.replace("\n", "\n# "))

        for name, faults in SPOILED.items():
            case = json.loads((pathlib.Path(cases) / f"{name}.json").read_text())
            check(json.dumps(case), f"{name} as it is", 0, "agrees")
            for where, value, fault in faults:
                changed = "removed" if value is REMOVED else json.dumps(value)
                check(json.dumps(spoil(case, where, value)), f"{name} {where} {changed}", 1, fault)
        check("{}", "an empty object", 3, "is no case")
        check("[1]", "a list", 3, "is no case")
        check("{", "half a text", 3, "SOM")
        check('{"name": "a"}', "neither kind of case", 1, "is neither a list of edits")
        for arguments in ([], ["--help"]):
            number += 1
            done = subprocess.run([replay, *arguments], capture_output=True, timeout=60)
            print(f"{'ok' if done.returncode == 2 else 'not ok'} {number} - usage {arguments}")
    print(f"1..{number}")


if __name__ == "__main__":
    main(*sys.argv[1:])
