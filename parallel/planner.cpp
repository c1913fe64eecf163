#include <algorithm>
#include <cmath>
#include <kinetree/algorithm/composite_body.hpp>
#include <kinetree/algorithm/lanes/instruction_set.hpp>
#include <kinetree/algorithm/multipliers_choice.hpp>
#include <kinetree/parallel/planner.hpp>
#include <kinetree/parallel/processors.hpp>

namespace kinetree {
namespace {

/// Bodies on the longest way from the ground to a tip.
int height_of(const ModelData& m) {
  std::vector<int> depth(m.parent.size(), 1);
  int height = 0;
  for (std::size_t i = 0; i < m.parent.size(); ++i) {
    if (m.parent[i] >= 0) depth[i] = depth[at(m.parent[i])] + 1;
    height = std::max(height, depth[i]);
  }
  return height;
}

/// Whether kernels choose by numbers: which coordinates of a loop are independent, which multipliers are held. States
/// side by side might have to choose differently.
bool chooses_by_numbers(const ModelData& m, const Options& o) {
  if (o.algorithm == Algorithm::ab && o.loops != Loops::embed) return true;
  return std::any_of(m.aggregates.begin(), m.aggregates.end(), [](const Aggregate& a) { return !a.constant(); });
}

}  // namespace

Options resolve(const Model& model, Options o) {
  if (o.threads <= 0) o.threads = physical_cores();
  if (o.algorithm == Algorithm::automatic) o.algorithm = Algorithm::ab;  // the least work; tasks where the tree is wide
  const bool dial = o.algorithm == Algorithm::cfa || o.algorithm == Algorithm::modular;
  if (o.algorithm == Algorithm::cfa) o.grain = 1;
  if (o.algorithm == Algorithm::modular && o.grain <= 0) {
    // one module per core of this machine, whatever `threads` is, so that results do not depend on it. The outermost
    // carries no columns: what is left over for the innermost is 0.61 of a grain, which takes as long (measured)
    const int modules = std::max(2, physical_cores());
    o.grain = std::max(1, static_cast<int>(std::ceil(height_of(model.data()) / (modules - 0.39))));
  }
  if (!dial) {
    o.grain = 0;
    o.cuts = Cuts::paths;
    o.elimination = Elimination::cyclic;
    o.formulation = Formulation::direct;
    o.corrections = 0;
  } else if (o.corrections < 0) {
    o.corrections = 1;
  }
  if (o.algorithm != Algorithm::crb) o.factorization = Factorization::sparse;
  if (o.algorithm != Algorithm::ab || model.data().aggregates.empty()) o.loops = Loops::embed;
  if (o.loops == Loops::automatic) {  // stays where some aggregates go one way and some the other
    const std::vector<bool> chosen = multiplier_aggregates(model.data(), o.loops);
    if (chosen.empty()) o.loops = Loops::embed;
    if (!chosen.empty() && std::count(chosen.begin(), chosen.end(), false) == 0) o.loops = Loops::multipliers;
  }
  if (o.executor == ExecutorKind::serial) o.threads = 1;
  if (o.lanes > 1 || o.lanes < 0) set_of_lanes(o.lanes);  // which refuses what is not there
  if (o.lanes == 0) o.lanes = lane_width(instruction_set());
  if (chooses_by_numbers(model.data(), o)) o.lanes = 1;
  if (o.algorithm == Algorithm::crb &&
      o.threads * (o.lanes + 1) * mass_matrix_gigabytes(model, o) > largest_mass_matrix_gigabytes)
    o.lanes = 1;
  return o;
}

Plan make_plan(const Model&, const Options& o) {
  Plan plan;
  plan.algorithm = o.algorithm == Algorithm::cfa ? Algorithm::modular : o.algorithm;
  plan.modules = {.grain = o.grain, .cuts = o.cuts, .elimination = o.elimination};
  plan.corrections = o.corrections;
  plan.formulation = o.formulation;
  plan.factorization = o.factorization;
  plan.loops = o.loops;
  return plan;
}

int task_bodies(const Model& model, int threads) { return std::max(16, model.body_count() / (8 * threads)); }

double mass_matrix_gigabytes(const Model& model, const Options& options) {
  double entries = static_cast<double>(MassMatrix<double>::entry_count(model.data()));
  if (options.factorization == Factorization::dense) entries += static_cast<double>(model.nv()) * model.nv();
  return entries * sizeof(double) * 1e-9;
}

}  // namespace kinetree
