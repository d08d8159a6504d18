#!/bin/bash
# bench/cluster.sh: a search on three hosts is correct, a failure is passed on, and nothing remains of the hosts. Usage: cluster.sh CLUSTER GRIDBLAS
set -u
cluster=$1 gridblas=$2
before=$(ip -o link 2>&1; ip netns 2>&1)
out=$("$cluster" 3 100mbit "$gridblas" graph500 --scale 10 --roots 4 2>&1)
rc=$?
[ $rc -ne 77 ] || { echo "$out"; exit 77; }
[ $rc -eq 0 ] && echo "$out" | grep -q '^median_TEPS:' || { echo "$out"; echo "a search on three hosts: exit status $rc"; exit 1; }
! "$cluster" 2 100mbit false >/dev/null 2>&1 || { echo "a command's failure was lost"; exit 1; }
after=$(ip -o link 2>&1; ip netns 2>&1)
[ "$before" = "$after" ] || { echo "left behind:"; diff <(echo "$before") <(echo "$after"); exit 1; }
echo "clean"
