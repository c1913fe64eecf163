#!/usr/bin/env bash
# The figures of a small sweep as files, made by its page in a browser (exit status 77 where there is none): data beside
# results.csv, marks where logarithms put them, and pictures and LaTeX that other programs read where these are installed.
# Then those of its comparison with results that are twice as slow.
# usage: figures.sh KINETREE SOURCE
set -euo pipefail
kinetree="$1" source="$2"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cat > "$work/sweep.yaml" <<END
repetitions: 6
seconds: 1e-5
states: 4
runs:
  - {name: sizes, models: ["chain:{4,16,64}"], algorithms: [ab], count: true}
  - {name: threads, kind: strong, models: [{model: "tree:2x4", name: 'a_b & 50% <c> #1 \$^~{\\'}], algorithms: [ab, cfa], threads: [1, 2], span: true}
END
"$kinetree" sweep "$work/sweep.yaml" --out "$work/report" 2> "$work/said" || { cat "$work/said" >&2; exit 1; }
"$source/bench/figures" "$work/report/report.html" "$work/files"
cd "$work/files"

name=time-per-body-against-the-number-of-bodies-chains
# series,bodies,ns per body,low,high,... beside the columns of results.csv
awk -F, 'FNR == 1 { file++; for (k = 1; k <= NF; ++k) column[file, $k] = k; next }
  file == 1 && $column[1, "run"] ~ /sizes/ {
    n = $column[1, "bodies"]
    y[n] = $column[1, "ns_per_body"]; low[n] = $column[1, "low_ns"] / n; high[n] = $column[1, "high_ns"] / n
    holds[n] = $column[1, "holds"]
  }
  function differ(a, b) { return (a - b)^2 > 1e-10 * b^2 }
  file == 2 {
    seen++
    if ($1 != "ab" || differ($2, 4^seen) || differ($3, y[$2]) || differ($4, low[$2]) || differ($5, high[$2]) || $6 != holds[$2]) {
      print "not as in results.csv: " $0; failed = 1
    }
  }
  END { if (seen != 3) { print seen " points, not 3"; failed = 1 } exit failed }' "$work/report/results.csv" "$name.csv"
# its three marks: sizes grow fourfold, so they stand in equal steps; heights go with the logarithms of the times
awk -F'[,"]' 'FNR == NR { if (FNR > 1) l[FNR - 1] = log($3); next }
  /^<circle/ { marks++; x[marks] = $2; y[marks] = $4 }
  END {
    step = x[2] - x[1]
    bent = (y[2] - y[1]) * (l[3] - l[2]) - (y[3] - y[2]) * (l[2] - l[1])
    if (marks != 4 || step < 50 || (x[3] - x[2] - step)^2 > 0.001 || bent^2 > 0.01 || (y[2] - y[1]) * (l[2] - l[1]) > 0) {
      print marks " marks at " x[1] " " x[2] " " x[3] ", " y[1] " " y[2] " " y[3]; exit 1
    }
  }' "$name.csv" "$name.svg"

# the bounds of tasks that were timed: the fastest serial over the least that a plan needs on two threads
awk -F, 'FNR == 1 { file++; for (k = 1; k <= NF; ++k) column[file, $k] = k; next }
  file == 1 && $column[1, "work_ns"] > 0 {
    half = $column[1, "work_ns"] / 2; serial = $column[1, "serial_ns"]
    burdened = serial / (half + $column[1, "burdened_span_ns"] / 2); if (burdened > bound["burdened bound"]) bound["burdened bound"] = burdened
    brent = serial / (half + $column[1, "span_ns"] / 2); if (brent > bound["Brent'"'"'s bound"]) bound["Brent'"'"'s bound"] = brent
    spans++
  }
  file == 2 && sub(/^tasks timed: /, "") && $2 == 2 && ($1 in bound) {
    seen++
    if (($3 - bound[$1])^2 > 1e-8 * $3^2) { print "not by results.csv: " $0 ", " bound[$1]; failed = 1 }
  }
  END { if (seen != 2 || spans != 2) { print seen " bounds of " spans " plans, not 2"; failed = 1 } exit failed }' \
  "$work/report/results.csv" <(cat speedup-and-efficiency-against-threads-*-speedup.csv)

# every time twice as long: what the comparison's page shows are those of results.csv, their doubles and 2
awk '/^ +"(median|low|high)_ns": / { sub(",", "", $2); printf "%s %.17g,\n", $1, 2 * $2; next } 1' "$work/report/results.json" > "$work/slow.json"
"$kinetree" compare "$work/report" "$work/slow.json" --html "$work/compared.html" > "$work/said" 2>&1 || { cat "$work/said" >&2; exit 1; }
"$source/bench/figures" "$work/compared.html" "$work/compared"
awk -F, 'FNR == 1 { file++; for (k = 1; k <= NF; ++k) column[file, $k] = k; next }
  $1 !~ /chain:/ { next }
  file == 1 { gsub("\"", "", $1); ns[$1] = $column[1, "median_ns"] }
  function differ(a, b) { return (a - b)^2 > 1e-10 * b^2 }
  file == 2 {
    seen++
    if (differ($column[2, "before_ns"], ns[$1]) || differ($column[2, "after_ns"], 2 * ns[$1]) || differ($column[2, "ratio"], 2)) {
      print "not twice results.csv: " $0; failed = 1
    }
  }
  file == 3 { bars++; sub(/^"[^"]*"/, ""); if (differ($2, 2)) { print "a bar that is not at 2: " $0; failed = 1 } }
  END { if (seen != 3 || bars != 3) { print seen " rows and " bars " bars, not 3"; failed = 1 } exit failed }' \
  "$work/report/results.csv" "$work/compared/all-cases-table.csv" "$work/compared/after-over-before-by-mechanism-mechanisms-of-one-case-each.csv"
for file in "$work"/compared/after-*; do cp "$file" "compared-${file##*/}"; done

for file in *.csv; do
  [[ -s ${file%.csv}.svg && -s ${file%.csv}.tex ]] || { echo "$file stands alone"; exit 1; }
done
if type -P xmllint > /dev/null; then xmllint --noout ./*.svg; fi
if type -P pdflatex kpsewhich > /dev/null && kpsewhich pgfplots.sty > /dev/null; then
  {
    echo '\documentclass{article}\usepackage{pgfplots}\pgfplotsset{compat=1.16}\begin{document}'
    printf '\\input{%s}\n\n' ./*.tex
    echo '\end{document}'
  } > "$work/all.tex"
  pdflatex -halt-on-error -interaction=nonstopmode -output-directory="$work" "$work/all.tex" > "$work/said" 2>&1 ||
    { grep -A4 '^!' "$work/said"; exit 1; }
fi
