#!/bin/sh
# No include climbs the layers: include <- semiring <- spmat <- dist; algos, bench and examples see the public headers only.
# Usage: layers.sh SOURCE_DIR
cd "$1" || exit 2
bad=0

# climbs FOLDER 'FORBIDDEN|FOLDERS'
climbs() {
  [ -d "$1" ] || return
  if grep -rnE --include='*.[ch]' --include='*.cu' --include='*.cuh' --include='*.inc' \
       "^[[:space:]]*#[[:space:]]*include[[:space:]]*[\"<]([^\">]*/)?($2)/" "$1"; then
    echo "^ $1/ may not include from: $2"
    bad=1
  fi
}
climbs include 'semiring|spmat|dist|algos|bench|tests'
climbs semiring 'spmat|dist|algos|bench|tests'
climbs spmat 'dist|algos|bench|tests'
climbs dist 'algos|bench|tests'
climbs algos 'semiring|spmat|dist|bench|tests'
climbs bench 'semiring|spmat|dist|algos|tests'
climbs examples 'semiring|spmat|dist|algos|bench|tests'

[ $bad -eq 0 ] && echo "layers: clean"
exit $bad
