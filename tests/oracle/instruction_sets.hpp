#pragma once
// Instruction sets with packs that run here, and one state solved by a LaneSolver of them.

#include <memory>
#include <vector>

#include "engine/algorithm/lanes/lane_solver.hpp"
#include "engine/partition/make_modules.hpp"
#include "oracle/random_state.hpp"

namespace kinetree::oracle {

/// Empty where this build has no packs.
inline std::vector<InstructionSet> sets() {
  std::vector<InstructionSet> here;
  for (const InstructionSet s : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512})
    if (has(s) && lane_width(s) > 1) here.push_back(s);
  return here;
}

inline Eigen::VectorXd solve(LaneSolver<double>& solver, const TestState& s, bool forced) {
  Eigen::VectorXd a = Eigen::VectorXd::Constant(s.v.size(), -7);
  const State<double> state{s.q.data(), s.v.data(), forced ? s.f_ext.data() : nullptr, s.tau.data(), nullptr, a.data()};
  solver.solve({&state, 1});
  return a;
}

/// Bodies one by one, by articulated bodies.
inline std::unique_ptr<LaneSolver<double>> one_by_one(const Model& model) {
  return make_lane_solver<double>(InstructionSet::baseline, false, model, {},
                                  std::make_shared<const Modules>(make_modules(model.data(), {})));
}

}  // namespace kinetree::oracle
