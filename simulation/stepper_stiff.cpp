// The stepper's steps by backward differences, for stiff motions. They run ahead of the motion, which reads off their
// last step where a call or an event ends in it; they begin anew where that step is of another motion.
#include <algorithm>
#include <cmath>
#include <utility>

#include "simulation/step_limits.hpp"
#include "simulation/stepper.hpp"

namespace kinetree::inline inner {
namespace {

/// What a step may err by: a share of the tolerance, no less than rounding. Errors of backward differences lean to one
/// side and add up: with this share a stiff tree ends with as many digits as the explicit integrator leaves it, whose
/// short steps are far better than the tolerance. Rounding in accelerations under loops is larger.
struct Allowance {
  double share, least;
};
constexpr Allowance of_trees{3e-5, 1e-15}, of_loops{0.1, 1e-13};

}  // namespace

void Stepper::prepare_stiff() {
  const std::size_t size = now_.state.size();
  const bool loops = std::ranges::any_of(m_.aggregates, [](const Aggregate& a) { return !a.constant(); });
  const Allowance allowance = loops ? of_loops : of_trees;
  const double part = std::max(allowance.share * how_.tolerance, allowance.least);
  probe_.state = now_.state;
  differences_.emplace(size,
                       BackwardDifferences::Equations{
                           [this, size](double t, const double* y, double* rate) {
                             probe_.time = t;
                             std::copy(y, y + size, probe_.state.begin());
                             const Status before = std::exchange(status_, Status{});
                             rates(probe_.state, next_, t);
                             probe_.forces = forces_.now();
                             std::copy(next_.begin(), next_.end(), rate);
                             const bool known = status_.ok();
                             if (known) status_ = before;  // of what failed last
                             return known;
                           },
                           [this](double* y) { return settle(m_, closure_, y, y + q_.size()).ok(); },
                           [part, size](const double* y, double* allowed) {
                             for (std::size_t k = 0; k + 1 < size; ++k) allowed[k] = part * (1 + std::abs(y[k]));
                             allowed[size - 1] = 100 * part * (1 + std::abs(y[size - 1]));  // work sets no steps
                           }},
                       how_.longest_step);
}

Status Stepper::take_stiff(double end) {
  if (passage_goes_on()) {
    if (take_passage(end)) return {};
    now_ = before_;
  }
  in_passage_ = false;
  const bool go_on = differences_go_on();
  if (!go_on || now_.time >= differences_->reached()) {
    if (change_points_.possible() && now_.distance < 0.7) rates(before_.state, slope_, now_.time);
    const Status first = status_;
    if (const std::optional<Status> done = pass_change_point(end, first)) return *done;
    if (!first.ok()) return first;
    if (!go_on) differences_->begin(now_.time, now_.state, end - now_.time);
    differences_hold_ = false;  // unless the step is taken
    Status status = take_differences(now_.time + horizon_ / 2);
    if (!status.ok() && go_on) {  // what came before may be at fault: a jump
      differences_->begin(now_.time, now_.state, end - now_.time);
      status = take_differences(now_.time + horizon_ / 2);
    }
    if (!status.ok()) return status;
    differences_hold_ = true;
  }
  now_.time = std::min(end, differences_->reached());
  differences_->at(now_.time, now_.state);
  return accept(true);
}

/// Whether the motion stands in the last step, under the forces that it was taken with.
bool Stepper::differences_go_on() {
  if (!differences_hold_) return false;
  if (asked_by_ == forces_.function_count()) return true;
  asked_by_ = forces_.function_count();
  load(probe_.state);
  normalize_positions(m_, q_.data());
  const bool same = forces_.evaluate(probe_.time, q_, v_).ok() && forces_.now() == probe_.forces;
  load(now_.state);
  return same;
}

Status Stepper::take_differences(double limit) {
  asked_by_ = forces_.function_count();
  status_ = {};
  const BackwardDifferences::Outcome outcome = differences_->step(limit);
  if (outcome != BackwardDifferences::Outcome::taken)
    return outcome == BackwardDifferences::Outcome::too_small || status_.ok()
               ? Status{StatusCode::step_too_small, 0, -1, differences_->next_length()}
               : status_;
  now_.step = differences_->next_length();
  differences_->errors(error_);
  differences_->at(differences_->reached(), next_);
  std::fill(slope_.begin(), slope_.end(), 0.0);
  limited_by_ = largest_error(dynamics_.model(), next_, slope_, error_, 0, how_.tolerance).second;
  return {};
}

}  // namespace kinetree::inline inner
