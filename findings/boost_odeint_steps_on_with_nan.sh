#!/usr/bin/env bash
# Boost.Odeint 1.74: a controlled stepper accepts a step whose rates are NaN. The norm of the error is taken by std::max,
# which gives back its first argument beside a NaN, so the error is zero, the step is accepted and the next one grows.
# integrate_adaptive returns as after success, in fewer steps than a right motion takes. Its page on controlled steppers
# says that a step is rejected where the error is larger than the tolerance, with no word of NaN; Bulirsch and Stoer's
# stepper, with an error estimate of its own, does the same. Guess, before it was run: the first three accept it; of the fourth
# there was no guess. kinetree looks at each rate itself and names time and joint.
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
unpack libboost1.74-dev=1.74.0+ds1-21
build program -w <<'X'
#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <cstdio>
#include <vector>
using State = std::vector<double>;
namespace o = boost::numeric::odeint;
template <class Stepper>
void run(const char* name, Stepper stepper) {
  State x{1};
  const auto rate = [](const State& x, State& rate, double t) { rate = {t < 0.5 ? -x[0] : std::nan("")}; };
  const auto steps = o::integrate_adaptive(stepper, rate, x, 0.0, 1.0, 0.01);
  std::printf("%s: fewer than 20 steps: %d, NaN at the end: %d, no exception\n", name, steps < 20, std::isnan(x[0]));
}
int main() {
  run("dopri5", o::make_controlled<o::runge_kutta_dopri5<State>>(1e-9, 1e-9));
  run("cash_karp54", o::make_controlled<o::runge_kutta_cash_karp54<State>>(1e-9, 1e-9));
  run("fehlberg78", o::make_controlled<o::runge_kutta_fehlberg78<State>>(1e-9, 1e-9));
  run("bulirsch_stoer", o::bulirsch_stoer<State>(1e-9, 1e-9));
}
X
expect "dopri5: fewer than 20 steps: 1, NaN at the end: 1, no exception
cash_karp54: fewer than 20 steps: 1, NaN at the end: 1, no exception
fehlberg78: fewer than 20 steps: 1, NaN at the end: 1, no exception
bulirsch_stoer: fewer than 20 steps: 1, NaN at the end: 1, no exception" "$(./program)"
