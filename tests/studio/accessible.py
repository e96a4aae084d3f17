#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What a screen reader is told of the studio: every control has a name, and the main ones are found
by it. accessible.py PROGRAM, on a bus of its own (on_display.py --accessible). Prints TAP.
"""

import subprocess
import sys
import time

try:
    import gi

    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi
except (ImportError, ValueError):
    print("1..0 # SKIP no python3-gi or no gir1.2-atspi-2.0")
    sys.exit(77)

DEADLINE = 60  # seconds
CONTROLS = {"push button", "toggle button", "check box", "radio button", "entry", "text", "password text",
            "combo box", "spin button", "slider", "switch", "image", "table cell", "link", "menu item",
            "check menu item", "radio menu item", "page tab"}
LISTS = {"list", "list box", "table", "tree", "tree table", "grid"}
ROWS = {"list item", "table row", "tree item"}
# Found by their names, each by one of its roles.
WANTED = [
    ("push button", "Open…"), ("push button", "Save"), ("push button", "Undo"), ("push button", "Redo"),
    ("push button", "Main menu"), ("push button", "Library"), ("push button", "Inspector and text"),
    ("image", "3D view"), ("text", "Text of the design"), ("entry", "Search the library"),
]


def wait(what, find):
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        try:
            found = find()
            if found:
                return found
        except gi.repository.GLib.Error:
            pass  # the tree changed meanwhile
        Atspi.get_desktop(0).clear_cache()
        time.sleep(0.05)  # between two questions; what is waited for is the answer
    print(f"Bail out! waited in vain for {what}")
    sys.exit(1)


def children(node):
    found = (node.get_child_at_index(i) for i in range(node.get_child_count()))
    return [child for child in found if child is not None]


def walk(node, above=()):
    yield node, above
    for child in children(node):
        yield from walk(child, (*above, node))


def name_of(node):
    # GTK 4.8 gives a button of text both its label with the mark of its key and without: "_Save Save".
    name = node.get_name() or ""
    half = name.split(" ", 1)
    return half[1] if len(half) == 2 and half[0].replace("_", "") == half[1] else name


def is_shown(node):
    return node.get_state_set().contains(Atspi.StateType.VISIBLE)


def is_named(node):
    """A row may be named by what stands in it."""
    if name_of(node) and not name_of(node).startswith(("Gtk", "Adw", "Som")):
        return True
    return node.get_role_name() in ROWS and any(
        child.get_role_name() == "label" and child.get_name() for child, _ in walk(node))


def place_of(node, above):
    words = [f"{each.get_role_name()} '{name_of(each)}'" for each in above[-4:] if name_of(each)]
    return f"{node.get_role_name()} '{node.get_name()}' in {' > '.join(words)}"


def unnamed(window):
    wanted = CONTROLS | LISTS | ROWS
    found = [(node, above) for node, above in walk(window)
             if node.get_role_name() in wanted and is_shown(node) and not is_named(node)]
    # a picture in a control that has a name is only its decoration
    return [place_of(node, above) for node, above in found
            if not (node.get_role_name() == "image" and any(
                each.get_role_name() in CONTROLS | ROWS for each in above))]


class Report:
    def __init__(self):
        self.count = 0
        self.failed = 0

    def tell(self, is_fine, words, details=()):
        self.count += 1
        self.failed += not is_fine
        print(f"{'ok' if is_fine else 'not ok'} {self.count} - {words}")
        for line in () if is_fine else details:
            print(f"# {line}")


def main():
    program = subprocess.Popen([*sys.argv[1:]])
    report = Report()
    try:
        application = wait("the studio", lambda: next(
            (each for each in children(Atspi.get_desktop(0))
             if each.get_process_id() == program.pid and each.get_child_count()), None))
        window = wait("its window", lambda: next(iter(children(application)), None))
        wait("its controls", lambda: any(name_of(node) == "Undo" for node, _ in walk(window)))
        nodes = [(node.get_role_name(), name_of(node)) for node, _ in walk(window)]
        for role, name in WANTED:
            report.tell((role, name) in nodes, f"there is a {role} '{name}'",
                        sorted({other for kind, other in nodes if kind == role and other}))
        nameless = unnamed(window)
        report.tell(not nameless, "every control has a name", nameless)
    finally:
        program.terminate()
        program.wait()
    print(f"1..{report.count}")
    return 1 if report.failed else 0


sys.exit(main())
