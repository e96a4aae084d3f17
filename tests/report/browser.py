#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Opens pages that somite writes in a headless Chromium, as TAP; skipped where there is none.

    browser.py SOMITE

A copy of each page gets a script that looks at it from inside (the page itself has none): whether
all images decode, what it asked the network for, how wide and how bright it is. Broken pages show
that the look can fail. With SOM_SCREENSHOTS=FOLDER pictures of the pages are kept there.
"""
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

LOOK = """<script>
function isDrawn(image) { // decoded, and not of one colour
  if (!image.complete || image.naturalWidth == 0) return false;
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const pixels = new Uint32Array(
    context.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  return pixels.some(p => p != pixels[0]);
}
addEventListener("load", () => {
  const images = [...document.images];
  const fine = images.map(isDrawn);
  const light = getComputedStyle(document.body).backgroundColor.match(/\\\\d+/g).map(Number);
  const look = {
    images: images.length, broken: fine.filter(f => !f).length,
    captions: images.filter(i => i.alt).length,
    sections: [...document.querySelectorAll("section")].map(s => s.id),
    names: [...document.querySelectorAll("section h1, section h2")].map(h => h.textContent),
    lost: [...document.querySelectorAll("a[href]")].filter(
      a => !document.getElementById(a.getAttribute("href").slice(1))).length,
    plots: document.querySelectorAll("svg.plot").length,
    empty: [...document.querySelectorAll("svg.plot path")].filter(p => !p.getAttribute("d")).length,
    fetched: performance.getEntriesByType("resource").filter(e => !e.name.startsWith("data:")).length,
    wide: document.documentElement.scrollWidth - innerWidth,
    width: innerWidth,
    brightness: light[0] + light[1] + light[2],
    scripts: document.scripts.length - 1,
  };
  const out = document.createElement("pre");
  out.id = "look";
  out.textContent = JSON.stringify(look);
  document.body.append(out);
});
</script></body>""".replace("\\\\", "\\")

BIPED = """use "chain3.som"
config %s {
    part spine, left, right : Chain3
    connect left.head.L to spine.head.L at 270deg
    connect right.head.R to spine.head.R at 90deg
    pose stand { left.leg; right.leg }
    start stand
    base spine.head on ground
    behavior nod = spine.middle.tilt to 20deg
    behavior "bow <low>" = series(spine.head.tilt to 60deg, left.head.tilt to 80deg)
}
"""


def run_chromium(folder, page, *options):
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu",
               "--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND",
               "--enable-logging=stderr", f"--user-data-dir={folder / 'profile'}",
               "--virtual-time-budget=20000", *options, page.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, errors="replace")


def look_at(folder, page, *options):
    """What the script saw, and what was said on the console."""
    copy = folder / f"look-{page.name}"
    copy.write_text(page.read_text().replace("</body>", LOOK))
    ran = run_chromium(folder, copy, "--dump-dom", *options)
    seen = re.search(r'<pre id="look">(.*?)</pre>', ran.stdout, re.DOTALL)
    look = json.loads(html.unescape(seen[1])) if seen else {}
    look["console"] = len(re.findall(r":CONSOLE", ran.stderr))
    return look


def faults_of(look, sections, names):
    """Words for all that is wrong."""
    faults = []
    if "images" not in look:
        return ["the page could not be looked at"]
    faults += [f"{look['console']} messages on the console"] * (look["console"] > 0)
    faults += [f"{look['broken']} broken images"] * (look["broken"] > 0)
    faults += ["no image"] * (look["images"] == 0)
    faults += ["an image without words"] * (look["captions"] != look["images"])
    faults += [f"sections {look['sections']}"] * (look["sections"] != sections)
    faults += [f"there is no {name!r}: {look['names']}" for name in names
               if name not in look["names"]]
    faults += [f"{look['lost']} links lead nowhere"] * (look["lost"] > 0)
    faults += [f"{look['plots']} plots, {look['empty']} empty"] * (
        look["plots"] == 0 or look["empty"] > 0)
    faults += [f"{look['fetched']} requests"] * (look["fetched"] > 0)
    faults += [f"{look['wide']} pixels too wide"] * (look["wide"] > 0)
    faults += ["it has a script"] * (look["scripts"] > 0)
    return faults


def make_pages(somite, folder):
    designs = folder / "designs"
    designs.mkdir()
    (designs / "biped.som").write_text(BIPED % "Biped")
    (designs / "other.som").write_text(BIPED % '"Zwei<Beine>"')
    pages = {}
    behavior = ["--behavior", "nod"]
    for name, words in {"one": ["designs/biped.som", *behavior],
                        "folder": ["designs"]}.items():
        page = folder / f"{name}.html"
        ran = subprocess.run([somite, "verify", *words, "--html", page], cwd=folder,
                             capture_output=True, text=True, timeout=600)
        pages[name] = (page, ran)
    page = folder / "run.html"
    ran = subprocess.run([somite, "simulate", "designs/biped.som", "--engine", "mujoco", *behavior,
                          "--html", page], cwd=folder, capture_output=True, text=True, timeout=600)
    if "SOM6001" not in ran.stderr:  # this program has the engine
        pages["run"] = (page, ran)
    return pages


def spoil(folder, page):
    """Pages that each have one fault, and a part of the words for it."""
    text = page.read_text()
    network = '<img alt="a" src="http://127.0.0.1:1/a.png">'
    spoiled = {
        "broken images": text.replace("base64,iVBOR", "base64,iVBOX", 1),
        "on the console": text.replace("</body>", "<script>console.error('no')</script></body>"),
        "requests": text.replace("</body>", network + "</body>"),
        "lead nowhere": text.replace("</body>", '<a href="#nowhere">gone</a></body>'),
        "too wide": text.replace("</body>", '<div style="width:9999px">wide</div></body>'),
        "sections": text.replace('<section id="r1">', '<section id="x">'),
    }
    for number, (fault, spoiled_text) in enumerate(spoiled.items()):
        assert spoiled_text != text, fault
        path = folder / f"spoiled{number}.html"
        path.write_text(spoiled_text)
        yield fault, path


def main():
    somite = os.path.abspath(sys.argv[1])
    if shutil.which("chromium") is None:
        print("1..0 # SKIP there is no chromium")
        return
    points = []

    def check(words, faults):
        points.append(not faults)
        print(f"{'ok' if not faults else 'not ok'} {len(points)} - {words}", flush=True)
        for fault in faults:
            print(f"# {fault}")

    shots = os.environ.get("SOM_SCREENSHOTS")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        pages = make_pages(somite, folder)
        names = {"one": ["Biped: nod"],
                 "run": ["Biped: nod"],
                 "folder": ["Summary", "Biped", "Biped: nod", "Biped: bow <low>",
                            "Zwei<Beine>: bow <low>"]}
        sections = {"one": ["r1"], "run": ["run"], "folder": ["summary"] + [f"r{i}" for i in range(1, 7)]}
        views = {"": ["--window-size=1280,900"],
                 ", narrow": ["--window-size=500,900"],
                 ", dark": ["--window-size=1280,900", "--blink-settings=preferredColorScheme=0"]}
        for kind, (page, ran) in pages.items():
            check(f"{kind}: the page is written and is small", [
                ran.stderr] * (not page.exists() or page.stat().st_size > 4e6))
            for view, options in views.items():
                if view and kind != "one" and "SOM_TEST_LONG" not in os.environ:
                    continue  # the style is the same for all kinds
                look = look_at(folder, page, *options)
                faults = faults_of(look, sections[kind], names[kind])
                is_dark = look.get("brightness", 0) < 200
                faults += [f"brightness {look.get('brightness')}"] * (is_dark != (view == ", dark"))
                check(f"{kind}{view}: opens and is whole", faults)
                shot = folder / f"{kind}{view.replace(', ', '-')}.png"
                run_chromium(folder, page, f"--screenshot={shot}", *options)
                check(f"{kind}{view}: can be seen", ["no picture"] * (
                    not shot.exists() or shot.stat().st_size < 20000))
                if shots:
                    shutil.copy(shot, shots)
        for fault, page in spoil(folder, pages["one"][0]):
            faults = faults_of(look_at(folder, page, "--window-size=1280,900"),
                               sections["one"], names["one"])
            check(f"a page with a fault is told: {fault}",
                  [f"{faults}"] * (not any(fault in words for words in faults)))
    print(f"1..{len(points)}")
    sys.exit(not all(points))


main()
