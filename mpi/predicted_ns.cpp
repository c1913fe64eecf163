#include "mpi/predicted_ns.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include "engine/algorithm/solver/loop_choice.hpp"
#include "engine/model/model_data.hpp"
#include "mpi/rank_clocks.hpp"
#include "mpi/rank_solver.hpp"
#include "mpi/spread_plan.hpp"
#include "parallel/weighed_operations.hpp"

namespace kinetree::inline inner {

std::optional<double> predicted_over_ranks(const Model& model, const Plan& plan, const Processes& on,
                                           const Calibration& calibration) {
  const MessageCost &within = calibration.messages.within, &between = calibration.messages.between;
  const bool shared = on.on_each_machine > 1, several = on.count > on.on_each_machine;
  if ((shared && within.bandwidth == 0) || (several && between.bandwidth == 0)) return std::nullopt;
  const SpreadModules spread = spread_modules(model, plan, on.count);
  const std::vector<double> all = loads(spread, on.count);
  if (*std::min_element(all.begin(), all.end()) == 0) return std::nullopt;
  const auto solver = rank_solver<double>(on.count, model, plan, std::make_shared<const Modules>(spread.modules));
  const Modules& own = solver->modules();  // with parts in lanes made anew
  const WeighedOperations operations = weighed(model.data(), own, multiplier_aggregates(model.data(), plan.loops),
                                               spread_method(model, plan, on.count).modules, spread.parts);
  const std::vector<Operations> ns = Prices(model, plan.loops, calibration).step_ns(own, operations, on);
  const RankSteps steps{solver->passes(), solver->space(), *solver->borders(), own, own.parts_of(model.data())};
  const double run = ranks_ns(steps, ns, on, calibration.messages);
  const double latency = std::max(shared ? within.latency : 0, several ? between.latency : 0);
  // at the beginning and at the end ranks tell each other by MPI_Allreduce whether all is well
  return run + 2 * latency * std::bit_width(static_cast<unsigned>(on.count - 1));
}

}  // namespace kinetree::inline inner
