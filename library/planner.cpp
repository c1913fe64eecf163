#include "library/planner.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>

#include "engine/algorithm/composite_body.hpp"
#include "engine/algorithm/embedded_node.hpp"
#include "engine/algorithm/lanes/limb_choice.hpp"
#include "engine/algorithm/multipliers_choice.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/end_chain_modules.hpp"
#include "engine/partition/make_modules.hpp"
#include "library/option_table.hpp"
#include "parallel/costs.hpp"
#include "parallel/executor.hpp"
#include "parallel/processors.hpp"

namespace kinetree::inline inner {
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

/// The most bodies in a row, from parent to child, whose joints slide and do not turn.
int longest_slide(const ModelData& m) {
  std::vector<int> slide(m.parent.size(), 0);
  int longest = 0;
  for (std::size_t i = 0; i < m.parent.size(); ++i) {
    if (m.joint_type[i] != JointType::prismatic) continue;
    slide[i] = 1 + (m.parent[i] < 0 ? 0 : slide[at(m.parent[i])]);
    longest = std::max(longest, slide[i]);
  }
  return longest;
}

/// Which way loops are held, where that is one way for all. Loops::automatic stays where some aggregates go one way and
/// some the other.
void settle_loops(const ModelData& m, Options& o) {
  if (o.loops == Loops::automatic) {
    const std::vector<bool> chosen = multiplier_aggregates(m, o.loops);
    if (chosen.empty()) o.loops = Loops::embed;
    if (!chosen.empty() && std::count(chosen.begin(), chosen.end(), false) == 0) o.loops = Loops::multipliers;
  }
  if (m.aggregates.empty()) o.loops = Loops::embed;
}

/// Whether states go one by one because each would ask for another order of operations: which multipliers are held,
/// which velocities the mass matrix is reduced to.
bool orders_by_numbers(const ModelData& m, Algorithm algorithm, Loops loops) {
  return loops != Loops::embed || (algorithm == Algorithm::crb && has_loops(m));
}

/// Whether embedding, states side by side, is predicted to beat what `loops` comes to, one by one.
bool embedding_pays(const ModelData& m, Loops loops, int lanes) {
  constexpr double of_lanes = 0.6;  // what lanes gain where there are loops (AVX2: 2.0 to 3.1 of 4)
  const auto work = [&](Loops way) {
    double sum = 0;
    for (const BodyOperations& body : body_operations(m, way)) sum += body.all();
    return sum;
  };
  return work(Loops::embed) < of_lanes * lanes * work(loops);
}

/// Bodies per module that give so many modules on the longest path. The outermost carries no columns: of two modules,
/// what is left over for the innermost is 0.61 of a grain, which takes as long (measured).
int grain_for(int height, int modules) {
  const double grains = modules == 2 ? 1.61 : modules;
  return std::max(1, static_cast<int>(std::ceil(height / grains)));
}

Options options_of(const Candidate& c, Options o) {
  o.algorithm = c.algorithm;
  o.one_threads = c.threads;
  o.grain = c.grain;
  o.limbs = c.limbs;
  o.cuts = Cuts::paths;
  o.elimination = Elimination::cyclic;
  o.formulation = Formulation::direct;
  o.refinements = c.refinements;
  return o;
}

/// Packs from which on `threads` threads pay, each pack taking `ns`. Threads that share a core are left out of account:
/// on a batch they lose little, and may have been held up only while they were measured.
int paying_packs(double ns, int threads, const SchedulingCost& cost) {
  for (int packs = 2;; ++packs) {
    const int used = std::min(packs, threads), rounds = (packs + used - 1) / used;
    const double together = rounds * ns + cost.task + cost.fork + cost.thread * (used - 2);
    if (together <= (1 - worth_a_thread) * packs * ns || packs == 1 << 20) return packs;
  }
}

/// The limbs of a state that may go side by side: as asked for, or as many as save most.
Limbs planned_limbs(const ModelData& m, const Options& o) {
  const std::vector<bool> by_multipliers = multiplier_aggregates(m, o.loops);
  return o.limbs == 0 ? best_limbs(m, instruction_set(), by_multipliers) : find_limbs(m, o.limbs, by_multipliers);
}

/// Refinements of modules where a caller left them open. Without one they lose digits by what no rule on a model's
/// numbers bounds: light links between heavy ones, short between long, forces that almost balance (docs/accuracy.md).
int planned_refinements(const Options& o) { return o.refinements < 0 ? 1 : o.refinements; }

/// The chains of a state whose modules may go side by side, a pack of each for every thread: as many modules as asked
/// for, or as save most.
EndChains planned_end_chains(const ModelData& m, const Options& o, int threads) {
  EndChains best = find_end_chains(m, 1, 0);
  double least = static_cast<double>(m.parent.size());
  for (const int width : limb_widths(instruction_set())) {
    if (o.limbs != 0 && o.limbs != width) continue;
    const int refinements = planned_refinements(o), least_length = paying_length(width, refinements);
    EndChains chains = find_end_chains(m, width, 0, least_length);
    if (threads > 1 && !chains.all.empty())
      chains = find_end_chains(m, width, (chains.grain() + threads - 1) / threads, least_length);
    const PartsCost cost = cost_of(chains, refinements);
    const double bodies = cost.packs / threads + cost.joins + cost.rest;
    if (chains.all.empty() || bodies >= least) continue;
    least = bodies;
    best = std::move(chains);
  }
  return best;
}

Candidate candidate_of(const EndChains& chains, const Options& o, int threads) {
  return {.algorithm = Algorithm::modular,
          .threads = threads,
          .grain = chains.grain(),
          .limbs = chains.width,
          .refinements = planned_refinements(o)};
}

/// What one thread does, by what sweeps take in bodies.
Candidate best_alone(const ModelData& m, const Options& o) {
  const Limbs limbs = planned_limbs(m, o);
  if (const EndChains chains = planned_end_chains(m, o, 1); !chains.all.empty()) {
    const Candidate c = candidate_of(chains, o, 1);
    if (cost_of(chains, c.refinements).all() < limbs.cost.all()) return c;
  }
  return {.limbs = limbs.width};
}

/// By name: modules of chains as asked for, or, where there is no chain that pays, none side by side.
void settle_end_chains(const ModelData& m, Options& o) {
  o.refinements = planned_refinements(o);
  const EndChains chains = find_end_chains(m, o.limbs, o.grain, paying_length(o.limbs, o.refinements));
  if (chains.all.empty())
    o.limbs = 1;
  else
    o.grain = chains.grain();
}

/// What `automatic` comes to; with one thread, or one core, there is nothing to weigh.
void settle(const Model& model, Options& o, int cores, const std::function<Calibration()>& calibration) {
  const bool open = o.threads > 1 && cores > 1;
  const Choice choice =
      open ? choose(model, o, calibration(), cores) : Choice{.candidates = {best_alone(model.data(), o)}};
  o = options_of(choice.candidates[choice.chosen], o);
  o.batch_threads = choice.batch_threads;
  o.batch_from = choice.batch_from;
  o.batches_by_ab = true;
}

/// What this machine has. `threads`: of so many, what the executor gives.
struct Machine {
  std::function<int()> cores;
  std::function<Calibration()> calibration;
  std::function<int(int threads)> given;
};

Options resolve_by(const Model& model, Options o, const Machine& machine) {
  check_options(o);
  if (o.threads <= 0) o.threads = machine.cores();
  if (const std::string why = why_one_by_one(model, o); !why.empty()) {
    if (o.lanes > 1) throw OptionError("lanes is " + std::to_string(o.lanes) + ", and " + why + ": take lanes 1, or 0");
    o.lanes = 1;
  }
  if (o.lanes == 0) o.lanes = lane_width(instruction_set());
  const bool automatic = o.algorithm == Algorithm::automatic;
  settle_loops(model.data(), o);
  if (o.algorithm == Algorithm::ab && o.loops != Loops::embed && o.lanes > 1) o.batches_by_ab = true;
  if (automatic) {
    const int cores = o.threads > 1 ? std::min(machine.cores(), machine.given(o.threads)) : 1;
    settle(model, o, cores, machine.calibration);
  }
  const bool dial = o.algorithm == Algorithm::cfa || o.algorithm == Algorithm::modular;
  if (o.algorithm == Algorithm::cfa) o.grain = 1;
  if (o.algorithm == Algorithm::modular && o.limbs > 1) settle_end_chains(model.data(), o);
  // one module per core of this machine, whatever `threads` is, so that results do not depend on it
  if (o.algorithm == Algorithm::modular && o.grain <= 0)
    o.grain = grain_for(height_of(model.data()), std::max(2, machine.cores()));
  if (!dial) {
    o.grain = 0;
    o.cuts = Cuts::paths;
    o.elimination = Elimination::cyclic;
    o.formulation = Formulation::direct;
    o.refinements = 0;
  } else {
    o.refinements = planned_refinements(o);
  }
  if (o.algorithm != Algorithm::crb) o.factorization = Factorization::sparse;
  const auto all_or = [&](int threads) {
    return machine.given(threads > 0 ? std::min(threads, o.threads) : o.threads);
  };
  o.one_threads = all_or(o.one_threads);
  o.batch_threads = all_or(o.batch_threads);
  o.batch_from = std::max(2, o.batch_from);
  const bool alongside = o.algorithm == Algorithm::ab || o.algorithm == Algorithm::modular;
  if (!alongside || o.limbs == 0) o.limbs = 1;
  return o;
}

}  // namespace

std::string why_one_by_one(const Model& model, Options o) {
  const ModelData& m = model.data();
  if (o.lanes == 0) o.lanes = lane_width(instruction_set());
  const bool open = o.loops == Loops::automatic && o.algorithm != Algorithm::crb && !m.aggregates.empty();
  const bool embeds_in_lanes = o.batches_by_ab || (open && embedding_pays(m, o.loops, o.lanes));
  settle_loops(m, o);
  if (o.lanes > 1 && embeds_in_lanes) o.loops = Loops::embed;
  if (orders_by_numbers(m, o.algorithm, o.loops))
    return o.algorithm == Algorithm::crb ? "crb takes states of models with loops one by one"
                                         : "multipliers take states one by one";
  if (o.algorithm != Algorithm::crb) return "";
  const double gigabytes = o.threads * (o.lanes + 1) * mass_matrix_gigabytes(model, o);
  if (!(gigabytes > largest_mass_matrix_gigabytes)) return "";
  return "the mass matrices of crb side by side on " + std::to_string(o.threads) + " thread(s) would take " +
         std::to_string(std::lround(gigabytes)) + " GB (" + std::to_string(std::lround(largest_mass_matrix_gigabytes)) +
         " are allowed)";
}

Choice choose(const Model& model, const Options& options, const Calibration& calibration, int cores) {
  const ModelData& m = model.data();
  const int most = std::clamp(options.threads, 1, std::max(1, cores)), height = height_of(m);
  const int sliding = longest_slide(m);
  Choice choice;
  std::vector<Candidate>& all = choice.candidates;
  for (int threads = 1; threads <= most; ++threads) {
    all.push_back({Algorithm::ab, threads});
    // an aggregate's joints are never cut, and modules embed; a module that only slides loses what `ab` keeps
    const int grain = grain_for(height, threads);
    if (threads > 1 && height > 1 && m.aggregates.empty() && sliding < grain)
      all.push_back({Algorithm::modular, threads, grain});
  }
  const Costs costs(model, options.loops, calibration);
  const auto of_cuts = [&](Candidate c) {
    c.refinements = c.algorithm == Algorithm::modular ? planned_refinements(options) : 0;
    c.ns = costs.least_ns(options_of(c, options));
    c.at_least = true;
    return c;
  };
  std::transform(all.begin(), all.end(), all.begin(), of_cuts);
  const auto add_parts = [&](Candidate c, const PartsCost& cost, int meetings) {
    c.ns = costs.predicted_ns(cost, meetings, options_of(c, options));
    all.push_back(c);
  };
  // meetings of limbs with what they hang from, and of packs with what joins them
  if (const Limbs limbs = planned_limbs(m, options); limbs.width > 1)
    for (int threads = 1; threads <= most; ++threads)
      add_parts({.threads = threads, .limbs = limbs.width}, limbs.cost, meetings(options.executor, 2, 3));
  for (int threads = 1; threads <= most; ++threads) {
    const EndChains chains = planned_end_chains(m, options, threads);
    if (chains.all.empty()) break;
    const Candidate c = candidate_of(chains, options, threads);
    add_parts(c, cost_of(chains, c.refinements), 6 + 4 * c.refinements);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& a, const Candidate& b) { return a.threads < b.threads; });
  // the most promising first, so that most need not be worked out
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return all[a].ns < all[b].ns; });
  std::erase(order, std::size_t{0});
  order.insert(order.begin(), 0);
  double best = std::numeric_limits<double>::infinity();
  for (const std::size_t k : order) {
    Candidate& c = all[k];
    if ((1 - worth_a_thread) * c.ns > best) continue;
    if (c.at_least) c.ns = costs.predicted_ns(options_of(c, options));
    c.at_least = false;
    best = std::min(best, c.ns);
  }
  // the fewest threads that do nearly as well, and of their plans the faster
  const auto does = [&](const Candidate& c) { return !c.at_least && (1 - worth_a_thread) * c.ns <= best; };
  choice.chosen = static_cast<std::size_t>(std::find_if(all.begin(), all.end(), does) - all.begin());
  for (std::size_t k = choice.chosen + 1; k < all.size() && all[k].threads == all[choice.chosen].threads; ++k)
    if (does(all[k]) && all[k].ns < all[choice.chosen].ns) choice.chosen = k;

  choice.batch_threads = most;
  if (most > 1)
    choice.batch_from =
        paying_packs(all[0].ns * (options.lanes > 1 ? calibration.pack : 1), most, calibration.of(options.executor));
  return choice;
}

Options resolve(const Model& model, Options options) {
  return resolve_by(model, options,
                    {[] { return physical_cores(); }, [&] { return kinetree::calibration(options.executor); },
                     [&](int threads) { return threads_given(options.executor, threads); }});
}

Options resolve(const Model& model, Options options, const Calibration& calibration, int cores) {
  return resolve_by(model, options,
                    {[&] { return cores; }, [&] { return calibration; }, [](int threads) { return threads; }});
}

Plan make_batch_plan(const Options& o) {
  if (!o.batches_by_ab) return make_plan(o);
  Plan plan;
  plan.loops = o.lanes > 1 ? Loops::embed : o.loops;
  return plan;
}

EndChains end_chains_of(const Model& model, const Options& plan) {
  if (plan.algorithm != Algorithm::modular || plan.limbs <= 1) return {};
  return find_end_chains(model.data(), plan.limbs, plan.grain, paying_length(plan.limbs, plan.refinements));
}

Modules modules_of(const Model& model, const Options& plan) {
  const EndChains chains = end_chains_of(model, plan);
  return chains.all.empty() ? make_modules(model.data(), make_plan(plan).modules)
                            : end_chain_modules(model.data(), chains);
}

int threads_for(const Options& plan, int columns) {
  if (columns <= 1) return plan.one_threads;
  const int lanes = std::max(1, plan.lanes), packs = (columns + lanes - 1) / lanes;
  return packs < plan.batch_from ? 1 : plan.batch_threads;
}

double mass_matrix_gigabytes(const Model& model, const Options& options) {
  double entries = static_cast<double>(MassMatrix<double>::entry_count(model.data()));
  if (options.factorization == Factorization::dense) entries += static_cast<double>(model.nv()) * model.nv();
  return entries * sizeof(double) * 1e-9;
}

}  // namespace kinetree::inline inner
