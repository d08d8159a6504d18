"""A plugin of pytest for NetworkX's own tests: a call that the backend accepts and then declines is an error.

NetworkX would compute such a call itself, and no test would fail. Where the values of edges alone are the reason, it is allowed:
`can_run` has NetworkX's graph, and would read all its edges.
"""

import inspect

from gridblas.nx import interface

# What these functions may decline, by the end of the message.
OF_VALUES = (
    "takes Python's numbers, and NumPy's of 64 bits, as 'weight' of edges",
    "takes no weights below 0 here",
    "takes no weights of minus infinity",
    "finds paths of numbers above minus infinity; the sum of whole ones is below 2**53",
    "finds flows where the sum of capacities is below 1e300, of whole ones below 2**51",
    "spreads labels along edges whose weights are above 0",
    "finds cuts of capacities whose sums are not rounded",
)


class AcceptedThenDeclined(Exception):
    """The backend's can_run was true, but the function raised NotImplementedError."""


def _strict(function, name_of):
    """The function with these errors."""

    def call(*args, **options):
        try:
            return function(*args, **options)
        except NotImplementedError as error:
            if str(error).endswith(OF_VALUES):
                raise
            raise AcceptedThenDeclined(f"{name_of(options)}: {error}") from error

    call.__signature__ = inspect.signature(function)
    return call


def pytest_configure():
    """Before the first test."""
    for name, function in list(interface.algorithms.items()):
        interface.algorithms[name] = _strict(function, lambda options, name=name: name)
    convert = interface.Backend.convert_from_nx
    interface.Backend.convert_from_nx = staticmethod(_strict(convert, lambda options: options.get("name")))
