#!/usr/bin/env bash
# Installs a build into a fresh prefix, then builds and runs programs against it: by CMake, and by pkg-config alone.
# usage: run.sh BUILD_FOLDER SOURCE_FOLDER CXX_COMPILER EIGEN_FOLDER CXX_FLAGS
set -euo pipefail
build=$1 source=$2 compiler=$3 eigen=$4 flags=${5:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"
library=$(dirname "$(find "$work/prefix" -name 'libkinetree.*' | head -n1)")

# PROGRAM MODULE...: built with what pkg-config says and nothing beside it, for this processor, and run
by_pkg_config() {
  # shellcheck disable=SC2046,SC2086
  "$compiler" -std=c++20 -O1 -march=native $flags "$source/$1.cpp" -o "$work/$1" $(pkg-config --cflags --libs "${@:2}") &&
    LD_LIBRARY_PATH=$library "$work/$1" "$source/pendulum.yaml"
}
programs() {
  by_pkg_config native kinetree-simulation kinetree-io &&
    { [[ ! -e $library/pkgconfig/kinetree-sko.pc ]] || by_pkg_config operators kinetree-sko; }
}
if [[ $flags != *-fsanitize=* ]] && command -v pkg-config >/dev/null; then
  export PKG_CONFIG_PATH=$library/pkgconfig
  programs &>"$work/programs.log" &
  beside=$!
fi

"$source/readme.sh" "$source/../../README.md" "$work"
cmake -S "$source" -B "$work/build" -DREADME="$work" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_BUILD_TYPE=Release
cmake --build "$work/build"
"$work/build/consumer" "$source/pendulum.yaml"
# the other readers where this build has them: a static io library brings their libraries along
readers=$(cat "$library/pkgconfig/kinetree-io.pc")
[[ $readers != *assimp* ]] || "$work/build/consumer" "$source/pendulum.xml"
[[ $readers != *sdformat* ]] || "$work/build/consumer" "$source/pendulum.sdf"
"$work/build/engine_only"
# of an archive it links what it calls: neither floats nor other functions (all are 22 MB)
if [[ $flags != *-fsanitize=* && -e $library/libkinetree.a ]] && (($(stat -c %s "$work/build/engine_only") > 12000000)); then
  echo "a program of doubles links $(stat -c %s "$work/build/engine_only") bytes" >&2
  exit 1
fi
[[ ! -x $work/build/ranks ]] || "$source/../mpi/on_ranks.sh" mpiexec 2 "$work/build/ranks"
# README's example drops a robot: whatever it prints beside 0 0 -9.81 and zeros is wrong
answer=$(cd "$source" && "$work/build/simulator")
[[ $answer != *nan* ]] && awk '{good = NF == 8; for (k = 1; k <= NF; ++k) {off = $k - (k == 3 ? -9.81 : 0); good = good && off < 1e-12 && off > -1e-12}
      exit !good}' <<<"$answer" || { echo "README's example prints $answer" >&2; exit 1; }
for plugin in "$work"/build/lib*plugin.so; do
  "$work/build/host" "$plugin" "$source/pendulum.yaml"
done
if [[ -n ${beside:-} ]] && ! wait "$beside"; then
  cat "$work/programs.log" >&2
  exit 1
fi
# no inline function of Eigen's is seen from outside: none can stand in for a program's own, nor be stood in for
if [[ $flags != *-fsanitize=* ]] && nm --extern-only --defined-only "$library"/libkinetree* 2>/dev/null | grep -E ' _ZNK?5Eigen'; then
  echo "the library shows these" >&2
  exit 1
fi
"$source/command.sh" "$work/prefix"
find "$work/prefix/share" -path "*/doc/kinetree/LICENSE" -size +1k | grep -q . || { echo "LICENSE is not installed" >&2; exit 1; }
# each header compiles alone, with what the package asks for and nothing beside it
compile=("$compiler" -std=c++20 -x c++ -fsyntax-only -Wno-pragma-once-outside-header -I"$work/prefix/include" -isystem "$eigen")
# Eigen takes most of the time. Precompiled it hides nothing from headers that bring it along, by themselves or by others.
echo '#include <Eigen/Core>' >"$work/eigen.hpp"
"$compiler" -std=c++20 -x c++-header -isystem "$eigen" "$work/eigen.hpp" -o "$work/eigen.hpp.gch"
bring='' by='<Eigen/'
while found=$(grep -rlE "^#include ($by)" --include='*.hpp' "$work/prefix/include" | sort) && [[ $found != "$bring" ]]; do
  bring=$found by="<Eigen/|<($(sed "s|^$work/prefix/include/||" <<<"$found" | paste -sd '|'))>"
done
grep -vE '/kinetree/(mpi|sko)/' <<<"$bring" | xargs -P2 -n1 "${compile[@]}" -include "$work/eigen.hpp"
find "$work/prefix/include" -name '*.hpp' -not -path '*/kinetree/mpi/*' -not -path '*/kinetree/sko/*' | sort |
  comm -23 - <(echo "$bring") | xargs -P2 -n1 "${compile[@]}"
if [[ -d $work/prefix/include/kinetree/sko ]]; then
  # One precompiled header holds Eigen and Boost: without it they were compiled once a header. So this does not notice a
  # header that forgets to include Eigen, Boost, or a standard header that they include.
  grep -E '^#(include <(Eigen|boost)/|pragma GCC visibility)' "$work/prefix/include/kinetree/sko/matrix.hpp" >"$work/first.hpp"
  "$compiler" -std=c++20 -x c++-header -I"$work/prefix/include" -isystem "$eigen" "$work/first.hpp" -o "$work/first.hpp.gch"
  find "$work/prefix/include/kinetree/sko" -name '*.hpp' -print0 | xargs -0 -P2 -n1 "${compile[@]}" -include "$work/first.hpp"
fi
if [[ -d $work/prefix/include/kinetree/mpi ]]; then
  # shellcheck disable=SC2046
  find "$work/prefix/include/kinetree/mpi" -name '*.hpp' -print0 | xargs -0 -P2 -n1 "${compile[@]}" $(pkg-config --cflags-only-I kinetree-mpi)
fi
# no header may stand on the source tree: nothing installed names it
if grep -rIl "$(cd "$source/../.." && pwd)" "$work/prefix/include" "$library"/cmake "$library"/pkgconfig; then
  echo "installed files name the source tree" >&2
  exit 1
fi
