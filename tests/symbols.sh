#!/bin/sh
# Every symbol that the library defines for others starts with grid_ or Grid_, so that it links beside any other library
# (SuiteSparse:GraphBLAS above all). What stands in an unnamed namespace of a .cu file has a name that no other file can have; what CUB's
# templates leave has their version in it.
# Usage: symbols.sh LIBRARY
case "$1" in *.so*) dynamic=-D ;; *) dynamic= ;; esac
all=$(nm $dynamic --defined-only --extern-only --format=posix "$1" 2>/dev/null | awk 'NF > 1 { print $1 }')
[ -n "$all" ] || { echo "nm found no symbols in $1"; exit 1; }
others=$(echo "$all" | grep -vE '_GLOBAL__N_|(CUB|THRUST)_[0-9]+|^_Z[A-Z]*4cuda|^(DW\.ref\.|grid_|Grid_|__asan_|__odr_asan|_init$|_fini$)')
[ -z "$others" ] && { echo "symbols: $(echo "$all" | wc -l), all ours"; exit 0; }
echo "not prefixed:" $others
exit 1
