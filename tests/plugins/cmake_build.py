#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The plugin for Gazebo built by its CMakeLists.txt, against packages that are called as Gazebo's are
and hold our declarations. As TAP."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
# what is installed: packages with their versions; what the plugin is built for then
CASES = [
    ("Fortress", {"ignition-gazebo6": "6.16.0", "ignition-plugin1": "1.4.0"}, [], "ignition-gazebo6"),
    ("Harmonic", {"gz-sim8": "8.9.0", "gz-plugin2": "2.0.3"}, [], "gz-sim8"),
    ("Ionic", {"gz-sim9": "9.4.0", "gz-plugin3": "3.0.1"}, [], "gz-sim9"),
    ("Jetty", {"gz-sim": "10.4.0", "gz-plugin": "4.0.0"}, [], "gz-sim10"),
    ("ROS 2 with Harmonic", {"gz_sim_vendor": "0.0.8", "gz_plugin_vendor": "0.0.5", "vendored/gz-sim": "8.9.0",
                             "vendored/gz-sim8": "8.9.0", "vendored/gz-plugin2": "2.0.3"}, [], "gz-sim8"),
    ("an older one that was asked for", {"gz-sim9": "9.4.0", "gz-plugin3": "3.0.1", "gz-sim8": "8.9.0",
                                         "gz-plugin2": "2.0.3"}, ["-DSOMITE_GAZEBO=gz-sim8"], "gz-sim8"),
    ("nothing", {}, [], None),
]
EVERYTHING = {pathlib.Path(package).name for _, packages, _, _ in CASES for package in packages}
# the others are configured only
BUILT = {"Fortress", "Jetty"} if "SOM_TEST_LONG" in os.environ else {"Jetty"}


def install(folder, package, version, headers):
    """As cmake finds it: a config, its version, and targets without libraries."""
    name = pathlib.Path(package).name
    path = folder / package.replace(name, f"lib/cmake/{name}")
    path.mkdir(parents=True)
    (path / f"{name}ConfigVersion.cmake").write_text(
        f'set(PACKAGE_VERSION "{version}")\nif(NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)\n'
        "  set(PACKAGE_VERSION_COMPATIBLE TRUE)\nendif()\n", encoding="utf-8")
    lines = [f"set({name}_register_FOUND TRUE)"]
    if name.endswith("_vendor"):
        lines = [f'list(APPEND CMAKE_PREFIX_PATH "{folder}/vendored")']
    else:
        for target in {name, "register"}:
            lines += [f"if(NOT TARGET {name}::{target})", f"  add_library({name}::{target} INTERFACE IMPORTED)",
                      f"  set_target_properties({name}::{target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES {headers})",
                      "endif()"]
    (path / f"{name}Config.cmake").write_text("\n".join(lines) + "\n", encoding="utf-8")


def attempt(folder, headers, case):
    name, packages, options, wanted = case
    prefix, build = folder / name / "prefix", folder / name / "build"
    for package, version in packages.items():
        install(prefix, package, version, headers)
    steps = [["cmake", "-S", str(ROOT / "plugins/gazebo"), "-B", str(build), f"-DCMAKE_PREFIX_PATH={prefix}",
              "-DCMAKE_BUILD_TYPE=Debug", f"-DCMAKE_INSTALL_PREFIX={folder / name / 'made'}", *options]]
    present = {pathlib.Path(package).name for package in packages}
    steps[0] += [f"-DCMAKE_DISABLE_FIND_PACKAGE_{other}=ON" for other in EVERYTHING - present]  # of the machine
    if name in BUILT:
        steps += [["cmake", "--build", str(build)], ["cmake", "--install", str(build)]]
    output = ""
    for step in steps:
        done = subprocess.run(step, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        output += done.stdout
        if done.returncode != 0:
            return wanted is None and "The plugin needs Gazebo" in output, output
    is_made = (folder / name / "made/lib/libSomitePlayer.so").exists() if name in BUILT else True
    return wanted is not None and f"built for {wanted}\n" in output and is_made, output


def main():
    if shutil.which("cmake") is None:
        print("1..0 # SKIP cmake is not installed")
        return 0
    failed = False
    print(f"1..{len(CASES)}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        headers = folder / "headers"
        subprocess.run([sys.executable, str(ROOT / "tests/plugins/gazebo_syntax.py"), "--lay-out", str(headers)], check=True)
        for number, case in enumerate(CASES, 1):
            is_good, output = attempt(folder, headers, case)
            failed = failed or not is_good
            print(f"{'ok' if is_good else 'not ok'} {number} - {case[0]}")
            if not is_good:
                print("".join(f"# {line}\n" for line in output.splitlines()[-30:]), end="")
    return failed


sys.exit(main())
