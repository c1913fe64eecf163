#!/usr/bin/env bash
# usage: command.sh MPIEXEC KINETREE [--long]: the command over ranks, as a user starts it. Prints what is wrong, and fails.
set -uo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
sources="$here/../.."
mpiexec="$1" kinetree="$2"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export XDG_CACHE_HOME="$folder/cache"
failed=0
wrong() { echo "command.sh: $*"; cat err; failed=1; }
on() { "$here/on_ranks.sh" "$mpiexec" "$@" > out 2> err; }
# the numbers of a list in a JSON file: accelerations of all states
accelerations() { tr -d '\n ' < "$1" | sed 's/.*"accelerations":\[\(.*\)\],"residuals".*/\1/'; }

cat > states.json <<'END'
{"states": [{"q": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8], "v": [1, 0, -1, 2, 0, 0, 1, 0], "tau": [0, 1, 0, 0, 1, 0, 0, 1]},
            {"q": [0.5, 0.1, 0.3, 0.2, 0.5, 0.6, 0.1, 0.8], "v": [1, 0, -1, 0, 0, 0, 1, 0]},
            {"q": [0, 0, 0, 0, 0, 0, 0, 0]}]}
END
# two modules in one process are the shares of two ranks: equal to the last bit
modular=(solve chain:8 --states states.json --algorithm modular --grain 4)
"$kinetree" "${modular[@]}" > one 2> err || wrong "solve in one process"
on 2 "$kinetree" "${modular[@]}" || wrong "solve over ranks"
grep -q '"ranks": 2' out || wrong "the output does not tell the ranks"
[ "$(grep -c '"accelerations"' out)" = 1 ] || wrong "more than one rank prints"
[ -n "$(accelerations one)" ] && [ "$(accelerations one)" = "$(accelerations out)" ] || wrong "accelerations differ from one process's"
# states shared out: the bits of one process at any number of ranks, three included, where a rank has one state
"$kinetree" solve chain:8 --states states.json --lanes 0 > one 2> err || wrong "solve side by side"
for ranks in 2 3; do
  on $ranks "$kinetree" solve chain:8 --states states.json --lanes 0 || wrong "solve side by side over $ranks ranks"
  [ "$(accelerations one)" = "$(accelerations out)" ] || wrong "states over $ranks ranks differ from one process's"
done
# errors are told once, by rank 0, and every rank ends
expect() {  # status, words, command...
  local status="$1" words="$2"
  shift 2
  on "$@"
  local got=$?
  [ $got = "$status" ] || wrong "$* ended with $got"
  [ "$(grep -c -- "$words" err)" = 1 ] || wrong "$*: \"$words\" is not said once"
}
expect 1 "does not exist" 2 "$kinetree" solve missing.yaml --states states.json
expect 2 "replay" 2 "$kinetree" solve chain:8 --states states.json --replay one
expect 1 "shares for 1 of 2 ranks" 2 "$kinetree" solve chain:8 --states states.json --algorithm ab
expect 0 "on one rank" 2 "$kinetree" info chain:8
expect 1 "states is a list" 2 "$kinetree" sweep states.json --out no

# a rank 0 that has a part of the processors measures no machine
cat > bound.sh <<'END'
#!/usr/bin/env bash
first="$(sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status)"
[ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}" = 0 ] && exec taskset -c "$first" "$@"
exec "$@"
END
chmod +x bound.sh
[ "$(nproc)" = 1 ] || expect 2 "bound this rank to 1 of" 2 ./bound.sh "$kinetree" calibrate --out no

cat > sweep.yaml <<'END'
name: ranks
repetitions: 5
seconds: 1e-4
states: 4
runs:
  - {name: strong, kind: strong, models: ["chain:60", "tree:2x6"], algorithms: [ab, crb, modular], ranks: [1, 2, 4], executors: [team, serial]}
  - {name: weak, kind: weak-bodies, models: ["tree:2x5"], algorithms: [ab], ranks: [1, 2]}
  - {name: batch, kind: batch, models: ["chain:8"], algorithms: [ab], ranks: [1, 2], threads: [1, 2], batch: 6}
END
on 2 "$kinetree" sweep sweep.yaml --out swept
[ $? = 3 ] || wrong "a chain that ab can't part is a case that fails"
grep -q "cases on more than 2 ranks are left out" err || wrong "cases on 4 ranks are left out without a word"
grep -q "crb is left out over ranks" err || wrong "crb is left out without a word"
for file in results.json results.csv report.html; do [ -s swept/$file ] || wrong "there is no $file"; done
# of each model and algorithm a time over ranks, checked against the answers of 60 digits
for case in '"chain:60",[^,]*,[^,]*,"modular"' '"tree:2x6",[^,]*,[^,]*,"ab"' '"tree:2x6",[^,]*,[^,]*,"automatic"' '"chain:8",[^,]*,[^,]*,"ab"'; do
  grep -Eq "^$case,.*,1,2,2," swept/results.csv || wrong "no time of $case over 2 ranks"
done
grep -Eq '^"tree:2x6",[^,]*,.*weak-bodies' swept/results.csv || wrong "no weak scaling"
grep -q '"messages within a machine"' swept/results.json || wrong "the context does not tell of messages"
# a sweep that asks for ranks runs without mpirun, too, and says what it leaves out
"$kinetree" sweep sweep.yaml --only strong --dry-run > out 2> err || wrong "dry run"
grep -q "start the command by mpirun -n 4" err || wrong "it is not said how to get ranks"

on 2 "$kinetree" study "$sources/configs/models/quadruped.yaml" --floating --seconds 1 --out studied || wrong "study"
grep -q "And over ranks of MPI?" out || wrong "the study does not answer for ranks"
grep -q '"rank_predictions"' studied/results.json || wrong "the study predicts nothing over machines"
calibration=("$sources"/bench/results/*-ranks/calibration.txt)
if [ "${3:-}" = --long ]; then
  on 2 "$kinetree" calibrate --readings 2 --force --out calibration.txt || wrong "calibrate"
  grep -Eq "messages_within_bandwidth [0-9.]*[1-9]" calibration.txt || wrong "no messages in the calibration"
  calibration=calibration.txt
fi
"$kinetree" predict "chain:{1000,2000}" --ranks 1,2,64 --network infiniband --calibration "${calibration[0]}" > out 2> err || wrong "predict"
grep -q "ranks from about\|do not pay" out || wrong "it is not said from how many bodies ranks pay"
"$kinetree" predict chain:1000 --ranks 1,2 --calibration "${calibration[0]}" > out 2> err
[ $? = 2 ] && grep -q -- "--network" err || wrong "messages between machines are made up"
exit $failed
