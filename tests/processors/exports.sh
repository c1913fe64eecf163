#!/usr/bin/env bash
# exports.sh NM OBJECT SET: the object of an instruction set shows the linker its six factories and nothing else, so that
# no inline function compiled for it can stand in for one compiled for every processor.
set -euo pipefail
shown=$("$1" --extern-only --defined-only --format=posix "$2" | cut -d' ' -f1 | sort | tr '\n' ' ')
expected=$(for of in float double float_function double_function float_derivatives double_derivatives; do
  name=make_$3_$of
  echo "_ZN8kinetree5inner5lanes${#name}${name}ERKNS1_5OrderE"
done | sort | tr '\n' ' ')
[[ "$shown" == "$expected" ]] || { echo "$2 shows $shown; expected $expected"; exit 1; }
echo "$2 shows its factories alone"
