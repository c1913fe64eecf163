#include "parallel/lane_calibration.hpp"

#include <array>
#include <string>

#include "engine/algorithm/lanes/lane_solver.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/partition/parts.hpp"
#include "parallel/stopwatch.hpp"

namespace kinetree::inline inner {
namespace {

constexpr int calls = 20;

double alone_ns(const Model& model) {
  const auto modules = std::make_shared<const Modules>(make_modules(model.data(), {}));
  return solve_ns(model, *make_lane_solver<double>(instruction_set(), false, model, {}, modules), calls);
}

double parts_ns(const Model& model, const Parts& parts, int refinements) {
  Method method;
  if (!parts.end_chains.all.empty()) method.algorithm = Algorithm::modular, method.refinements = refinements;
  return solve_ns(model, *make_parts_solver<double>(instruction_set(), model, method, parts), calls);
}

/// The straight line through times of two lengths: the time per body, and the time without bodies.
struct Line {
  double body, rest;
};
/// Neither number is less than a tenth of its usual one, since a time may have been disturbed.
Line line_through(int short_length, double short_time, int long_length, double long_time, const Line& usual) {
  const double body = std::max((long_time - short_time) / (long_length - short_length), 0.1 * usual.body);
  return {body, std::max(short_time - short_length * body, 0.1 * usual.rest)};
}

void measure_limbs(int width, LaneCosts& costs) {
  constexpr std::array length{4, 16};
  std::array<double, 2> ns{};
  double body = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    const Model star = make_model("star:" + std::to_string(width) + "x" + std::to_string(length[k]));
    Parts parts;
    parts.limbs = find_limbs(star.data(), width);
    ns[k] = parts_ns(star, parts, 0);
    body = alone_ns(star) / star.nv();  // of the longer star, which is the last
  }
  const Line usual{costs.limb_body, costs.limb_pack + width * costs.limb};
  const Line line = line_through(length[0], ns[0] / body, length[1], ns[1] / body, usual);
  const double scale = line.rest / usual.rest;  // of three costs, which one measured time does not tell apart
  costs.limb_body = line.body;
  costs.limb_pack *= scale, costs.limb *= scale, costs.limb_parent *= scale;
}

void measure_end_chains(int width, LaneCosts& costs) {
  constexpr std::array length{8, 32};
  double ns[2][2], body = 0;  // without and with a refinement; short, long
  for (std::size_t k = 0; k < 2; ++k) {
    const Model chain = make_model("chain:" + std::to_string(width * length[k]));
    Parts parts;
    parts.end_chains = find_end_chains(chain.data(), width, 0);
    for (const int refinements : {0, 1}) ns[refinements][k] = parts_ns(chain, parts, refinements);
    body = alone_ns(chain) / chain.nv();
  }
  const auto measure = [&](LaneCosts::EndChain& cost, double short_ns, double long_ns) {
    const Line usual{cost.body, width * (cost.module + cost.join)};
    const Line line = line_through(length[0], short_ns / body, length[1], long_ns / body, usual);
    cost.body = line.body;
    cost.module *= line.rest / usual.rest, cost.join *= line.rest / usual.rest;
  };
  measure(costs.end_chain_refined, ns[1][0] - ns[0][0], ns[1][1] - ns[0][1]);
  measure(costs.end_chain, ns[0][0], ns[0][1]);
}

}  // namespace

void measure_lanes(Calibration& calibration) {
  for (const int width : limb_widths(instruction_set())) {
    LaneCosts& costs = calibration.in_lanes(width) = default_lane_costs(width);
    measure_limbs(width, costs);
    if (width > 2) measure_end_chains(width, costs);  // end chains in two lanes never pay
  }
}

}  // namespace kinetree::inline inner
