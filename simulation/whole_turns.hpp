#pragma once
// Whole turns of joints, of which only sine and cosine matter: without them angles have more digits.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

/// Allocates when it is made alone.
class WholeTurns {
 public:
  explicit WholeTurns(const ModelData& m) {
    for (std::size_t i = 0; i < m.parent.size(); ++i) {
      const bool turns = is_revolute(m.joint_type[i]);
      const auto holds = [&](const Coupling& c) {
        return std::ranges::any_of(c.terms, [&](const auto& term) { return at(term.first) == i; });
      };
      if (turns && std::ranges::none_of(m.couplings, holds)) joints_.push_back({m.q_index[i], 0});
    }
  }

  /// Those that q has.
  void take_off(double* q) {
    for (Joint& joint : joints_) joint.turns = std::round(q[joint.index] / (2 * std::numbers::pi));
    add(-1, q);
  }
  /// Those that were taken off.
  void put_back(double* q) const { add(1, q); }

 private:
  struct Joint {
    int index;
    double turns;
  };

  void add(int sign, double* q) const {
    constexpr long double turn = 2 * std::numbers::pi_v<long double>;
    for (const Joint& joint : joints_)
      if (joint.turns != 0) q[joint.index] = static_cast<double>(q[joint.index] + sign * joint.turns * turn);
  }

  std::vector<Joint> joints_;
};

}  // namespace kinetree::inline inner
