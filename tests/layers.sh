#!/bin/sh
# Checks the order of the modules: no #include and no symbol reference leads from a module to a later one of the list, and there are no cycles.
# With OBJECTS also that no functions of two or more files call each other in a cycle: then one of them stands in the wrong file.
# Usage: layers.sh SOURCE_DIR [OBJECTS]: OBJECTS is a file with the library's object files, one a line, whose paths end in their sources'
# paths and ".o". tests/layers_planted.sh tests this script.
set -u
source=$1 objects=${2:-}

# The modules: each may use itself and those above it. A folder that is not listed belongs to the one that contains it (dist/matrix/storage: dist/matrix).
# "public": it includes the public headers only, and calls what they declare.
modules='
include
semiring/threads
semiring/support
semiring
semiring/jit
spmat/device
spmat/sort
spmat/vector
spmat/matrix
spmat/convert
spmat
spmat/cpu/kernels
spmat/cpu/arrays
spmat/cpu/vector
spmat/cpu/rows
spmat/cpu/index
spmat/cpu/ewise
spmat/cpu/matrix
spmat/cpu/product
spmat/cpu/mxm
spmat/cpu
spmat/cuda/device
spmat/cuda/jit
spmat/cuda/kernels
spmat/cuda/vector
spmat/cuda/build
spmat/cuda/gather
spmat/cuda/product
spmat/cuda/matrix
spmat/cuda/graph
spmat/cuda/search
spmat/cuda
dist/comm/mpi
dist/comm/transport
dist/grid
dist/comm
dist/outofcore/file
dist/outofcore/sort
dist/outofcore/pages
dist/object
dist/vector
dist/matrix
dist/fields
dist/interchange
dist/extensions/pack
dist/extensions/containers
dist/extensions
dist/checkpoint
dist/io/input
dist/io/text
dist/io/rmat
dist/io/formats
dist/product
dist/product/local
dist/product/exchange
dist/plan
dist/delegates
dist/lookahead
dist/product/mxv
dist/op
dist/outofcore/operations
dist/product/mxm
dist/op/matrix
dist/op/submatrix
dist/op/extensions
dist/op/graph/public_calls
dist/op/graph
dist/order
dist/io/matrix
dist/library
algos public
bench/program public
bench/vertices public
bench/check public
bench/validate public
bench/algorithm public
bench/command public
bench/measure public
bench public
bench/peer public
bench/ops public
examples public
'
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$source" || exit 2

# ---- dependencies: "FILE<tab>FILE IT USES<tab>how", both as paths in the source tree ----

# Includes. A name without a folder is a file of the same folder, or a public header.
find include semiring spmat dist algos bench examples \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.inc' \) 2>"$tmp/none" |
  sort >"$tmp/files"
xargs awk '
  FNR == 1 { folder = FILENAME; sub(/\/[^\/]*$/, "", folder) }
  /^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, part, "\"")
    used = part[2]
    if (used !~ /\//) used = (system("test -f include/" used) == 0 ? "include/" : folder "/") used
    print FILENAME "\t" used "\tincludes it"
  }' <"$tmp/files" >"$tmp/arrows"

# Symbols: from the file with an undefined symbol (U) to the file that defines it.
if [ -n "$objects" ]; then
  xargs nm -A --format=posix <"$objects" 2>"$tmp/none" | awk '
    {
      file = $1
      sub(/:$/, "", file); sub(/\.o$/, "", file); sub(/^.*gridblas[A-Za-z0-9_]*\.dir\/(\.\/)?/, "", file)
      if (file ~ /jit_texts\.c$/) file = "spmat/cuda/jit/jit_texts.c" # cmake/embed.cmake generates these two
      if (file ~ /c_texts\.c$/ && file !~ /jit_texts/) file = "semiring/jit/c_texts.c"
      if ($3 == "U") { takes[++n] = file; name[n] = $2 }
      else if ($3 ~ /[TDBRCVWSGu]/) { gives[$2] = file; is_function[$2] = $3 == "T" }
    }
    END {
      for (k = 1; k <= n; k++) {
        if (!(name[k] in gives)) continue
        print takes[k] "\t" gives[name[k]] "\tuses " name[k]
        if (is_function[name[k]]) print takes[k] "\t" gives[name[k]] "\t" name[k] >calls
      }
    }
  ' calls="$tmp/calls" - >"$tmp/names"
  [ -s "$tmp/names" ] || { echo "no names in the objects that $objects lists"; exit 1; }
  cat "$tmp/names" >>"$tmp/arrows"
fi

# ---- checks ----

: >"$tmp/pairs"
echo "$modules" | awk -v pairs="$tmp/pairs" '
  FILENAME == "-" {
    if ($1 != "") { rank[$1] = ++n; public[$1] = $2 == "public" }
    next
  }
  function module(file,    folder) {
    sub(/\/[^\/]*$/, "", file)
    for (folder = file; !(folder in rank) && sub(/\/[^\/]*$/, "", folder); ) { }
    return folder in rank ? folder : file
  }
  function top_folder(place) { sub(/\/.*$/, "", place); return place }
  function known(place, file) {
    if (!(place in rank) && !said[place]++) { print "no module of the table: " place " (" file ")"; bad = 1 }
    return place in rank
  }
  {
    split($0, field, "\t")
    from = module(field[1]); to = module(field[2])
    if (from == to || !known(from, field[1]) || !known(to, field[2])) next
    name = field[3]; sub(/^uses /, "", name)
    arrow = field[1] " -> " field[2] ": " field[3]
    if (public[from]) {
      # modules of the same program may use those above in the list
      if (top_folder(from) == top_folder(to) && rank[to] < rank[from] && top_folder(from) == "bench") next
      if (to != "include" && name !~ /^(G[rx]B_|Grid_)/) { print "not public: " arrow; bad = 1 }
      next
    }
    print from, to > pairs
    if (rank[to] > rank[from]) { print "an upward dependency: " arrow; bad = 1 }
  }
  END { exit bad }
' - "$tmp/arrows" && bad=0 || bad=1

sort -u "$tmp/pairs" | tsort >"$tmp/sorted" 2>"$tmp/cycle" ||
  { echo "a cycle of modules:" $(sed -n 's/^tsort: \([a-z/]*\)$/\1/p' "$tmp/cycle" | sort -u); bad=1; }

# tsort lists the files of one cycle after the other; of each the calls are printed.
if [ -n "$objects" ]; then
  cut -f 1,2 "$tmp/calls" | sort -u | tsort >"$tmp/sorted" 2>"$tmp/cycle" || {
    bad=1
    awk -F '\t' '
      FILENAME == cycle {
        if (sub(/^tsort: /, "") && / /) { n++; next }
        files[n] = files[n] " " $0; is_in[n, $0] = 1
        next
      }
      { for (k = 1; k <= n; k++) if ((k, $1) in is_in && (k, $2) in is_in) calls[k] = calls[k] "\n  " $1 " -> " $2 ": " $3 }
      END { for (k = 1; k <= n; k++) print "files that call each other in a cycle:" files[k] calls[k] }
    ' cycle="$tmp/cycle" "$tmp/cycle" "$tmp/calls"
  }
fi

[ $bad -eq 0 ] && echo "layers: clean, $(wc -l <"$tmp/arrows") dependencies"
exit $bad
