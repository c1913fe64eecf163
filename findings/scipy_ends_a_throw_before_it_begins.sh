#!/usr/bin/env bash
# SciPy 1.10.1: a terminal event of solve_ivp that is zero where the motion begins ends it there. A ball that is thrown up from the
# floor, and a foot that has just bounced, are at height zero; with direction 0 or 1 the result is one point at time 0, with
# status 1 (a termination event occurred) and success, and a loop that starts anew after each bounce never goes on. With
# direction -1 the flight ends where it lands, after 1.02 s. The page says that events look for zero crossings and that direction 1
# triggers when going from negative to positive, and the height was never negative. kinetree's events of both directions do the
# same, as docs/using.md says.
# Guess, before it was run: at once with direction 0, not with -1 (so it is); of 1 there was no guess.
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
unpack python3-scipy=1.10.1-2 python3-numpy=1:1.24.2-1+deb12u1 python3-decorator=5.1.1-3 libblas3=3.11.0-2 liblapack3=3.11.0-2 \
  libgfortran5=12.2.0-14+deb12u1 liblbfgsb0=3.0+dfsg.4-1
libraries="$folder/root/usr/lib/$(gcc -print-multiarch)"
cat > throw.py <<'X'
from scipy.integrate import solve_ivp
def height(t, state):
    return state[0]
height.terminal = True
for height.direction in 0, 1, -1:
    flight = solve_ivp(lambda t, state: [state[1], -9.81], (0, 2), [0.0, 5.0], events=height)
    print('direction', height.direction, 'status', flight.status, flight.success, 'ends at', round(float(flight.t[-1]), 2))
X
expect "direction 0 status 1 True ends at 0.0
direction 1 status 1 True ends at 0.0
direction -1 status 1 True ends at 1.02" \
  "$(PYTHONPATH=root/usr/lib/python3/dist-packages LD_LIBRARY_PATH=$libraries:$libraries/blas:$libraries/lapack /usr/bin/python3 -W ignore throw.py 2>&1)"
