"""The links of the pages to other sites: external_links.py SOURCE_DIR [--list] lists them, or asks for each whether it is there. It reads README.md and all .md
files of .github, docs, examples and python. A page that is gone (404, 410, no such host) is an error; one that refuses programs is not. Exit status 77: no network."""

import collections
import concurrent.futures
import re
import sys
import urllib.error
import urllib.request
from pathlib import Path

root = Path(sys.argv[1]).resolve()
CODE = re.compile(r"^ *(`{3,}).*?^ *\1`*$|`[^`\n]*`", re.S | re.M)
LINK = re.compile(r"\]\((https?://[^)\s]+)\)|<(https?://[^>\s]+)>")
KNOWN = ["https://graphblas.org", "https://www.debian.org", "https://github.com"]  # one of these answers where there is a network


def links():
    """Address -> the pages that link to it."""
    found = collections.defaultdict(set)
    pages = [root / "README.md", *(page for folder in (".github", "docs", "examples", "python") for page in root.glob(f"{folder}/**/*.md"))]
    for page in pages:
        for link in LINK.finditer(CODE.sub("", page.read_text(encoding="utf-8"))):
            found[(link[1] or link[2]).partition("#")[0]].add(str(page.relative_to(root)))
    return found


def problem(address, refusals=(404, 410)):
    """None, or why the address is wrong. `refusals`: the statuses that are."""
    request = urllib.request.Request(address, headers={"User-Agent": "Mozilla/5.0 (gridblas: tests/external_links.py)"})
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            answer.read(1)
    except urllib.error.HTTPError as error:
        return f"status {error.code}" if error.code in refusals else None
    except OSError as error:
        return str(error)
    return None


found = links()
if "--list" in sys.argv:
    print("\n".join(f"{address}  {' '.join(sorted(pages))}" for address, pages in sorted(found.items())))
    sys.exit(len(found) < 5)
if all(problem(address, range(400, 600)) for address in KNOWN):
    print("skipped: no network")
    sys.exit(77)
wrong = 0
with concurrent.futures.ThreadPoolExecutor(8) as pool:
    for address, what in zip(found, pool.map(problem, found)):
        if what:
            wrong += 1
            print(f"{address}: {what} ({', '.join(sorted(found[address]))})")
print(f"{len(found)} links to other sites, {wrong} wrong")
sys.exit(wrong > 0 or len(found) < 5)
