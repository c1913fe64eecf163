#include "library/planner.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "engine/algorithm/composite_body.hpp"
#include "engine/algorithm/lanes/instruction_set.hpp"
#include "engine/algorithm/node/embedded_node.hpp"
#include "engine/algorithm/solver/loop_choice.hpp"
#include "engine/model/cut_rule.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/partition/part_modules.hpp"
#include "engine/scalar/index.hpp"
#include "library/choice.hpp"
#include "library/option_table.hpp"
#include "library/plan_check.hpp"
#include "parallel/executor.hpp"
#include "parallel/prices.hpp"
#include "parallel/processors.hpp"

namespace kinetree::inline inner {
namespace {

/// Which way loops are held, where that is one way for all.
void settle_loops(const ModelData& m, Options& o) {
  if (o.loops == Loops::automatic) {
    const std::vector<bool> chosen = multiplier_aggregates(m, o.loops);
    if (chosen.empty()) o.loops = Loops::embed;
    if (!chosen.empty() && std::count(chosen.begin(), chosen.end(), false) == 0) o.loops = Loops::multipliers;
  }
  if (m.aggregates.empty()) o.loops = Loops::embed;
}

/// Says whether embedding in lanes is predicted to beat `loops` one by one: counted operations, without prices. Uses
/// the default calibration: the answer decides which options are allowed.
bool embedding_pays(const Model& model, Loops loops, int lanes) {
  const auto work = [&](Loops way) {
    Method method;
    method.loops = way;
    return operations(model, method);
  };
  return work(Loops::embed) * Calibration{}.in_lanes(lanes) < lanes * work(loops);
}

/// As why_one_by_one, of options with lanes and loops chosen. States go one by one where each asks for an order of
/// operations of its own (which multipliers are held, which velocities the mass matrix is reduced to), and where mass
/// matrices would take too much memory.
std::string why_no_lanes(const Model& model, const Options& o) {
  if (o.algorithm != Algorithm::crb) return o.loops != Loops::embed ? "multipliers take states one by one" : "";
  if (has_loops(model.data())) return "crb takes states of models with loops one by one";
  const double gigabytes = o.threads * (o.lanes + 1) * mass_matrix_gigabytes(model, o.factorization);
  if (!(gigabytes > largest_mass_matrix_gigabytes)) return "";
  return "the mass matrices of crb side by side on " + std::to_string(o.threads) + " thread(s) would take " +
         std::to_string(std::lround(gigabytes)) + " GB (" + std::to_string(std::lround(largest_mass_matrix_gigabytes)) +
         " are allowed)";
}

[[noreturn]] void refuse_lanes(int lanes, const std::string& why) {
  throw OptionError("lanes is " + std::to_string(lanes) + ", and " + why + ": take lanes 1, or 0");
}

/// What a machine has. `given`: of so many threads, those that the executor gives.
struct Machine {
  std::function<int()> cores;
  std::function<Calibration()> calibration;
  std::function<int(int threads)> given;
};

Machine this_machine(ExecutorKind executor) {
  return {[] { return physical_cores(); }, [] { return kinetree::calibration(); },
          [executor](int threads) { return threads_given(executor, threads); }};
}

/// What `automatic` comes to for one state; with one thread, or one core, by the default calibration.
void choose_one(const Model& model, const Options& o, const Machine& machine, Planned& all) {
  const int cores = o.threads > 1 ? std::min(machine.cores(), machine.given(o.threads)) : 1;
  const Choice choice = choose(model, o, cores > 1 ? machine.calibration() : Calibration{}, cores);
  const Candidate& taken = choice.taken();
  Plan& plan = all.plan;
  plan.algorithm = taken.algorithm, plan.batch_algorithm = Algorithm::ab;
  plan.one_threads = machine.given(taken.threads), plan.batch_threads = machine.given(choice.batch_threads);
  plan.batch_from = std::max(2, choice.batch_from);
  plan.grain = taken.grain, plan.refinements = taken.refinements;
  plan.limbs = taken.limbs, plan.end_chains = taken.end_chains;
  if (taken.parts) all.parts = *taken.parts;
}

/// The settings of modules.
void settle_dial(const Options& o, Plan& plan) {
  plan.cuts = o.cuts, plan.elimination = o.elimination, plan.formulation = o.formulation;
  plan.refinements = planned_refinements(o);
  plan.grain = o.algorithm == Algorithm::cfa ? 1 : o.grain;
}

/// What a named algorithm leaves open.
void settle_named(const Model& model, const Options& o, const Machine& machine, Planned& all) {
  const ModelData& m = model.data();
  Plan& plan = all.plan;
  plan.one_threads = plan.batch_threads = machine.given(o.threads);
  plan.factorization = o.factorization;
  (o.algorithm == Algorithm::modular ? plan.end_chains : plan.limbs) = std::max(1, o.limbs);
  if (o.algorithm == Algorithm::cfa || o.algorithm == Algorithm::modular) settle_dial(o, plan);
  if (o.algorithm == Algorithm::ab) plan.grain = o.grain;
  all.parts = planned_parts(m, plan);
  if (o.algorithm != Algorithm::modular) return;
  if (all.parts.end_chains.all.empty())
    plan.end_chains = 1;
  else if (plan.grain <= 0)
    plan.grain = all.parts.end_chains.grain();
  // one module per core of this machine, whatever `threads` is, so that results do not depend on it
  if (plan.grain <= 0) plan.grain = grain_for(height_of(m), std::max(2, machine.cores()));
}

/// One thread is the caller's.
void settle_pinning(Plan& plan) {
  if (std::max(plan.one_threads, plan.batch_threads) <= 1) plan.pinning = Pinning::none;
}

Planned make_plan_on(const Model& model, const Options& options, const Machine& machine) {
  check_options(options);
  Options o = options;
  if (o.threads <= 0) o.threads = machine.cores();
  o = settled(model, o);
  Planned all{Plan(o.algorithm), {}};
  all.plan.executor = o.executor;
  all.plan.lanes = o.lanes;
  all.plan.loops = o.loops;
  all.plan.batch_loops = o.lanes > 1 ? Loops::embed : o.loops;
  all.plan.pinning = o.pinning;
  o.algorithm == Algorithm::automatic ? choose_one(model, o, machine, all) : settle_named(model, o, machine, all);
  settle_pinning(all.plan);
  return all;
}

}  // namespace

Options settled(const Model& model, Options o) {
  if (const std::string why = why_one_by_one(model, o); !why.empty()) {
    if (o.lanes > 1) refuse_lanes(o.lanes, why);
    o.lanes = 1;
  }
  if (o.lanes == 0) o.lanes = lane_width(instruction_set());
  settle_loops(model.data(), o);
  return o;
}

std::string why_one_by_one(const Model& model, Options o) {
  const ModelData& m = model.data();
  if (o.lanes == 0) o.lanes = lane_width(instruction_set());
  const bool open = o.loops == Loops::automatic && o.algorithm != Algorithm::crb && !m.aggregates.empty();
  const bool embeds_in_lanes = open && o.lanes > 1 && embedding_pays(model, o.loops, o.lanes);
  settle_loops(m, o);
  if (embeds_in_lanes) o.loops = Loops::embed;
  return why_no_lanes(model, o);
}

Planned make_plan(const Model& model, const Options& options) {
  return make_plan_on(model, options, this_machine(options.executor));
}

Planned make_plan(const Model& model, const Options& options, const Calibration& calibration, int cores) {
  return make_plan_on(model, options,
                      {[&] { return cores; }, [&] { return calibration; }, [](int threads) { return threads; }});
}

Parts planned_parts(const ModelData& m, const Plan& plan, const std::vector<int>& process) {
  Parts parts;
  if (plan.limbs <= 1 && plan.end_chains <= 1) return parts;
  const std::vector<bool> multipliers = multiplier_aggregates(m, plan.loops);
  const std::vector<BodyPrice> prices = body_prices(m, multipliers);
  const int most_bodies = plan.algorithm == Algorithm::ab ? plan.grain : 0;
  if (plan.limbs > 1) parts.limbs = find_limbs(m, plan.limbs, prices, multipliers, most_bodies, process);
  if (plan.end_chains > 1)
    parts.end_chains =
        find_end_chains(m, plan.end_chains, plan.grain, packs_may_pay(m, prices, plan.end_chains, plan.refinements),
                        parts.limbs.taken, multipliers);
  return parts;
}

Planned replay(const Model& model, const Plan& plan) {
  check_plan(plan);
  Options batch = options_of(plan);
  batch.algorithm = plan.batch_algorithm, batch.loops = plan.batch_loops;
  if (const std::string why = why_no_lanes(model, batch); !why.empty() && plan.lanes > 1) refuse_lanes(plan.lanes, why);
  Planned all{plan, planned_parts(model.data(), plan)};
  all.plan.one_threads = threads_given(plan.executor, plan.one_threads);
  all.plan.batch_threads = threads_given(plan.executor, plan.batch_threads);
  settle_pinning(all.plan);
  return all;
}

Method one_method(const Plan& plan) {
  Method method;
  method.algorithm = plan.algorithm == Algorithm::cfa ? Algorithm::modular : plan.algorithm;
  method.modules = {
      .grain = plan.algorithm == Algorithm::ab ? 0 : plan.grain, .cuts = plan.cuts, .elimination = plan.elimination};
  method.refinements = plan.refinements;
  method.formulation = plan.formulation;
  method.factorization = plan.factorization;
  method.loops = plan.loops;
  return method;
}

Method batch_method(const Plan& plan) {
  Method method = plan.batch_algorithm == plan.algorithm ? one_method(plan) : Method{};
  method.loops = plan.batch_loops;
  return method;
}

Modules modules_of(const Model& model, const Planned& planned) {
  const EndChains& chains = planned.parts.end_chains;
  return chains.all.empty() ? make_modules(model.data(), one_method(planned.plan).modules)
                            : end_chain_modules(model.data(), chains);
}

int cut_that_needs_double(const Model& model, const Planned& planned) {
  const Modules modules = modules_of(model, planned);
  if (!modules.any_cut()) return -1;
  const ModelData& m = modules.parts_of(model.data());
  const std::vector<bool> allows = bodies_that_allow_cuts(m, cuts_in_float).whole;
  for (const CutJoint& cut : modules.cuts)
    if (const int parent = m.parent[at(cut.body)];
        cut.rows > 0 && (!allows[at(cut.body)] || (cut.carried && !allows[at(parent)])))
      return m.whole_of(cut.body);
  return -1;
}

FloatPlan plan_in_float(const Model& model, const Planned& planned) {
  FloatPlan all{planned, cut_that_needs_double(model, planned)};
  // columns go without end chains, and so does one state where its lanes are too narrow
  if (all.lost_cut < 0 && !planned.parts.end_chains.all.empty() &&
      planned.plan.batch_algorithm == planned.plan.algorithm)
    all.lost_cut = cut_that_needs_double(model, {planned.plan, {}});
  if (all.lost_cut < 0 || planned.plan.batch_algorithm != Algorithm::ab) return all;
  Plan& plan = all.planned.plan;
  plan.algorithm = Algorithm::ab, plan.loops = plan.batch_loops, plan.refinements = 0;
  plan.one_threads = plan.limbs = plan.end_chains = 1;
  return {{plan, {}}};
}

int threads_for(const Plan& plan, int columns) {
  if (columns <= 1) return plan.one_threads;
  const int packs = (columns + plan.lanes - 1) / plan.lanes;
  return packs < plan.batch_from ? 1 : plan.batch_threads;
}

double mass_matrix_gigabytes(const Model& model, Factorization factorization) {
  double entries = static_cast<double>(MassMatrix<double>::entry_count(model.data()));
  if (factorization == Factorization::dense) entries += static_cast<double>(model.nv()) * model.nv();
  return entries * sizeof(double) * 1e-9;
}

}  // namespace kinetree::inline inner
