#!/bin/bash
# Minimizes a random program on which the twins disagree and prints it: what each statement returned, and where they differ.
# Usage: shrink.sh PROCESSES TWIN COMPARE WITNESS SEED   (PROCESSES 0: without mpirun; other settings as in the test's environment)
set -u
processes=$1 twin=$2 compare=$3 witness=$4 seed=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TWIN_DROP='' TWIN_SIZE=${TWIN_SIZE:-} TWIN_ENTRIES=${TWIN_ENTRIES:-}
[ -n "$TWIN_SIZE" ] || unset TWIN_SIZE
[ -n "$TWIN_ENTRIES" ] || unset TWIN_ENTRIES

gridblas() {
  if [ "$processes" -gt 0 ]; then
    timeout 60 "${MPIEXEC:-mpirun}" -n "$processes" "$twin" "$work/gridblas" "$seed" 1 programs
  else
    timeout 60 "$twin" "$work/gridblas" "$seed" 1 programs
  fi
}
# Do they still disagree, or does one crash?
fails() {
  rm -f "$work/gridblas" "$work/reference"
  gridblas >"$work/log" 2>&1 || { tail -n 2 "$work/log" >"$work/differ"; return 0; }
  env -u TWIN_FAIL timeout 60 "$witness" "$work/reference" "$seed" 1 programs >"$work/log" 2>&1
  ! "$compare" "$work/reference" "$work/gridblas" part >"$work/differ" 2>&1
}
# try NAME VALUE: keep the setting if they still disagree
try() {
  local old=${!1-unset}
  export "$1=$2"
  fails && return 0
  if [ "$old" = unset ]; then unset "$1"; else export "$1=$old"; fi
  return 1
}

fails || { echo "program $seed: no difference"; exit 0; }
drop_all() {
  local k
  for k in $(seq 20 -1 0) $(seq 112 -1 100); do
    [[ ",$TWIN_DROP," == *",$k,"* ]] || try TWIN_DROP "${TWIN_DROP:+$TWIN_DROP,}$k"
  done
}
drop_all
for n in 1 2 3 5 9 20 65 130 300; do try TWIN_SIZE $n && break; done
for n in 0 1 2 3 5 8 13 25 60; do try TWIN_ENTRIES $n && break; done
drop_all
fails
echo "program $seed, $processes processes, TWIN_DROP=$TWIN_DROP${TWIN_SIZE:+ TWIN_SIZE=$TWIN_SIZE}${TWIN_ENTRIES:+ TWIN_ENTRIES=$TWIN_ENTRIES}"
# Variables that no statement names are omitted.
awk '
  /^(\/\*|GrB_)/ { line[++n] = $0 }
  END {
    for (k = 1; k <= n; k++) if (line[k] !~ /_(new|build|setElement)\(&?[Avs][0-9]/ || line[k] ~ /^\/\* [0-9]? [0-9]?/) for (m = 0; m < 6; m++) {
      if (line[k] ~ ("[^A-Za-z0-9]A" m "[^0-9]")) used["A" m]; if (line[k] ~ ("[^A-Za-z0-9]v" m "[^0-9]")) used["v" m]; if (line[k] ~ ("[^A-Za-z0-9]s" m "[^0-9]")) used["s" m]
    }
    for (k = 1; k <= n; k++) {
      name = ""
      if (match(line[k], /^(\/\* 1[0-9][0-9] \*\/ )?GrB_[A-Za-z_]*(new|build|setElement)\(&?[Avs][0-9]/)) name = substr(line[k], RSTART + RLENGTH - 2, 2)
      if (name == "" || name in used) print "  " line[k]
    }
  }' "$work/gridblas"
sed -n '/^  /p' "$work/differ" | head -n 12
[ -s "$work/differ" ] && ! grep -q '^  ' "$work/differ" && cat "$work/differ"
exit 0
