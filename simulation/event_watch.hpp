#pragma once
// The events that a simulation watches: their signs before a step and after it, and when in the step the first is.

#include <kinetree/simulation/event.hpp>
#include <kinetree/status.hpp>
#include <span>
#include <vector>

#include "simulation/step_path.hpp"
#include "simulation/stepper.hpp"

namespace kinetree::inline inner {

class EventWatch {
 public:
  /// Throws std::invalid_argument, see Simulation::watch.
  void watch(std::vector<boundary::EventOnColumns> events);
  /// Signs are those of the state from now on; `anew`: no event has just happened.
  void look_again(bool anew);

  /// A step of the motion that ends at the first event in it, where there is one. A status, as of Stepper::take, and
  /// not_finite of a value: nothing has changed then, nor where a function of the caller's throws.
  Status take(Stepper& stepper, const Stepper::Leg& leg);
  std::span<const int> happened() const { return happened_; }
  const boundary::EventOnColumns& operator[](int event) const { return watched_[at(event)].event; }

 private:
  struct Watched {
    boundary::EventOnColumns event;
    double before = 0;   ///< value at the start of the step
    double now = 0;      ///< value at its end
    double seen = 0;     ///< value within it
    double at_zero = 0;  ///< how much its value changed about the last event, within the tolerance
    bool spent = false;  ///< it happened at the start of the step, and its value has not left zero since
    bool crosses() const { return !spent && crosses(before, now); }
    bool crosses(double from, double to) const;
  };

  Status end_at_the_first(Stepper& stepper);
  double cut(const Stepper& stepper);
  Status take_again(Stepper& stepper, double start, double length);
  Status measure(const Stepper& stepper, double Watched::*value);
  Status locate(Stepper& stepper, double start, std::size_t which);

  std::vector<Watched> watched_;
  std::vector<int> happened_;
  StepPath path_;
  bool known_ = false;  ///< whether values at the start of the next step are those in `before`
};

}  // namespace kinetree::inline inner
