"""Writes the package's metadata beside a laid-out package, so that its entry points are found without an installation.

Usage: metadata.py PYPROJECT FOLDER
"""

import sys
from pathlib import Path

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10: the backend's tests are skipped without an entry point
    sys.exit(0)

project = tomllib.loads(Path(sys.argv[1]).read_text())["project"]
folder = Path(sys.argv[2], f"{project['name']}-{project['version']}.dist-info")
folder.mkdir(exist_ok=True)
folder.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
groups = (
    f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in points.items()) for group, points in project["entry-points"].items()
)
folder.joinpath("entry_points.txt").write_text("\n".join(groups))
