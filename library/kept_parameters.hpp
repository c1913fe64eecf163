#pragma once
// What KeptParameters hold.

#include <kinetree/varying.hpp>
#include <vector>

#include "library/kept_numbers.hpp"

namespace kinetree {

struct KeptParameters::Data {
  /// One has columns: a copy of the caller's, or Rollouts' own.
  Columns<const double> in_double{};
  Columns<const float> in_float{};
  std::vector<double> copy_in_double{};
  std::vector<float> copy_in_float{};
  KeptNumbers<double> numbers_in_double{};
  KeptNumbers<float> numbers_in_float{};
};

}  // namespace kinetree
