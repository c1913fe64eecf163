#include "bench/simulate/balance.hpp"

#include <fmt/format.h>

namespace kinetree::bench {

std::string Balance::text(bool constrained) const {
  std::string off = fmt::format("furthest off by {:.3g} J", off_);
  // a kinetic energy that is rounding of the energy tells nothing
  if (kinetic_ > 1e-12 * (std::abs(start_) + std::abs(energy_)))
    off += fmt::format(" ({:.3g} of the largest kinetic energy)", off_ / kinetic_);
  std::string text = fmt::format("energy       {:.10g} J at the start, {:.10g} J at the end", start_, energy_);
  text += worked_ ? fmt::format("\nwork         {:.10g} J by forces; energy less work is {}\n", work_, off)
                  : fmt::format(", {}\n", off);
  if (constrained) text += fmt::format("constraints  largest error {:.3g} (m, rad)\n", error_);
  return text;
}

}  // namespace kinetree::bench
