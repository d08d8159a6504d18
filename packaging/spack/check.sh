#!/bin/bash
# Checks package.py by Spack: style, audit, concretizing with several variants. Needs PyPI, and the two repositories on this machine.
# Usage: packaging/spack/check.sh WORK_FOLDER SPACK SPACK_PACKAGES
#   SPACK, SPACK_PACKAGES  clones of github.com/spack/spack (1.0 or later) and github.com/spack/spack-packages
# WORK_FOLDER gets a virtual environment with clingo, and all that Spack writes.
set -eu
source=$(realpath "$(dirname "$0")/../..")
[ $# -ge 3 ] || { sed -n 's/^# \(Usage:.*\)/\1/p' "$0" >&2; exit 2; }
mkdir -p "$1"
work=$(realpath "$1") spack=$(realpath "$2") packages=$(realpath "$3") repository=$work/spack_repo/gridblas
[ -x "$work/venv/bin/ruff" ] || { /usr/bin/python3 -m venv "$work/venv" && "$work/venv/bin/pip" install -q clingo archspec ruff; }
mkdir -p "$repository/packages/gridblas" "$work/home" "$work/config"
printf 'repo:\n  namespace: gridblas\n  api: v2.2\n' >"$repository/repo.yaml"
sed "s|file:///CHECKOUT|file://$source|; /^# ruff:/d" "$source/packaging/spack/package.py" >"$repository/packages/gridblas/package.py"
printf 'repos::\n  gridblas: %s\n  builtin: %s\n' "$repository" "$packages/repos/spack_repo/builtin" >"$work/config/repos.yaml"
export HOME=$work/home SPACK_PYTHON=$work/venv/bin/python SPACK_DISABLE_LOCAL_CONFIG=1 SPACK_USER_CACHE_PATH=$work/cache
spack() { "$spack/bin/spack" -C "$work/config" "$@"; }

echo "== Spack $(spack --version)"
(cd "$work" && venv/bin/ruff check --no-fix --config "$packages/pyproject.toml" spack_repo && venv/bin/ruff format --check --config "$packages/pyproject.toml" spack_repo)
spack audit packages gridblas
spack audit packages-https gridblas
for spec in gridblas "gridblas ~mpi~hdf5" "gridblas +python+metis ^mpich" "gridblas +cuda cuda_arch=90" "gridblas +cuda~mpi cuda_arch=80,100"; do
  echo "== $spec"
  # shellcheck disable=SC2086
  spack spec $spec >"$work/spec" 2>&1 || { cat "$work/spec"; exit 1; }
  grep -E ' \^?(gridblas|cuda|nccl|hdf5|metis|python|mpich|openmpi)@' "$work/spec" | cut -c 1-150
done
if spack spec "gridblas +cuda" >"$work/spec" 2>&1; then echo "+cuda without cuda_arch is accepted"; exit 1; fi
