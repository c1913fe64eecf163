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

std::optional<std::string> FamilySize::nearest(double bodies) const {
  int low = 0, high = 1;  // bodies grow with the size: `high` is to be the least size with as many
  for (std::optional<int> found; (found = bodies_with(high)) && *found < bodies; low = high, high *= 2) {
  }
  if (!bodies_with(high)) return std::nullopt;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (bodies_with(middle).value_or(0) < bodies ? low : high) = middle;
  }
  const bool lower = low > 0 && bodies - *bodies_with(low) < *bodies_with(high) - bodies;
  return with(lower ? low : high);
}

std::optional<std::string> FamilySize::times(int factor) const {
  const double wanted = static_cast<double>(bodies_) * factor;
  const std::optional<std::string> text = nearest(wanted);
  if (!text || std::abs(FamilySize(*text).bodies() - wanted) > 0.1 * wanted) return std::nullopt;
  return text;
}

}  // namespace kinetree::bench
