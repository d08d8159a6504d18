"""The built site in a headless Chromium, 1280 and 390 pixels wide, light and dark: no error on the console, nothing wider than the window, every picture
loads, and the search finds a page, served and opened as a file. Usage: site_browser.py BUILD_DIR, after site.sh. Exit status 77: skipped."""

import http.server
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse
from pathlib import Path

WIDTHS = [1280, 390]
QUERY = "delegate"
PLANTED = """<!doctype html><body style="margin:0"><article class="md-content">planted</article><div style="width:3000px">wide</div><img src="none.png">
<script>console.error("a planted error")</script>"""
# Opens each page in a frame of each width, and sends what is wrong with it.
CHECK = """<!doctype html><meta charset="utf-8"><title>check</title><body><script>
const {pages, widths, query, dark} = JSON.parse(decodeURIComponent(location.hash.slice(1)));
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
function problems(frame) {
  const page = frame.contentDocument, root = page.documentElement, found = [];
  if (!page.querySelector(".md-content")) found.push("is no page");
  if (root.scrollWidth > root.clientWidth + 1) {
    const wide = [...page.body.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > root.clientWidth + 1).map((e) => e.tagName + "." + e.className);
    found.push(`is ${root.scrollWidth} wide: ${wide.slice(0, 3).join(", ")}`);
  }
  for (const image of page.images) if (!(image.complete && image.naturalWidth > 0)) found.push("lacks the picture " + image.getAttribute("src"));
  const light = getComputedStyle(page.body).backgroundColor.match(/[0-9.]+/g).slice(0, 3).reduce((sum, c) => sum + Number(c), 0) / 765;
  if (!page.body.innerText.startsWith("planted") && dark !== light < 0.5) found.push(dark ? "is not dark" : "is dark");
  return found;
}
async function open(page, width) {
  const frame = document.createElement("iframe");
  frame.style = `width:${width}px;height:900px;border:0`;
  frame.src = page;
  document.body.append(frame);
  await new Promise((done) => (frame.onload = done));
  for (const image of frame.contentDocument.images) image.loading = "eager";
  for (let k = 0; k < 20 && [...frame.contentDocument.images].some((i) => !i.complete); k++) await sleep(50);
  await sleep(50);
  return frame;
}
async function hits(frame) {
  const field = frame.contentDocument.querySelector("[data-md-component=search-query]");
  field.focus();
  field.value = query;
  for (const kind of ["input", "keyup"]) field.dispatchEvent(new Event(kind, {bubbles: true}));
  for (let k = 0; k < 100; k++) {
    const count = frame.contentDocument.querySelectorAll(".md-search-result__item").length;
    if (count) return count;
    await sleep(100);
  }
  return 0;
}
(async () => {
  const result = {problems: [], hits: 0};
  for (const page of pages)
    for (const width of page.startsWith("reference/") ? widths.slice(-1) : widths) { // made alike: the narrow window is enough
      const frame = await open(page, width);
      result.problems.push(...problems(frame).map((what) => `${page}, ${width} pixels: ${what}`));
      if (page === "index.html" && width > 1000) result.hits = await hits(frame);
      frame.remove();
    }
  await fetch("__result", {method: "POST", body: JSON.stringify(result)});
})();
</script>"""


class Site(http.server.SimpleHTTPRequestHandler):
    pages = {"/__check.html": CHECK, "/__planted.html": PLANTED}
    result = None
    done = threading.Event()

    def do_GET(self):
        text = self.pages.get(self.path)
        if text is None:
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(text.encode())

    def do_POST(self):
        Site.result = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()
        Site.done.set()

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):
        pass  # a page that was left while it loaded


def chromium(profile, *options):
    return [program, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", f"--user-data-dir={profile}", "--window-size=1400,1000", *options]


def console(text):
    """The messages of pages, without those of Chromium about itself."""
    return [line.partition("CONSOLE")[2] for line in text.splitlines() if "CONSOLE" in line]


def visit(address, pages, dark):
    """(the page's result, console messages)"""
    task = urllib.parse.quote(json.dumps({"pages": pages, "widths": WIDTHS, "query": QUERY, "dark": dark}))
    Site.done.clear()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile, open(f"{profile}/log", "w+") as log:
        options = [f"--blink-settings=preferredColorScheme={0 if dark else 1}", f"{address}/__check.html#{task}"]
        browser = subprocess.Popen(chromium(profile, *options), stdout=subprocess.DEVNULL, stderr=log)
        finished = Site.done.wait(170)
        browser.terminate()
        browser.wait()
        log.seek(0)
        messages = console(log.read())
    if not finished:
        sys.exit(f"no answer from {program}: " + "\n".join(messages))
    return Site.result, messages


def search_in_file():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        done = subprocess.run(chromium(profile, "--virtual-time-budget=20000", "--dump-dom", f"{(site / 'index.html').as_uri()}?q={QUERY}"), capture_output=True, text=True, timeout=100)
    return done.stdout.count('class="md-search-result__item"'), console(done.stderr)


site = Path(sys.argv[1]).resolve() / "site"
program = shutil.which("chromium") or shutil.which("chromium-browser")
if not program or not (site / "index.html").exists():
    print("skipped: no chromium (Debian: chromium)" if not program else "skipped: site.sh has built no site")
    sys.exit(77)
names = sorted(str(file.relative_to(site)) for file in site.rglob("*.html"))
names = [name for name in names if not name.startswith("source/") and name != "404.html"]
names += sorted(str(file.relative_to(site)) for file in (site / "source").rglob("*.html"))[:2]
server = Server(("127.0.0.1", 0), lambda *args: Site(*args, directory=str(site)))
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_port}"

wrong = []
result, messages = visit(address, ["__planted.html"], dark=False)
found = "\n".join(result["problems"] + messages)
wrong += [f"not found in a planted page: {what}" for what in ("3000 wide", "none.png", "a planted error") if what not in found]
for dark in (False, True):
    result, messages = visit(address, [name for name in names if not dark or name.count("/") == 0], dark)
    wrong += result["problems"] + messages
    if not result["hits"]:
        wrong.append(f"the search does not find {QUERY}")
hits, messages = search_in_file()
wrong += messages + ([] if hits else [f"opened as a file, the search does not find {QUERY}"])
print("\n".join(wrong) or f"{len(names)} pages at {' and '.join(map(str, WIDTHS))} pixels; those of the first folder light and dark")
sys.exit(bool(wrong))
