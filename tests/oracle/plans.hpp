#pragma once
// The algorithms and settings that tests run through, with a name for each.

#include <kinetree/kinetree.hpp>
#include <span>
#include <string>
#include <vector>

#include "oracle/random_state.hpp"

namespace kinetree::oracle {

inline const char* name_of(Algorithm a) {
  constexpr const char* names[]{"automatic", "ab", "crb", "cfa", "modular"};
  return names[static_cast<int>(a)];
}
inline const char* name_of(Cuts c) {
  constexpr const char* names[]{"paths", "main", "all"};
  return names[static_cast<int>(c)];
}
inline const char* name_of(ExecutorKind e) {
  constexpr const char* names[]{"serial", "tbb", "openmp", "team"};
  return names[static_cast<int>(e)];
}

inline constexpr ExecutorKind executors[]{ExecutorKind::serial, ExecutorKind::tbb, ExecutorKind::openmp,
                                          ExecutorKind::team};
inline constexpr std::span<const ExecutorKind> threaded_executors = std::span(executors).subspan(1);

/// Of Options or of a Plan.
template <class Asked>
std::string describe(const Asked& o) {
  std::string text = name_of(o.algorithm);
  if (o.algorithm == Algorithm::crb) return text + (o.factorization == Factorization::sparse ? " sparse" : " dense");
  if (o.algorithm == Algorithm::ab) return text;
  if (o.algorithm == Algorithm::modular) text += ":" + std::to_string(o.grain);
  text += std::string(" ") + name_of(o.cuts);
  text += o.elimination == Elimination::cyclic ? " cyclic" : " leaves-first";
  text += o.formulation == Formulation::direct ? " direct" : " literal";
  return text + " refinements=" + std::to_string(o.refinements);
}

inline Options serial(Algorithm algorithm) { return {.algorithm = algorithm, .executor = ExecutorKind::serial}; }

/// Serial `ab` that holds loops in this way.
inline Options plan_with(Loops loops) {
  Options o = serial(Algorithm::ab);
  o.loops = loops;
  return o;
}

/// ab, crb twice, cfa and modular at grains 2, 3, 7, 32 by every cutting.
inline std::vector<Options> all_plans(int refinements, Elimination elimination = Elimination::cyclic,
                                      Formulation formulation = Formulation::direct) {
  std::vector<Options> plans{serial(Algorithm::ab), serial(Algorithm::crb), serial(Algorithm::crb)};
  plans[2].factorization = Factorization::dense;
  for (const Cuts cuts : {Cuts::paths, Cuts::main, Cuts::all})
    for (const int grain : {1, 2, 3, 7, 32}) {
      Options o = serial(grain == 1 ? Algorithm::cfa : Algorithm::modular);
      o.grain = grain == 1 ? 0 : grain;
      o.cuts = cuts;
      o.refinements = refinements;
      o.elimination = elimination;
      o.formulation = formulation;
      plans.push_back(o);
    }
  return plans;
}

/// Accelerations of one state; NaN where solve says no.
inline Eigen::VectorXd accelerations(ForwardDynamics& dynamics, const TestState& s, bool external = false) {
  Eigen::VectorXd a = Eigen::VectorXd::Zero(s.v.size());
  const Status status = external ? dynamics.solve(s.q, s.v, s.tau, s.f_ext, a) : dynamics.solve(s.q, s.v, s.tau, a);
  if (!status.ok()) a.setConstant(std::nan(""));
  return a;
}

/// The design's residual: |inverse_dynamics(a) - tau| / (|tau| + |bias|), 0 where the numerator is.
inline double residual(const Model& model, const TestState& s, const Eigen::VectorXd& a, bool external = false) {
  Workspace workspace(model);
  const Eigen::VectorXd f = external ? s.f_ext : Eigen::VectorXd::Zero(s.f_ext.size());
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(model.nv());
  Eigen::VectorXd tau(model.nv()), bias(model.nv());
  if (!inverse_dynamics(model, workspace, s.q, s.v, a, f, tau).ok() ||
      !inverse_dynamics(model, workspace, s.q, s.v, none, f, bias).ok())
    return std::nan("");
  const double rest = (tau - s.tau).norm();
  return rest == 0 ? 0 : rest / (s.tau.norm() + bias.norm());
}

}  // namespace kinetree::oracle
