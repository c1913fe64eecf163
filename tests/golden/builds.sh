# Sourced by `compare` and `time`: the commits in question, and their builds under build/commits/.
shopt -s inherit_errexit
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
root=$PWD

# COMMIT: its full name; it must have these programs
commit_named() {
  local name
  name=$(git rev-parse --verify --quiet "$1^{commit}") || { echo "no commit is called $1" >&2; return 2; }
  git cat-file -e "$name:tests/golden/golden.cpp" 2>/dev/null || {
    echo "commit $1 has no tests/golden: compare commits that came after it" >&2
    return 2
  }
  echo "$name"
}

# COMMIT exact|shipped TARGET...: builds there and prints the folder. exact: products and sums are never fused, so that
# the same expression gives the same bits however it is inlined.
build() {
  local tree=$root/build/commits/$1 folder contract=ON
  [[ $2 == shipped ]] || contract=OFF
  folder=$tree/build/$2
  [[ -d $tree ]] || git worktree add --quiet --detach "$tree" "$1" >&2
  cmake -S "$tree" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="${CXX:-g++}" \
    -DKINETREE_TOOLS=OFF -DKINETREE_SKO=OFF -DKINETREE_CONTRACT=$contract >&2
  cmake --build "$folder" -j"${KINETREE_JOBS:-2}" --target "${@:3}" >&2
  echo "$folder/tests/golden"
}

# the instruction sets that run here
sets() {
  echo baseline
  if grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo; then echo avx2; fi
  if grep -qw avx512vl /proc/cpuinfo && grep -qw avx512dq /proc/cpuinfo; then echo avx512; fi
}
