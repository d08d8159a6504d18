#!/bin/bash
# The messages of cmake/start.sh and cmake/packages.sh when something is missing, on a simulated machine with links to some of this one's programs: start.sh SOURCE_DIR
set -eu
source=$(realpath "$1")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/bin" "$tmp/project"
cp -r "$source/cmake" "$tmp/project"
for program in sh sed grep date mkdir touch tail cat rm dirname sleep nproc gcc as cmake ninja; do
  at=$(command -v $program) || continue
  ln -s "$at" "$tmp/bin/$program"
done
printf '#!/bin/sh\necho 1000\n' >"$tmp/bin/id"                # not root,
printf '#!/bin/sh\nexit 1\n' >"$tmp/bin/dpkg-query"           # no package installed,
printf '#!/bin/sh\nexit 1\n' >"$tmp/bin/apt-get"              # no network,
chmod +x "$tmp"/bin/{id,dpkg-query,apt-get}                   # no sudo, no mpicc, no mpirun
start() { # STATUS: the expected exit status; the output is in out
  status=0
  env -i PATH="$tmp/bin" "$tmp/project/cmake/start.sh" "${@:2}" >"$tmp/out" 2>&1 </dev/null || status=$?
  [ "$status" -eq "$1" ] || { cat "$tmp/out"; echo "FAILED: status $status, not $1"; exit 1; }
}
says() { grep -qF "$1" "$tmp/out" || { cat "$tmp/out"; echo "FAILED: does not say: $1"; exit 1; }; }

echo "== no root, no sudo, no MPI"
start 1
says "not root, and no sudo; missing: gcc "
says "cannot build without these Debian packages: libopenmpi-dev openmpi-bin"
[ ! -e "$tmp/project/build/release" ] || { echo "FAILED: it configures anyway"; exit 1; }

echo "== sudo, but no network"
# shellcheck disable=SC2016
printf '#!/bin/sh\n[ "$1" != -n ] || shift\nexec "$@"\n' >"$tmp/bin/sudo"
chmod +x "$tmp/bin/sudo"
start 1
says "not installed"
says "apt-get install --no-install-recommends libopenmpi-dev openmpi-bin"

echo "== an option that there is not"
start 2 --cdua
says "no such option: --cdua"

echo "== the settings of a folder with an awkward name"
mkdir "$tmp/it's a \$folder"
"$source/cmake/env.sh" "$tmp/it's a \$folder" >"$tmp/env.sh"
found=$(PATH=/usr/bin sh -c '. "$1" && echo "$PATH"' sh "$tmp/env.sh")
[ "$found" = "$tmp/it's a \$folder:/usr/bin" ] || { echo "FAILED: PATH is $found"; exit 1; }

echo "== a terminal sees how far the build is, and what stopped it"
command -v script >/dev/null || { echo "skipped: no script to open a terminal (Debian: bsdutils)"; exit 77; }
printf '#!/bin/sh\nexit 0\n' | tee "$tmp/bin/mpirun" >"$tmp/bin/mpicc"
rm "$tmp/bin/cmake"
cat >"$tmp/bin/cmake" <<'E_CMAKE'
#!/bin/sh
[ "$1" = --build ] || exit 0
echo "[3/9] Building C object a.o"
sleep 1.5
echo "a.c:7: error: a planted one"
exit 1
E_CMAKE
chmod +x "$tmp"/bin/{mpirun,mpicc,cmake}
script -qec "env -i PATH='$tmp/bin' '$tmp/project/cmake/start.sh'" /dev/null >"$tmp/out" </dev/null && { echo "FAILED: a build that stopped passes"; exit 1; }
says "the library and the program ... [3/9]"
says "a planted one"
says "build failed; all of its output: "
