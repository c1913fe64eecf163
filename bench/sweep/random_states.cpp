#include "bench/sweep/random_states.hpp"

#include <algorithm>

#include "engine/model/random_state.hpp"

namespace kinetree::bench {

StateSet random_states(const Model& model, Eigen::Index count, std::uint64_t seed) {
  StateSet set{Eigen::MatrixXd(model.nq(), count), Eigen::MatrixXd(model.nv(), count),
               Eigen::MatrixXd(model.nv(), count)};
  RandomStates states(model.data(), seed);
  for (Eigen::Index c = 0; c < count; ++c) states.draw(set.q.col(c).data(), set.v.col(c).data(), set.tau.col(c).data());
  return set;
}

Eigen::Index states_that_fit(const Model& model, int wanted) {
  const double bytes = 8. * (model.nq() + 2. * model.nv());
  return std::clamp<Eigen::Index>(static_cast<Eigen::Index>(64e6 / bytes), 2, std::max(2, wanted));
}

}  // namespace kinetree::bench
