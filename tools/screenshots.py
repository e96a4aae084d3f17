#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the pictures of README.md, docs/studio.md and docs/tutorial.md anew, by driving the studio on
a display of its own: tools/screenshots.py [BUILD]. The build folder is that of `./somite test` if none is given.
Look at what it has changed in docs/pictures/ before it is committed.
"""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ("tests/studio_pictures_test", "tests/studio_designer_story_test")


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/test")
    if not (build / "build.ninja").exists():
        print(f"{build} is no build folder; './somite test studio/pictures' makes one", file=sys.stderr)
        return 3
    subprocess.run(["ninja", "-C", build, *PROGRAMS], check=True)
    return max(subprocess.run([sys.executable, ROOT / "tests/studio/on_display.py", "--leaky", "0", build / program],
                              env=dict(os.environ, SOM_UPDATE="1"), check=False).returncode for program in PROGRAMS)


sys.exit(main())
