#include "bench/violation_words.hpp"

#include <fmt/format.h>

namespace kinetree::bench {

std::string violation_words(Closure& closure, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  std::string text;
  for (const Violation& broken : closure.violations(q.data(), v.data()))
    text += fmt::format("{}{} is broken by the {}, by {:.3g} (1e-8 is allowed)", text.empty() ? "" : "; ",
                        broken.constraint, broken.velocity ? "velocities" : "positions", broken.amount);
  return text;
}

}  // namespace kinetree::bench
