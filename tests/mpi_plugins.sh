#!/bin/bash
# MPI as a plug-in (dist/comm/mpi): nothing but the plug-ins refers to MPI, GRIDBLAS_MPI chooses, and what cannot be had is named.
# Usage: mpi_plugins.sh GRIDBLAS ARCHIVE FILES...: the program, the static library, and what must not need MPI
set -u
gridblas=$1 archive=$2 plugins=$(dirname "$1")
shift 2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad=0
fail() { echo "FAILED: $1"; [ ! -s "$tmp/out" ] || tail -n 5 "$tmp/out"; bad=1; }
run() { timeout 60 "$@" info mesh:2x2 >"$tmp/out" 2>&1; }
says() { grep -qF "$1" "$tmp/out" || fail "no \"$1\""; }

echo "== what needs MPI"
nm -u "$archive" 2>/dev/null | grep -E ' P?MPI_' && fail "the library refers to MPI"
for file in "$@" "$plugins"/libgridblas-*.so; do
  readelf -d "$file" | grep -E 'NEEDED.*\[libmpi' && fail "$file needs MPI"
done
indirect=$(ldd "$gridblas" | grep -E 'libmpi[a-z_]*\.so')
case $(readelf -d "$gridblas") in
  *hdf5_openmpi* | *hdf5_mpich*) echo "HDF5 brings an MPI: $indirect" ;;
  *) [ -z "$indirect" ] || fail "the program needs MPI: $indirect" ;;
esac

echo "== GRIDBLAS_MPI"
launcher=OMPI_COMM_WORLD_SIZE=1 kind=openmpi
"${MPIEXEC:-mpirun}" --version 2>&1 | grep -qE 'Open (MPI|RTE)|OpenRTE' || { launcher=PMI_SIZE=1 kind=mpich; }
run "${MPIEXEC:-mpirun}" -n 2 "$gridblas" || fail "two processes"
says "2x1"
GRIDBLAS_MPI=$plugins/libgridblas-$kind.so run "${MPIEXEC:-mpirun}" -n 2 "$gridblas" || fail "the plug-in's file"
says "2x1"
GRIDBLAS_MPI=none run env PMI_SIZE=2 OMPI_COMM_WORLD_SIZE=2 "$gridblas" || fail "none"
GRIDBLAS_MPI=lam run "$gridblas" && fail "a wrong GRIDBLAS_MPI"
says 'GRIDBLAS_MPI is "lam", not openmpi, mpich, none'
GRIDBLAS_MPI=/nowhere/libmpi.so run "$gridblas" && fail "no such file"
says 'GRIDBLAS_MPI is "/nowhere/libmpi.so", not openmpi, mpich, none'

echo "== no plug-in, and the wrong one"
cp "$gridblas" "$tmp/gridblas"
run env $launcher "$tmp/gridblas" && fail "without a plug-in"
says "$kind: no plug-in $tmp/libgridblas-$kind.so"
run "$tmp/gridblas" || fail "one process without a plug-in"
mkdir "$tmp/open" && cp "$plugins/libgridblas-$kind.so" "$tmp/open" && chmod 777 "$tmp/open"
GRIDBLAS_MPI=$tmp/open/libgridblas-$kind.so run "$tmp/gridblas" && fail "a plug-in that anyone can replace"
says "no plug-in $tmp/open/libgridblas-$kind.so"

# Loaded by a relative path, as LD_LIBRARY_PATH=lib does, before the program changes its folder.
command -v python3 >/dev/null || set -- # nothing else here loads a library
mkdir "$tmp/lib" && cp "$plugins/libgridblas-$kind.so" "$tmp/lib"
for file in "$@"; do
  case $file in */libgridblas.so*) ;; *) continue ;; esac
  cp "$file" "$tmp/lib/libgridblas.so"
  (cd "$tmp" && env $launcher python3 -c 'import ctypes, os, sys
library = ctypes.CDLL("lib/libgridblas.so")
os.chdir("/")
library.Grid_last_error.restype = ctypes.c_char_p
sys.exit(library.GrB_init(0) and library.Grid_last_error().decode())' >out 2>&1) || fail "a library of a relative path"
done

echo "== who may have written a plug-in"
loads() { # loads WHAT WORKS PROGRAM COMMAND...: after the command the plug-in works, or not
  "${@:4}" || fail "${*:4}"
  if [ "$2" = "$(run env $launcher "$3" && echo yes || echo no)" ]; then return; fi
  fail "$1: the plug-in should work: $2"
}
mkdir -p "$tmp/up/bin" && cp "$gridblas" "$tmp/up/bin" && cp "$plugins/libgridblas-$kind.so" "$tmp/up"
above() { loads "$1" "$2" "$tmp/up/bin/gridblas" "${@:3}"; }
above "nobody else can write" yes chmod 755 "$tmp/up" "$tmp/up/bin"
above "a group can write the plug-in's folder" no chmod 775 "$tmp/up"
above "a group can write the program's folder, too" yes chmod 775 "$tmp/up/bin"
above "all can write the plug-in's folder" no chmod 777 "$tmp/up"
if [ "$(id -u)" = 0 ]; then
  above "another user's installation" yes eval 'chmod 755 "$tmp/up" && chown -R 12345:12345 "$tmp/up"'
  above "a third user's plug-in" no chown 12346 "$tmp/up/libgridblas-$kind.so"
fi
mkdir -m 1777 "$tmp/sticky" && cp "$gridblas" "$plugins/libgridblas-$kind.so" "$tmp/sticky"
beside() { loads "$1" "$2" "$tmp/sticky/gridblas" "${@:3}"; }
beside "the user's plug-in in a sticky folder" yes chmod 755 "$tmp/sticky/libgridblas-$kind.so"
beside "a plug-in that all can write" no chmod 777 "$tmp/sticky/libgridblas-$kind.so"
[ "$(id -u)" != 0 ] || beside "another user's plug-in in a sticky folder" no eval 'chmod 755 "$tmp/sticky/"* && chown 12345 "$tmp/sticky/libgridblas-$kind.so"'

# As under a launcher that this MPI does not know.
GRIDBLAS_MPI=$kind run env PMI_SIZE=3 "$gridblas" && fail "another launcher"
says "the launcher started 3 processes, but MPI has one"
[ $bad = 0 ] && echo "plug-ins: $(cd "$plugins" && echo libgridblas-*.so)"
exit $bad
