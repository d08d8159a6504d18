"""On communicators of mpi4py's: all processes as a grid of 2 x 2, then, in another run, half of them. Run under mpirun -n 4; or on one process, with mpirun and
without.

Usage: mpi4py_grid.py PACKAGE_PATH. Exit status 77: mpi4py is not there.
"""

import sys

sys.path.insert(0, sys.argv[1])
try:
    from mpi4py import MPI
except ImportError:
    print("skipped: no mpi4py (Debian: python3-mpi4py)")
    sys.exit(77)
import gridblas as gb

world = MPI.COMM_WORLD
half = world.Split(world.rank % 2)
chosen, shape = (half, (2, 1)) if "half" in sys.argv else (world, (2, 2) if world.size == 4 else (1, 1))
gb.init(comm=chosen, grid=shape)
assert gb.size() == chosen.size and gb.shape() == shape
assert sorted(chosen.allgather(gb.rank())) == list(range(chosen.size))

# Each process passes the edges of its own range; halves have graphs of different sizes.
n = 50 + world.rank % 2 if chosen is half else 50
local = [v for v in gb.local_range(n) if v + 1 < n]
A = gb.Matrix.from_local(local, [v + 1 for v in local], nrows=n, ncols=n, mirror=True)
level = gb.algorithms.bfs(A, 0, only="level")
assert level.to_dict() == {v: v for v in range(n)}
assert chosen.allreduce(len(level.to_local()[0])) == n
try:
    gb.init(comm=world)
except gb.exceptions.InvalidValue as error:
    assert "runs already" in str(error)
else:
    raise AssertionError("a second init")
