"""The same script under python-graphblas and gridblas: results compared. A script begins with `import graphblas as gb`."""

import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from twin_script import run

SCRIPTS = sorted(Path(__file__).with_name("twins").glob("*.py"))


@pytest.fixture(scope="module")
def python():
    """A Python with python-graphblas: this one, or $TWIN_PYTHON."""
    chosen = os.environ.get("TWIN_PYTHON", sys.executable)
    if subprocess.run([chosen, "-c", "import graphblas"], capture_output=True, check=False).returncode != 0:
        pytest.skip("python-graphblas is not there (pip: python-graphblas suitesparse-graphblas)")
    return chosen


def witness(python, path, made, folder):
    """python-graphblas in a process of its own; its results are stored for other numbers of processes."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "PMIX_"))}
    part = folder / "part"
    command = [python, str(Path(__file__).with_name("twin_script.py")), str(path), "graphblas", str(part)]
    subprocess.run(command, check=True, env=environment, timeout=100)
    made.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(part, made)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_twin(path, python, tmp_path):
    made = Path(os.environ.get("TWIN_FOLDER", tmp_path), path.stem + ".witness")
    if not made.exists() or made.stat().st_mtime < path.stat().st_mtime:
        witness(python, path, made, tmp_path)
    expected = pickle.loads(made.read_bytes())
    found = run(path, "gridblas")
    assert found.keys() == expected.keys() and len(found) > 0
    for name, want in expected.items():
        got = found[name]
        if not isinstance(want, tuple):
            assert got == want, name
            continue
        assert got[0] == want[0], f"{name}: type {got[0]}, not {want[0]}"
        if len(want) == 2:
            assert got[1] == want[1] or got[1] == pytest.approx(want[1], rel=1e-6), name
            continue
        assert got[1] == want[1], f"{name}: shape"
        for one, two in zip(got[2], want[2]):
            assert len(one) == len(two), f"{name}: {len(one)} entries, not {len(two)}"
            assert np.allclose(one.astype(float), two.astype(float), rtol=1e-5), name
