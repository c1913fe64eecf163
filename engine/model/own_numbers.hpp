#pragma once
// Numbers of a model that states may have of their own, each its column of rows: what kernels read of it is linear in
// the rows, so that links merged by fixed joints and turned frames are sums.

#include <array>
#include <cstddef>
#include <kinetree/export.hpp>
#include <kinetree/status.hpp>
#include <span>
#include <vector>

#include "engine/spatial/screw.hpp"

namespace kinetree::inline inner {

/// The ten numbers of a rigid body, in the order of their rows: mass, first moment, inertia xx, yy, zz, xy, xz, yz.
inline constexpr int inertia_numbers = 10;

/// Number k of these.
template <class S>
S& number_of_inertia(RigidInertia<S>& a, int k) {
  S* const numbers[inertia_numbers]{&a.mass, &a.h.x,  &a.h.y,  &a.h.z,  &a.I.xx,
                                    &a.I.yy, &a.I.zz, &a.I.xy, &a.I.xz, &a.I.yz};
  return *numbers[k];
}

struct OwnNumbers {
  enum class Kind { inertia, rotor, gravity };

  /// A number that kernels read: constant plus the terms from those of the number before to `last_term`.
  struct Number {
    Kind kind;
    int index;  ///< of the body, the velocity, the axis
    int entry;  ///< of an inertia: which of its ten numbers
    double constant;
    int last_term;
  };
  struct Term {
    int row;
    double factor;
  };
  /// A body whose inertia varies; ten of the numbers are its own, in the order of bodies.
  struct Body {
    int body;
    /// Whether they come from the ten rows of its own link alone, by a screw about z and an exchange of axes: the
    /// common case, in which sums of terms would take half of a short chain's time.
    bool by_screw = false;
    int row = 0;           ///< the first of these
    int axis = 2;          ///< of the link, 0 to 2, along which the body's z lies; x and y follow in turn
    bool against = false;  ///< z against that axis, and y against its own
    ScrewZ<double> screw{1, 0, 0};
  };
  /// What a row is, for statuses.
  struct Row {
    const char* name;  ///< "mass", "armature", ...
    int body;          ///< the one that it is of, or that its joint carries; -1: none
    double least, most;
    bool of_inertia;
  };

  int row_count() const { return static_cast<int>(rows.size()); }
  /// The model's own numbers.
  template <class T>
  const T* nominal() const;
  /// What is wrong with a state's own numbers: not_finite, out_of_bounds of a row; not_rigid of a body.
  template <class T>
  KINETREE_EXPORT Status fault(const T* own) const;
  /// Of bodies[b], with a state's own numbers.
  template <class T>
  KINETREE_EXPORT RigidInertia<double> inertia(std::size_t b, const T* own) const;
  /// Once all rows are there.
  KINETREE_EXPORT void set_nominal(std::vector<double> numbers);

  std::vector<Row> rows;
  std::vector<Number> numbers;  ///< inertias first, ten for each body
  std::vector<Term> terms;
  std::vector<Body> bodies;

 private:
  std::vector<double> nominal_;
  std::vector<float> nominal_in_float_;
};

template <>
inline const double* OwnNumbers::nominal() const {
  return nominal_.data();
}
template <>
inline const float* OwnNumbers::nominal() const {
  return nominal_in_float_.data();
}

}  // namespace kinetree::inline inner
