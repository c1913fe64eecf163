#!/usr/bin/env bash
# Installs a build into a fresh prefix, then configures, builds and runs the consumer against it.
# usage: run.sh BUILD_FOLDER SOURCE_FOLDER CXX_COMPILER EIGEN_FOLDER CXX_FLAGS
set -euo pipefail
build=$1 source=$2 compiler=$3 eigen=$4 flags=${5:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"
"$source/readme.sh" "$source/../../README.md" "$work"
cmake -S "$source" -B "$work/build" -DREADME="$work" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_BUILD_TYPE=Release
cmake --build "$work/build"
"$work/build/consumer" "$source/pendulum.yaml"
# the other readers where this build has them: a static io library brings their libraries along
readers=$(find "$work/prefix" -name kinetree_io.cmake -exec cat {} +)
[[ $readers != *mujoco* ]] || "$work/build/consumer" "$source/pendulum.xml"
[[ $readers != *sdformat* ]] || "$work/build/consumer" "$source/pendulum.sdf"
"$work/build/engine_only"
# README's example drops a robot: whatever it prints beside 0 0 -9.81 and zeros is wrong
answer=$(cd "$source" && "$work/build/simulator")
[[ $answer != *nan* ]] && awk '{good = NF == 8; for (k = 1; k <= NF; ++k) {off = $k - (k == 3 ? -9.81 : 0); good = good && off < 1e-12 && off > -1e-12}
      exit !good}' <<<"$answer" || { echo "README's example prints $answer" >&2; exit 1; }
[[ ! -e "$work/build/host" ]] || "$work/build/host" "$work/build/libplugin.so" "$source/pendulum.yaml"
find "$work/prefix/share" -path "*/doc/kinetree/LICENSE" -size +1k | grep -q . || { echo "LICENSE is not installed" >&2; exit 1; }
# each header compiles alone, with what the package asks for and nothing beside it
find "$work/prefix/include" -name '*.hpp' -print0 | xargs -0 -P2 -n1 "$compiler" -std=c++20 -x c++ -fsyntax-only -Wno-pragma-once-outside-header \
  -I"$work/prefix/include" -isystem "$eigen"
# no header may stand on the source tree: nothing installed names it
if grep -rIl "$(cd "$source/../.." && pwd)" "$work/prefix/include" "$work/prefix"/lib*/cmake; then
  echo "installed files name the source tree" >&2
  exit 1
fi
