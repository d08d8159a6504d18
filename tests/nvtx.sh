#!/bin/bash
# NVTX ranges for a profiler: tests/nvtx.sh PROGRAM SPY (see program_run.sh, nvtx_spy.c). They are named like calls and algorithms, nested and balanced;
# there are none unless the burble is on. Needs CUDA in the build, but no GPU.
spy=$(realpath "$2")
. "$(dirname "$0")/program_run.sh"
export NVTX_INJECTION64_PATH=$spy
ranges() { # KIND: the ranges of a search
  NVTX_SPY=$work/$1 GRIDBLAS_BURBLE=$2 good 0 pagerank rmat:8
}
ranges marks nvtx
holds "as many ends as beginnings" is "$(grep -c '^begin' marks)" "$(grep -c '^end' marks)"
holds "the algorithm is one" is "$(grep -c '^begin Grid_pagerank$' marks)" 1
holds "its products lie in it" awk '/^begin/ { depth++; if ($2 == "Grid_pagerank") at = depth; if ($2 ~ /^GrB_(mxv|vxm)$/ && at && depth > at) found++ }
  /^end/ { if (depth == at) at = 0; depth-- } END { exit !(found > 3) }' marks
holds "nothing else is printed" is "$(cat err)" ""
ranges traced trace:$work/trace.json
holds "a trace makes the same ones" diff <(grep -v '^mark' marks) <(grep -v '^mark' traced)
holds "and steps are marked" grep -q '^mark local' traced
NVTX_SPY=$work/none good 0 pagerank rmat:8
holds "none unless asked for" is "$(cat none 2>/dev/null)" ""
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
