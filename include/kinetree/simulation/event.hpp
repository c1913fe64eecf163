#pragma once
// Events: moments of a simulated motion at which a number changes its sign, such as the height of a foot or the way
// left to a limit. A step ends there, and may change the state: an impact.

#include <Eigen/Core>
#include <functional>
#include <kinetree/simulation/callers_vectors.hpp>
#include <utility>

namespace kinetree {

/// Which changes of sign are events.
enum class EventDirection { both, rising, falling };

struct Event {
  /// Zero at the event, of another sign before and after it. Like a force it may read anything and must not throw.
  std::function<double(double time, const Eigen::VectorXd& q, const Eigen::VectorXd& v)> value;
  EventDirection direction = EventDirection::both;
  /// Called at the event, with a state that it may change, as Simulation::set_state does. Returns whether the motion
  /// goes on; false ends the call that takes steps, and so does an event without this function.
  std::function<bool(double time, Eigen::VectorXd& q, Eigen::VectorXd& v)> act = {};
  double tolerance = 1e-9;  ///< s; the step ends at the change of sign or later, by no more than this
};

namespace boundary {

/// What the library calls for an Event.
struct EventOnColumns {
  std::function<double(double time, Columns<const double> q, Columns<const double> v)> value;
  EventDirection direction;
  std::function<bool(double time, Columns<double> q, Columns<double> v, EntriesLeft& left)> act;
  double tolerance;
};

inline EventOnColumns on_columns(Event event) {
  EventOnColumns made{{}, event.direction, {}, event.tolerance};
  if (event.value)
    made.value = [value = std::move(event.value), own = CallersVectors()](double time, Columns<const double> q,
                                                                          Columns<const double> v) mutable {
      own.q = vector(q), own.v = vector(v);
      return value(time, own.q, own.v);
    };
  if (event.act)
    made.act = [act = std::move(event.act), own = CallersVectors()](double time, Columns<double> q, Columns<double> v,
                                                                    EntriesLeft& left) mutable {
      own.q = vector(q), own.v = vector(v);
      const bool goes_on = act(time, own.q, own.v);
      write(own.q, q), write(own.v, v);
      left = {own.q.size(), own.v.size()};
      return goes_on;
    };
  return made;
}

}  // namespace boundary
}  // namespace kinetree
