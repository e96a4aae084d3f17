#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes files into a C source, as the tables of exchange/c_files.h: embed_files.py OUT.c FILE…

What somite export --to c copies must be of the same version as the program, and be there wherever
it is installed. A file of player/ gets the prefix som_ in its name and in the includes of others; a
template loses its .in."""
import pathlib
import re
import sys


def name_of(path):
    return f"som_{path.name}" if path.parent.name == "player" else path.name.removesuffix(".in")


def main():
    out, paths = pathlib.Path(sys.argv[1]), [pathlib.Path(name) for name in sys.argv[2:]]
    lines = ['#include "exchange/c_files.h"\n']
    rows = []
    for number, path in enumerate(sorted(paths, key=name_of)):
        text = re.sub(r'#include "player/', '#include "som_', path.read_text(encoding="utf-8"))
        content = text.encode()
        lines.append(f"static const char content_{number}[] = {{")
        for at in range(0, len(content), 24):
            lines.append("".join(f"{byte if byte < 128 else byte - 256}," for byte in content[at:at + 24]))
        lines.append("};\n")
        is_template = "true" if path.suffix == ".in" else "false"
        rows.append(f'    {{"{name_of(path)}", {{content_{number}, sizeof content_{number}}}, {is_template}}},')
    lines += ["const SomCFile som_c_files[] = {", *rows, "};", f"const int som_c_file_count = {len(rows)};"]
    out.write_text("\n".join(lines) + "\n", encoding="utf-8")


main()
