#include "simulation/event_watch.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "engine/scalar/number_text.hpp"

namespace kinetree::inline inner {

void EventWatch::watch(std::vector<boundary::EventOnColumns> events) {
  for (std::size_t k = 0; k < events.size(); ++k) {
    const std::string name = "simulation: event " + std::to_string(k);
    if (!events[k].value) throw std::invalid_argument(name + " has no value; give a function of time, q and v");
    if (!(events[k].tolerance > 0))
      throw std::invalid_argument(name + ": the tolerance is " + number_text(events[k].tolerance) +
                                  " s; give one above 0");
  }
  watched_.clear();
  for (boundary::EventOnColumns& event : events) watched_.push_back({std::move(event)});
  happened_.clear(), happened_.reserve(watched_.size());
  known_ = false;
}

void EventWatch::look_again(bool anew) {
  known_ = false;
  if (!anew) return;
  happened_.clear();
  for (Watched& w : watched_) w.spent = false;
}

bool EventWatch::Watched::crosses(double from, double to) const {
  const bool falls = from >= 0 && to < 0, rises = from <= 0 && to > 0;
  switch (event.direction) {
    case EventDirection::rising:
      return rises || (from < 0 && to == 0);
    case EventDirection::falling:
      return falls || (from > 0 && to == 0);
    case EventDirection::both:
      return falls || rises || (from != 0 && to == 0);
  }
  return false;
}

Status EventWatch::measure(const Stepper& stepper, double Watched::*value) {
  for (Watched& w : watched_) {
    w.*value = w.event.value(stepper.time(), boundary::column(stepper.q()), boundary::column(stepper.v()));
    if (!std::isfinite(w.*value)) return {StatusCode::not_finite, 0, -1, w.*value, "the value of an event"};
  }
  return {};
}

Status EventWatch::take(Stepper& stepper, const Stepper::Leg& leg) {
  happened_.clear();
  if (watched_.empty()) return stepper.take(leg);
  if (!known_) {
    if (const Status status = measure(stepper, &Watched::before); !status.ok()) return status;
    // set_state may have taken a value away from the zero that it was at; less than the event's tolerance tells does
    // not count, since a state that is set is normalized and closed anew
    for (Watched& w : watched_) w.spent = w.spent && std::abs(w.before) <= 2 * w.at_zero;
    known_ = true;
  }
  path_.begin(stepper);
  if (const Status status = stepper.take(leg); !status.ok()) return status;
  try {
    if (const Status status = end_at_the_first(stepper); !status.ok()) {
      stepper.go_back();
      return status;
    }
  } catch (...) {  // of the caller's forces and values
    stepper.go_back();
    throw;
  }
  for (std::size_t k = 0; k < watched_.size(); ++k) {
    Watched& w = watched_[k];
    w.spent = w.crosses();
    if (w.spent) happened_.push_back(static_cast<int>(k));
    w.before = w.now;
  }
  return {};
}

/// The step that was just taken, shorter where an event is in it, and the values at its end.
Status EventWatch::end_at_the_first(Stepper& stepper) {
  const double start = path_.start();
  Status status = measure(stepper, &Watched::now);
  for (int again = 0; status.ok() && again < 20; ++again) {
    const double share = cut(stepper);
    const double length = share * path_.length();
    if (share == 1 || !(start + length > start)) break;  // a step takes time, however soon a value changes its sign
    status = take_again(stepper, start, length);
  }
  for (std::size_t k = 0; status.ok() && k < watched_.size(); ++k)
    if (watched_[k].crosses()) status = locate(stepper, start, k);
  return status;
}

/// The last step anew from `start`, of another length, and the values at its end.
Status EventWatch::take_again(Stepper& stepper, double start, double length) {
  stepper.go_back();
  const Status status = stepper.take({length, start + length});
  return status.ok() ? measure(stepper, &Watched::now) : status;
}

/// Where in the step some value has another sign than at both ends, by the motion between them: the step is to end
/// there, since its end would not tell. 1: nowhere. After an event the first moments count, however short a bounce is.
double EventWatch::cut(const Stepper& stepper) {
  path_.end(stepper);
  bool bounced = false;
  for (const Watched& w : watched_) bounced = bounced || w.spent;
  for (double share = bounced ? 1.0 / 4096 : 0.25; share < 1; share += std::min(share, 0.25)) {
    path_.look(share);
    for (Watched& w : watched_) {
      if (w.crosses()) continue;
      w.seen = w.event.value(path_.time(), boundary::column(path_.q()), boundary::column(path_.v()));
      if ((!w.spent && w.crosses(w.before, w.seen)) || w.crosses(w.seen, w.now)) return share;
    }
  }
  return 1;
}

/// The step again and again, until it ends no more than the tolerance after the change of sign. False position, whose
/// kept end's value is halved (Dowell & Jarratt 1971), and no look nearer to an end than half the tolerance, so that
/// both ends come near.
Status EventWatch::locate(Stepper& stepper, double start, std::size_t which) {
  Watched& w = watched_[which];
  double low = 0, high = stepper.time() - start, at_low = w.before, at_high = w.now;
  double before = at_low, after = at_high;  // the values themselves
  bool at_end = true;                       // whether the motion stands at `high`
  int kept = 0;                             // -1: low was kept last, 1: high
  const double width = std::max(w.event.tolerance, 4e-16 * std::abs(start));
  for (int k = 0; k < 100 && high - low > width; ++k) {
    double length = low + (high - low) * at_low / (at_low - at_high);
    if (!(length > low && length < high) || k > 60) length = (low + high) / 2;
    length = std::clamp(length, low + width / 2, high - width / 2);
    if (const Status status = take_again(stepper, start, length); !status.ok()) return status;
    length = stepper.time() - start;  // less, where an adaptive step had to be shorter
    at_end = w.crosses();
    if (at_end) {
      high = length, after = at_high = w.now;
      if (kept == -1) at_low /= 2;
      kept = -1;
    } else {
      if (!(length > low)) break;
      low = length, before = at_low = w.now;
      if (kept == 1) at_high /= 2;
      kept = 1;
    }
  }
  w.at_zero = std::abs(before) + std::abs(after);
  return at_end ? Status{} : take_again(stepper, start, high);
}

}  // namespace kinetree::inline inner
