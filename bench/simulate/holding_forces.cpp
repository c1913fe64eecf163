#include "bench/simulate/holding_forces.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::bench {

HoldingForces::HoldingForces(const Model& model, const std::vector<std::string>& wanted) {
  const ModelData& m = model.data();
  const auto wants = [&](const char* word, std::size_t count) {
    if (std::ranges::count(wanted, word) == 0) return false;
    if (count == 0) absent_.emplace_back(word);
    return count > 0;
  };
  const auto add_wrench = [&](const std::string& of) {
    for (const char* part : {"mx", "my", "mz", "fx", "fy", "fz"}) columns_.push_back(fmt::format("{}:{}", of, part));
  };
  if (wants("loops", m.loops.size())) {
    loops_.resize(12 * static_cast<Eigen::Index>(m.loops.size()));
    for (const Loop& loop : m.loops)
      for (const char* end : {"first", "second"}) add_wrench(fmt::format("loop:{}:{}", loop.name, end));
  }
  if (wants("couplings", m.couplings.size())) {
    couplings_.resize(static_cast<Eigen::Index>(m.couplings.size()));
    for (const Coupling& coupling : m.couplings) columns_.push_back("coupling:" + coupling.name);
  }
  if (wants("joints", m.parent.size())) {
    joints_.resize(6 * model.body_count());
    for (int body = 0; body < model.body_count(); ++body)
      add_wrench(fmt::format("reaction:{}", model.joint_name(body)));
  }
}

}  // namespace kinetree::bench
