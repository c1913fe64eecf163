#include <algorithm>
#include <cmath>
#include <kinetree/simulation/drives.hpp>
#include <limits>
#include <stdexcept>
#include <string>

#include "engine/scalar/index.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree {
namespace {

/// What is wrong with a drive, else empty.
std::string fault_of(const Drive& d, int nv) {
  if (d.velocity < 0 || d.velocity >= nv)
    return "there is no entry " + std::to_string(d.velocity) + " of v, which has " + std::to_string(nv) + " from 0 on";
  if (d.times.empty()) return "there are no times; give one at least";
  if (d.times.size() != d.forces.size())
    return "there are " + std::to_string(d.times.size()) + " times and " + std::to_string(d.forces.size()) +
           " forces; give as many of both";
  for (std::size_t k = 0; k < d.times.size(); ++k) {
    if (!std::isfinite(d.times[k]) || !std::isfinite(d.forces[k]))
      return "row " + std::to_string(k) + " is " + number_text(d.times[k]) + ", " + number_text(d.forces[k]) +
             "; give finite numbers";
    if (k > 0 && d.times[k] < d.times[k - 1])
      return "the time " + number_text(d.times[k]) + " stands after " + number_text(d.times[k - 1]) +
             "; give times in ascending order";
    if (k > 1 && d.times[k] == d.times[k - 2])
      return "the time " + number_text(d.times[k]) + " stands three times; a jump has two";
  }
  return "";
}

}  // namespace

Drives::Drives(const Model& model, std::vector<Drive> drives) : drives_(std::move(drives)) {
  for (std::size_t k = 0; k < drives_.size(); ++k)
    if (const std::string fault = fault_of(drives_[k], model.nv()); !fault.empty())
      throw std::invalid_argument("drive " + std::to_string(k) + ": " + fault);
  pieces_.resize(drives_.size());
  (void)go_on_from(-std::numeric_limits<double>::infinity());
}

double Drives::go_on_from(double time) {
  double next = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < drives_.size(); ++k) {
    const Drive& d = drives_[k];
    const auto after = static_cast<std::size_t>(std::ranges::upper_bound(d.times, time) - d.times.begin());
    const std::size_t begin = after == 0 ? 0 : after - 1;
    pieces_[k] = {d.velocity, d.times[begin], d.forces[begin], 0};
    if (after == d.times.size()) continue;
    next = std::min(next, d.times[after]);
    if (after > 0 && !d.held)
      pieces_[k].slope = (d.forces[after] - d.forces[begin]) / (d.times[after] - d.times[begin]);
  }
  return next;
}

}  // namespace kinetree
