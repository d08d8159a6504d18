#!/bin/sh
# Counts the library's mutable objects of static storage, those within functions too: symbols in the data and bss sections of its object files.
# Not counted: those of which each context has its own (section grid_context, semiring/threads/context_section.h), the predefined objects of GraphBLAS, and what nvcc and CUDA's headers add. Usage: mutable_objects.sh OBJECTS [MOST]: OBJECTS is a file
# with object files, one a line. Lists them where there are more than MOST, or MOST is not given.
set -u
objects=${1:?usage: mutable_objects.sh OBJECTS [MOST]} most=${2:-0}
command -v objdump >/dev/null || { echo "skipped: no objdump"; exit 77; }
list=$(xargs objdump -t <"$objects" | awk '
  / file format / { file = $1; sub(/:$/, "", file); sub(/\.o$/, "", file); sub(/^.*gridblas[A-Za-z0-9_]*\.dir\/(\.\/)?/, "", file) }
  $0 !~ / O \.t?(bss|data)/ || /\.data\.rel\.ro/ { next }
  $NF ~ /^(G[rx]B|Grid|grid_(binary|unary|index|monoid|semiring|type|desc)[A-Za-z]*|object|desc|index|identity|terminal|semiring|unary|monoid|binary)_[A-Z]/ { next }
  $NF ~ /device_stub|cudaFatCubin|^DW\.ref|N3cub|__ioinit|nvtxGlobals|InjectionNvtx/ { next } # of nvcc, C++ and headers of CUDA
  { print file "\t" $NF }' | sort)
n=$(echo "$list" | grep -c .)
[ "$n" -le "$most" ] || echo "$list"
echo "$n mutable objects of static storage"
[ "$n" -gt 0 ] || exit 1 # none at all: the list or its files are not what they should be
[ "$most" -eq 0 ] || [ "$n" -le "$most" ]
