#!/bin/sh
# A virtual environment for the optional tests, in the build folder, with packages from PyPI that Debian lacks or has in old versions.
# Usage: venv.sh FOLDER PYTHON. Exit status 77: it cannot be created, or PyPI is not reachable.
set -u
folder=$1 python=$2
wanted="networkx>=3.4 scipy>=1.12 python-graphblas>=2025.2 suitesparse-graphblas pandas<3 pyarrow hypothesis pytest pytest-xdist"
[ -x "$folder/bin/python" ] || "$python" -m venv --system-site-packages "$folder" ||
  { echo "skipped: no virtual environment (Debian: python3-venv)"; exit 77; }
# All packages are installed already: no download.
"$folder/bin/python" -c 'import networkx, graphblas, pandas, pyarrow, hypothesis, xdist, scipy; from scipy.sparse import sparray' 2>"$folder/lacks" && exit 0
# shellcheck disable=SC2086 # the list is words
timeout 240 "$folder/bin/python" -m pip install -q --disable-pip-version-check --timeout 20 --retries 1 $wanted ||
  { echo "skipped: PyPI does not give $wanted"; exit 77; }
