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
  const auto draw_wrenches = [&](const char* forces, const char* moments) {
    drawn_.push_back({forces, {}}), drawn_.push_back({moments, {}});
  };
  const auto draw_wrench = [&](std::string_view name) {  // that of the columns that come next
    const std::size_t first = columns_.size();
    Drawn &moments = drawn_.back(), &forces = *(drawn_.end() - 2);
    for (std::size_t k = 0; k < 3; ++k) {
      moments.curves.emplace_back(fmt::format("{} m{}", name, "xyz"[k]), first + k);
      forces.curves.emplace_back(fmt::format("{} f{}", name, "xyz"[k]), first + 3 + k);
    }
  };
  if (wants("loops", m.loops.size())) {
    loops_.resize(12 * static_cast<Eigen::Index>(m.loops.size()));
    draw_wrenches("Forces of loops on their first ends (N, axes of the link)",
                  "Moments of loops on their first ends (Nm, axes of the link)");
    for (const Loop& loop : m.loops) {
      draw_wrench(loop.name);
      for (const char* end : {"first", "second"}) add_wrench(fmt::format("loop:{}:{}", loop.name, end));
    }
  }
  if (wants("couplings", m.couplings.size())) {
    couplings_.resize(static_cast<Eigen::Index>(m.couplings.size()));
    drawn_.push_back({"Multipliers of couplings (Nm, N)", {}});
    for (const Coupling& coupling : m.couplings) {
      drawn_.back().curves.emplace_back(coupling.name, columns_.size());
      columns_.push_back("coupling:" + coupling.name);
    }
  }
  if (wants("joints", m.parent.size())) {
    joints_.resize(6 * model.body_count());
    draw_wrenches("Forces of joints (N, axes of the link)", "Moments of joints (Nm, axes of the link)");
    for (int body = 0; body < model.body_count(); ++body) {
      draw_wrench(model.joint_name(body));
      add_wrench(fmt::format("reaction:{}", model.joint_name(body)));
    }
  }
}

std::vector<Plot> HoldingForces::plots(const std::vector<Sample>& samples) const {
  std::vector<Plot> plots;
  for (const Drawn& drawn : drawn_) {
    Plot plot{.title = drawn.title, .curves = {}};
    bool all_zero = true;
    for (const auto& [name, column] : drawn.curves) {
      Curve curve{name, {}};
      for (const Sample& s : samples) {
        curve.values.push_back(s.holding[column]);
        all_zero = all_zero && s.holding[column] == 0;
      }
      plot.curves.push_back(std::move(curve));
    }
    if (!all_zero) plots.push_back(std::move(plot));
  }
  return plots;
}

}  // namespace kinetree::bench
