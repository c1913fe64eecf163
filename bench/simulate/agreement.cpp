#include "bench/simulate/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/scalar/worst.hpp"

namespace kinetree::bench {
namespace {

double difference(const Eigen::Ref<const Eigen::VectorXd>& a, const Eigen::Ref<const Eigen::VectorXd>& b) {
  double worst = 0;
  for (Eigen::Index k = 0; k < a.size(); ++k) keep_worst(worst, std::abs(a[k] - b[k]) / (1 + std::abs(b[k])));
  return worst;
}

/// Rounded down, from 0 to 16.
std::string digits(double difference) {
  return difference > 0 ? fmt::format("{:.1f}", std::floor(std::clamp(-std::log10(difference), 0., 16.) * 10) / 10)
                        : "16";
}

std::string words_of(const SimulationOptions& how) {
  return has_tolerance(how.integrator) ? fmt::format("tolerance {:.3g}", how.tolerance)
                                       : fmt::format("steps of {:.3g} s", how.step);
}

}  // namespace

SimulationOptions finer(const SimulationOptions& how, double every) {
  SimulationOptions options = how;
  if (has_tolerance(how.integrator)) {
    options.tolerance = std::max(how.tolerance / 100, std::min(2e-14, how.tolerance / 2));
    options.longest_step = std::min(how.longest_step, every / 2);
  } else {
    options.step = how.step / 2;
  }
  return options;
}

std::string agreement(Simulation& again, const SimulationOptions& how, const std::vector<Sample>& samples,
                      const std::function<Status(double time)>& advance) {
  const std::string with = words_of(how);
  Status status = again.reset(samples.front().q, samples.front().v, samples.front().time);
  double q = 0, v = 0, worst_q = 0, worst_v = 0;
  for (std::size_t k = 1; k < samples.size() && status.ok(); ++k) {
    status = advance(samples[k].time);
    if (!status.ok()) break;
    q = difference(samples[k].q, again.q()), v = difference(samples[k].v, again.v());
    keep_worst(worst_q, q), keep_worst(worst_v, v);
  }
  if (!status.ok())
    return fmt::format("check        {} ends at {:.6g} s: {}\n", with, again.time(), status.message(again.model()));
  return fmt::format("check        {}, {} evaluations: q agrees to {} digits at the end ({} at worst), v to {} ({})\n",
                     with, again.evaluations(), digits(q), digits(worst_q), digits(v), digits(worst_v));
}

std::string agreement_hint(const SimulationOptions& how, double every, const std::vector<Sample>& samples) {
  const bool moved =
      std::ranges::any_of(samples, [&](const Sample& s) { return s.q != samples.front().q || !s.v.isZero(0); });
  return moved ? fmt::format("check        not made: --check takes the motion again, by {}, and counts digits\n",
                             words_of(finer(how, every)))
               : "";
}

}  // namespace kinetree::bench
