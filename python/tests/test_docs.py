"""The docstrings: every public name has one of Python's own, and its examples are right."""

import doctest
import inspect
import re
from pathlib import Path

import numpy as np
import pytest

import gridblas as gb

PROJECT = Path(__file__).resolve().parents[2]
MODULES = [
    gb.algorithms,
    gb.io,
    gb.agg,
    gb.binary,
    gb.dtypes,
    gb.exceptions,
    gb.indexunary,
    gb.monoid,
    gb.op,
    gb.select,
    gb.semiring,
    gb.unary,
]
CLASSES = [gb.Matrix, gb.TransposedMatrix, gb.Vector, gb.Scalar, gb.io.PageWriter]


def public():
    """(name, object) of all that a program may use."""
    for module in [gb, *MODULES]:
        for name in dir(module):
            x = getattr(module, name)
            if not name.startswith("_") and (inspect.isfunction(x) or (inspect.isclass(x) and x.__module__.startswith("gridblas"))):
                yield f"{module.__name__}.{name}", x
    for cls in CLASSES:
        for name in dir(cls):
            x = inspect.getattr_static(cls, name)
            x = x.__func__ if isinstance(x, classmethod) else x
            if not name.startswith("_") and (inspect.isfunction(x) or isinstance(x, property)):
                yield f"gridblas.{cls.__name__}.{name}", x


def test_docstrings():
    documented = dict(public())
    assert len(documented) > 150
    for name, x in documented.items():
        text = inspect.getdoc(x)
        assert text and len(text) > 10, name
        plain = text.partition(">>>")[0]  # examples may have C text
        assert not re.search(r"NULL|Grid_|GrB_|\w \*\w|cdata|gridblas\.h", plain), name


@pytest.mark.parametrize("name, x", list(public()), ids=[name for name, _ in public()])
def test_examples(name, x, monkeypatch):
    monkeypatch.chdir(PROJECT / "examples" / "data")
    text = inspect.getdoc(x)
    if ">>>" not in text:
        return
    for module in ("networkx", "scipy"):
        if module in text.partition(">>>")[2]:
            pytest.importorskip(module)
    test = doctest.DocTestParser().get_doctest(text, {"gb": gb, "np": np}, name, None, 0)
    report = []
    assert doctest.DocTestRunner().run(test, out=report.append).failed == 0, "".join(report)


def test_functions_and_methods_have_examples():
    allowed = {"device_info"}  # without a GPU there is none
    lacking = [
        name
        for name, x in public()
        if inspect.isfunction(x)
        and ">>>" not in inspect.getdoc(x)
        and "TransposedMatrix" not in name
        and name.split(".")[-1] not in allowed
        and not x.__module__.endswith(".from_header")  # made from C's comments
    ]
    assert lacking == ["gridblas.init"]  # it comes before everything else


def test_completion_shows_what_a_program_may_use():
    for module in [gb, *MODULES]:
        assert not {"ffi", "np", "numpy", "library", "annotations", "Any"} & set(dir(module)), module
    assert set(dir(gb)) == set(gb.__all__) and all(hasattr(gb, name) for name in gb.__all__)


def test_version():
    project = pytest.importorskip("tomllib").loads((PROJECT / "python" / "pyproject.toml").read_text())["project"]
    assert gb.__version__ == project["version"]


def test_the_reference_page_has_everything(monkeypatch):
    monkeypatch.syspath_prepend(PROJECT / "docs" / "site")
    import python_reference

    page = python_reference.page()
    headings = set(re.findall(r"^#+ `([^`(]+)`$", page, re.M))
    for name, x in public():
        if name.startswith("gridblas.exceptions."):
            assert f"- `{x.__name__}` (" in page, name
        elif inspect.isfunction(x):
            method = name.removeprefix("gridblas.")
            assert {name, method, method.replace("TransposedMatrix", "Matrix"), f"io.{method}"} & headings, name


def test_the_page_names_what_python_graphblas_has_beside():
    graphblas = pytest.importorskip("graphblas")
    text = (PROJECT / "docs" / "python.md").read_text()
    table = text[text.index("**Missing**") : text.index("**Freeing.**")]
    table += " positionj positioni1 positionj1 firsti1 firstj firstj1 secondi secondi1 secondj"  # "operators by position"
    known = {"gb_obj", "MAX_SIZE", "core"}  # the package's own workings
    for name in ("Matrix", "Vector", "Scalar", "io", "agg", "unary", "binary", "select", "indexunary", "monoid"):
        reference, module = getattr(graphblas, name), getattr(gb, name)
        lacking = {n for n in dir(reference) if not n.startswith("_") and not hasattr(module, n)} - known
        assert not {n for n in lacking if not re.search(rf"\b{n}\b", table) and not n.endswith("Aggregator")}, name
