#!/usr/bin/env bash
# exports.sh NM OBJECT SET: the object of an instruction set shows the linker its two factories and nothing else, so that
# no inline function compiled for it can stand in for one compiled for every processor.
set -euo pipefail
shown=$("$1" --extern-only --defined-only --format=posix "$2" | cut -d' ' -f1 | sort | tr '\n' ' ')
expected="_ZN8kinetree5inner5lanes$((${#3} + 11))make_$3_floatERKNS1_5OrderE _ZN8kinetree5inner5lanes$((${#3} + 12))make_$3_doubleERKNS1_5OrderE "
[[ "$shown" == "$(tr ' ' '\n' <<< "${expected% }" | sort | tr '\n' ' ')" ]] || { echo "$2 shows $shown; expected $expected"; exit 1; }
echo "$2 shows its factories alone"
