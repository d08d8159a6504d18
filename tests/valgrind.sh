#!/bin/bash
# Runs a program and its children under valgrind: uninitialized reads, and accesses out of bounds. Leaks are checked by the
# library's own counter. Usage: valgrind.sh PROGRAM [ARGUMENTS...]; under mpirun: mpirun -n 4 valgrind.sh PROGRAM ...
# Exit status: the program's, 9 after an error found by valgrind, 77 without valgrind.
command -v valgrind >/dev/null || { echo "skipped: no valgrind (Debian: valgrind)"; exit 77; }
suppressions=()
for file in /usr/share/openmpi/openmpi-valgrind.supp "${MPI_HOME:-/nowhere}/share/openmpi/openmpi-valgrind.supp"; do
  [ ! -f "$file" ] || suppressions+=("--suppressions=$file")
done
exec valgrind --quiet --error-exitcode=9 --leak-check=no --track-origins="${VALGRIND_ORIGINS:-no}" "${suppressions[@]}" "$@"
