#pragma once
// What a file says of a mechanism's looks, sensors and forces between points, and numbers of joints that it does not
// say, which no algorithm reads.

#include <kinetree/description.hpp>
#include <mutex>
#include <span>
#include <vector>

namespace kinetree::inline inner {

struct LinkShapes {
  std::vector<ShapeDescription> visuals, collisions;
};

/// Numbers of joints that are the same for all, made when somebody asks for them: of a large model they take memory
/// that others need.
class UnstatedNumbers {
 public:
  /// `make`: gives the array; called once, the first time, on whichever thread that is.
  template <class Make>
  std::span<const double> of(Make&& make) const {
    std::call_once(made_, [&] { numbers_ = make(); });
    return numbers_;
  }

 private:
  mutable std::once_flag made_;
  mutable std::vector<double> numbers_;
};

struct Appearance {
  std::vector<LinkShapes> links;  ///< over frames; empty where no link has a shape
  std::vector<SensorDescription> sensors;
  std::vector<PointForceDescription> forces;
  /// In the place of arrays that are empty in PassiveForces and Limits.
  UnstatedNumbers zeros, reference, no_lower, no_upper, no_magnitude;
};

}  // namespace kinetree::inline inner
