#include "bench/sweep/family_size.hpp"

#include <cmath>
#include <kinetree/finding.hpp>

#include "engine/model/family_text.hpp"

namespace kinetree::bench {

FamilySize::FamilySize(const std::string& source) {
  const FamilyText family = parse_family(source);
  bodies_ = family.bodies;
  const std::size_t colon = source.find(':') + 1;
  const std::size_t begin = family.word == "tree" ? source.find('x', colon) + 1 : colon;
  before_ = source.substr(0, begin);
  after_ = source.substr(std::min(source.find_first_not_of("0123456789", begin), source.size()));
}

std::optional<int> FamilySize::bodies_with(int size) const try {
  return parse_family(with(size)).bodies;
} catch (const InputError&) {
  return std::nullopt;
}

std::optional<int> FamilySize::least_size(double bodies) const {
  int low = 0, high = 1;  // bodies grow with the size
  for (std::optional<int> found; (found = bodies_with(high)) && *found < bodies; low = high, high *= 2) {
  }
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    const std::optional<int> found = bodies_with(middle);
    (found && *found < bodies ? low : high) = middle;
  }
  return bodies_with(high) ? std::optional(high) : std::nullopt;
}

std::optional<std::string> FamilySize::times(int factor) const {
  const double wanted = static_cast<double>(bodies_) * factor;
  const int above = least_size(wanted).value_or(0);
  std::optional<std::string> best;
  double off = 0.1 * wanted;
  for (const int size : {above, above - 1}) {
    const std::optional<int> bodies = size > 0 ? bodies_with(size) : std::nullopt;
    if (bodies && std::abs(*bodies - wanted) <= off) best = with(size), off = std::abs(*bodies - wanted);
  }
  return best;
}

}  // namespace kinetree::bench
