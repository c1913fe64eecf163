#!/usr/bin/env bash
# Boost.Odeint 1.74: runge_kutta_fehlberg78 states no error but rounding for rates of time alone, as of a load
# that is lifted or a table of forces, however long the step. It is no slip in Boost: the estimate of Fehlberg's pair of
# orders 7 and 8 (1968) is 41/840 h (k0 + k10 - k11 - k12), whose stages stand at the ends of the step and cancel; the same
# holds for velocity and position together. Boost's page of steppers lists it as an "error stepper, order 8 (7)" and
# says nothing of it, so that a controlled stepper made of it lets steps grow without end. Found when a gripper in
# kinetree was thrown off a stiff contact; that the estimate is zero was worked out by hand before this was run, that
# Cash and Karp's and Dormand and Prince's pairs state errors of about 0.1 or more was a guess.
source "$(dirname "$(readlink -f "$0")")/unpack.bash"
unpack libboost1.74-dev=1.74.0+ds1-21
build program -w -I root/usr/include <<'X'
#include <boost/numeric/odeint/stepper/runge_kutta_cash_karp54.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>
#include <cstdio>
#include <vector>
using State = std::vector<double>;
/// A body at rest, shaken: position and velocity after a step of one second, by what is stated and by what is right.
template <class Stepper>
void shake(const char* name) {
  Stepper stepper;
  State x{0, 0}, error{0, 0};
  stepper.do_step([](const State& x, State& rate, double t) { rate = {x[1], std::sin(30 * t)}; }, x, 0.0, 1.0, error);
  const double off = std::abs(x[1] - (1 - std::cos(30.0)) / 30), stated = std::abs(error[0]) + std::abs(error[1]);
  std::printf("%s: velocity off by more than 0.01: %d, an error above 1e-12 is stated: %d\n", name, off > 0.01,
              stated > 1e-12);
}
int main() {
  namespace o = boost::numeric::odeint;
  shake<o::runge_kutta_fehlberg78<State>>("runge_kutta_fehlberg78");
  shake<o::runge_kutta_cash_karp54<State>>("runge_kutta_cash_karp54");
  shake<o::runge_kutta_dopri5<State>>("runge_kutta_dopri5");
}
X
expect "runge_kutta_fehlberg78: velocity off by more than 0.01: 1, an error above 1e-12 is stated: 0
runge_kutta_cash_karp54: velocity off by more than 0.01: 1, an error above 1e-12 is stated: 1
runge_kutta_dopri5: velocity off by more than 0.01: 1, an error above 1e-12 is stated: 1" "$(./program)"
