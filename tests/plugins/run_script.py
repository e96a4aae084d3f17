#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run.sh of an exported folder, with programs that are called as Gazebo's are. As TAP."""
import pathlib
import subprocess
import sys
import tempfile

SOMITE = str(pathlib.Path(sys.argv[1]).resolve())
FAKE = """#!/bin/sh
if [ "$2" = --versions ]; then {versions}; fi
echo "$0 $@"; echo "gz $GZ_SIM_SYSTEM_PLUGIN_PATH"; echo "ign $IGN_GAZEBO_SYSTEM_PLUGIN_PATH"; pwd
"""
IS_INSTALLED = any(found for system in ["/usr/lib", "/usr/local/lib"] for pattern in ["", "*/"]
                   for found in pathlib.Path(system).glob(pattern + "libSomitePlayer.so"))
WORKS, FAILS = "echo 8.9.0; exit 0", "echo 'Usage: ...'; exit 0"


def make(path, text, mode=0o755):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)


def run(folder, programs, plugin="plug in", world="my world", **variables):
    """What the script prints, with these programs on the path: {"gz": WORKS}."""
    tools = folder / ("tools " + "-".join(f"{name}{len(what)}" for name, what in programs.items()))
    tools.mkdir(exist_ok=True)
    for name, what in programs.items():
        make(tools / name, FAKE.format(versions=what))
    if plugin:
        make(folder / plugin / "libSomitePlayer.so", "")
        variables = {"SOMITE_PLUGIN_PATH": str(folder / plugin)} | variables
    done = subprocess.run(["/bin/sh", str(folder / world / "run.sh"), "-s", "--iterations", "5"], check=False,
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder,
                          env={"PATH": f"{tools}:/usr/bin:/bin", **variables})
    return done.returncode, done.stdout


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        world = folder / "my world"
        subprocess.run([SOMITE, "export", "chain3", "--to", "sdf", "--behavior", "middle.tilt to 30deg", "-o", str(world)],
                       check=True, stdout=subprocess.DEVNULL)
        subprocess.run([SOMITE, "export", "chain3", "--to", "sdf", "-o", str(folder / "without")], check=True,
                       stdout=subprocess.DEVNULL)
        started = f" -v 3 -r {world}/world.sdf -s --iterations 5\n"
        both = {"gz": WORKS, "ign": WORKS}
        facts = [
            ("the newer program starts the world with the plugin", run(folder, both),
             lambda code, text: code == 0 and "/gz sim" + started in text and f"gz {folder}/plug in\n" in text and
             text.endswith(f"\n{folder}\n")),
            ("a path that was set stays", run(folder, both, GZ_SIM_SYSTEM_PLUGIN_PATH="/other"),
             lambda code, text: f"gz {folder}/plug in:/other\n" in text),
            ("a program without a simulator is passed over", run(folder, {"gz": FAILS, "ign": WORKS}),
             lambda code, text: code == 0 and "/ign gazebo" + started in text and f"ign {folder}/plug in\n" in text),
            ("the variable decides", run(folder, both, SOMITE_GAZEBO="ign gazebo"),
             lambda code, text: code == 0 and "/ign gazebo" + started in text),
            ("no simulator is an error", run(folder, {"gz": FAILS}),
             lambda code, text: code == 1 and "Gazebo was not found" in text),
            ("no plugin is an error", run(folder, both, plugin=None, SOMITE_PLUGIN_PATH=str(folder / "nowhere")),
             lambda code, text: IS_INSTALLED or (code == 1 and "libSomitePlayer.so was not found" in text)),
            ("a world without a behavior needs no plugin", run(folder, both, plugin=None, world="without"),
             lambda code, text: code == 0 and f"-r {folder}/without/world.sdf" in text),
        ]
    print(f"1..{len(facts)}")
    failed = False
    for number, (fact, (code, text), holds) in enumerate(facts, 1):
        is_good = holds(code, text)
        failed = failed or not is_good
        print(f"{'ok' if is_good else 'not ok'} {number} - {fact}")
        if not is_good:
            print("".join(f"# {line}\n" for line in [f"exit {code}", *text.splitlines()[:20]]), end="")
    return failed


sys.exit(main())
