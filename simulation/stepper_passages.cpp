// The stepper's way past change points: passages looked for, taken in parts, and left where forces change.
#include <algorithm>
#include <cmath>

#include "simulation/stepper.hpp"

namespace kinetree::inline inner {

/// Near a change point: a step past it, or why there is none. None: steps go on, to where it is crossed in one.
/// `first`: of the rates in slope_, which are those of the state.
std::optional<Status> Stepper::pass_change_point(double end, const Status& first) {
  if (!change_points_.possible() || now_.distance >= 0.7) {
    now_.search = {};
    return {};
  }
  if (look_for_passage(end, first.ok())) return Status{};
  if (!may_stand(first)) return first;
  // where it can't be passed, steps must not come nearer and nearer
  if (exhausted()) return lost(now_.distance, INFINITY);
  const bool creeping = now_.distance < 1e-2 && std::min(now_.step, horizon_ / 2) * rate_ < 1e-4;
  if (creeping && ++now_.creeping > 10) return lost(now_.distance, INFINITY);
  if (!creeping) now_.creeping = 0;
  return {};
}

/// Takes the motion past a change point, or on from near one, up to `end`, by a passage; false where none is found.
/// slope_: rates of the state; accelerations among them only if slope_known.
bool Stepper::look_for_passage(double end, bool slope_known) {
  const Vector& start = before_.state;
  horizon_ = INFINITY;
  const double* a = slope_known && now_.distance > 1e-3 ? slope_.data() + q_.size() : nullptr;
  // from far enough to far enough, whatever the tolerance: rates between are not known well, motion is smooth
  rate_ = change_points_.rate(start.data(), start.data() + q_.size());
  if (!(rate_ > 0)) return false;
  const double reach = std::max(1.1 * now_.step, 0.5 * now_.way / rate_);
  const double ahead = change_points_.ahead(start.data(), start.data() + q_.size(), a, 2 * reach);
  if (!exhausted() && (now_.distance < near || ahead < reach)) {
    if (a == nullptr) std::fill(slope_.begin() + q_.size(), slope_.end(), 0.0);
    const double usual = now_.way / rate_;
    if (!now_.curved && cross(slope_, end, ahead, usual, Crossing::Guess::straight)) return true;
    if (cross(slope_, end, ahead, std::min(usual, marched_length()), Crossing::Guess::marched)) return true;
    now_.way = before_.way = std::max(0.7 * now_.way, 0.15);
    status_ = {};
    if (a == nullptr && slope_known) rates(start, slope_, now_.time);
  }
  if (ahead < 2 * reach) horizon_ = ahead;
  return false;
}

/// How long a passage may be whose guess is marched, s: by the turns of joints and by the steps that the motion takes.
double Stepper::marched_length() const {
  double speed = 0;
  for (std::size_t k = static_cast<std::size_t>(q_.size()); k + 1 < before_.state.size(); ++k)
    speed = std::max(speed, std::abs(before_.state[k]));
  return std::min(1 / speed, by_tolerance() ? 8 * now_.step : INFINITY);
}

/// A step past a change point `ahead` or out of one's neighbourhood, of about `usual` seconds, of which the part up
/// to `end` is taken. A guess that is straight leaves a curved branch; one along it costs three times as much. Lengths
/// that did not serve are kept in mind, so that the search goes on where it may find something.
bool Stepper::cross(const Vector& slope, double end, double ahead, double usual, Crossing::Guess guess) {
  const Vector& start = before_.state;
  const double then = now_.time;
  const bool before = std::isfinite(ahead), marched = guess == Crossing::Guess::marched;
  if (marched && before && usual < 1.7 * ahead) return false;  // nearer by steps
  from_ = start;
  turns_.take_off(from_.data());
  Search::Lengths& known = marched ? now_.search.marched : now_.search.straight;
  const double whole = std::min({before ? std::max(2 * ahead, usual) : usual, known.stays, known.fits});
  const double shortest = std::max(0.2 * whole, before ? 1.3 * ahead : 0);  // else it would end near the change point
  double length = whole, rounded = 0, longer = INFINITY;  // lengths that lost too much in rounding; that were too long
  bool shortened = false;
  for (int attempt = 0; attempt < 5 && length > shortest && !exhausted(); ++attempt) {
    const double least = now_.search.error;
    in_passage_ = pass(slope, length, guess);
    if (in_passage_ && take_passage(end)) {
      now_.way = std::clamp(now_.way * (length < whole ? length / whole : 1.1), 0.15, std::max(0.8, usual_way()));
      now_.curved = marched;
      return true;
    }
    const Crossing::Found& found = crossing_->found();
    if (marched && found.error < least) now_.curved = true;
    now_.state = start, now_.time = then;
    if (in_passage_ || left_motion()) {
      longer = known.stays = length, known.stays *= 0.7;
    } else if (found.too_long) {
      longer = length, known.fits = 0.95 * std::pow(tolerance_ / found.error, 1.0 / 18) * length;
    } else {
      rounded = std::max(rounded, length);
    }
    in_passage_ = false;
    if (rounded == 0)
      length = std::max(std::min(known.stays, known.fits), 0.5 * length);
    else if (!shortened && 0.85 * rounded > shortest)  // soon found beside what was, with other rounding
      length = 0.85 * rounded, shortened = true;
    else if (longer < 1.2 * rounded)
      break;
    else  // nodes further off lose less
      length = std::isinf(longer) ? 1.3 * rounded : std::sqrt(rounded * longer);
  }
  return false;
}

/// Whether the last passage looked for went astray: neither its degree nor rounding explains its error.
bool Stepper::left_motion() const {
  const Crossing::Found& found = crossing_->found();
  return std::isinf(found.error) || (!found.too_long && found.error > 1e-8);
}

/// The `way` that a motion begins with: the tighter the tolerance the longer, since nodes further off lose less in
/// rounding.
double Stepper::usual_way() const {
  const double tolerance = by_tolerance() ? how_.tolerance : fine;
  return std::clamp(0.6 * std::pow(1e-10 / tolerance, 0.1), 0.6, 1.2);
}

/// Finds a passage of that length; fixed steps, which have no tolerance, take the best that there is.
bool Stepper::pass(const Vector& slope, double length, Crossing::Guess guess) {
  const long evaluated = evaluations_;
  const bool adaptive = by_tolerance();
  const auto look = [&](double tolerance) {
    const double left = most_evaluations_ - now_.search.evaluations - static_cast<double>(evaluations_ - evaluated);
    return crossing_->pass(from_, slope, before_.time, length, tolerance_ = tolerance, guess, left);
  };
  bool found = look(adaptive ? how_.tolerance : fine);
  if (!adaptive && !found && !crossing_->found().too_long && crossing_->found().error <= coarse)
    found = look(2 * crossing_->found().error);
  now_.search.evaluations += static_cast<double>(evaluations_ - evaluated) +
                             (guess == Crossing::Guess::marched ? 0.3 : 0.15) * most_nodes;  // and distances
  // A motion that comes here by other steps is not quite where this one is: it may need 1.7 times as much, and near
  // rounding, where one try is better than another by luck, up to 1e-14 more.
  if (!found && !left_motion()) now_.search.error = std::min(now_.search.error, 2 * crossing_->found().error + 1e-14);
  return found;
}

/// At a node of a passage, see Crossing.
Status Stepper::rates_on_constraints(int node, double t, Vector& x, Vector& rate) {
  normalize_positions(m_, x.data());
  for (const Aggregate& a : m_.aggregates) {
    double error = closure_.project(a, x.data(), 1e-9);
    if (error <= 1e-8 && !a.rounding.nearest) {  // least squares come no closer with more digits
      (void)fine_closure_.close(a, x.data());
      error = closure_.opening(a, x.data());
    }
    if (!closure_.closed(a, error)) return status_ = {StatusCode::not_closed, 0, a.bodies.front(), error};
    closure_.project_velocity(a, x.data(), x.data() + q_.size());
  }
  load(x);
  turned_ = q_;
  turns_.put_back(turned_.data());
  ++evaluations_;
  status_ = forces_.evaluate(t, turned_, v_);
  if (status_.ok()) status_ = forces_.accelerate(dynamics_, q_, v_, a_);
  if (!status_.ok()) return status_;
  fill_rates(x, rate);
  passage_forces_[at(node)] = forces_.now();
  return status_;
}

/// Whether a passage begun earlier goes on under the same forces.
bool Stepper::passage_goes_on() {
  if (!in_passage_ || !(now_.time < crossing_->passage().end())) return false;
  const Passage& passage = crossing_->passage();
  for (int k = 0; k < passage.nodes(); ++k) {
    load(passage.at_node(k));
    turns_.put_back(q_.data());
    if (!forces_.evaluate(passage.time(k), q_, v_).ok() || forces_.now() != passage_forces_[at(k)]) return false;
  }
  return true;
}

bool Stepper::take_passage(double end) {
  now_.time = std::min(end, crossing_->passage().end());
  crossing_->passage().at(now_.time, now_.state);
  turns_.put_back(now_.state.data());
  // positions near a change point are known better than they can be brought onto the constraints
  if (!accept(change_points_.distance(now_.state.data()) > near).ok()) return false;
  now_.search = {};
  differences_hold_ = false;
  return true;
}

}  // namespace kinetree::inline inner
