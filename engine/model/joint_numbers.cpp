#include "engine/model/joint_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "engine/joint/advance.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string called(const JointDescription& j) { return "joint \"" + j.name + "\""; }

/// One number for all, or each its own; `otherwise` where there is none.
double number_at(const std::vector<double>& numbers, int k, double otherwise) {
  if (numbers.empty()) return otherwise;
  return numbers.size() == 1 ? numbers.front() : numbers[static_cast<std::size_t>(k)];
}

}  // namespace

bool JointNumberChecks::counted(const JointDescription& j, const char* field, std::size_t count, std::size_t most) {
  if (count <= 1 || count == most) return true;
  say(Severity::error, j.line, called(j),
      std::string(field) + " has " + std::to_string(count) + " numbers; a " + j.type + " joint takes " +
          (most == 1 ? "1" : "1 or " + std::to_string(most)));
  return false;
}

void JointNumberChecks::not_negative(const JointDescription& j, const char* field, const PerFreedom& numbers,
                                     int count) {
  if (!counted(j, field, numbers.size(), static_cast<std::size_t>(count))) return;
  if (!finite(j.line, called(j), field, numbers.data(), static_cast<int>(numbers.size()))) return;
  for (const double x : numbers)
    if (x < 0)
      return say(Severity::error, j.line, called(j),
                 std::string(field) + " " + number(x) + " is negative; give a number >= 0");
}

void JointNumberChecks::check(JointDescription& j, JointType type) {
  if (type == JointType::fixed) {  // nothing moves: numbers of a motion say nothing
    j.passive = {}, j.limits = {};
    return;
  }
  const int n = velocity_count(type);
  not_negative(j, "damping", j.passive.damping, n);
  not_negative(j, "friction", j.passive.friction, n);
  not_negative(j, "stiffness", j.passive.stiffness, n);
  check_reference(j, type);
  check_limits(j, type);
}

void JointNumberChecks::check_reference(JointDescription& j, JointType type) {
  std::vector<double>& reference = j.passive.reference;
  const int count = position_count(type), quaternion = quaternion_at(type);
  if (reference.empty()) return;
  if (quaternion >= 0 && static_cast<int>(reference.size()) != count)
    return say(Severity::error, j.line, called(j),
               "reference has " + std::to_string(reference.size()) + " numbers; a " + j.type + " joint takes " +
                   std::to_string(count) + ", as q has its positions");
  if (!counted(j, "reference", reference.size(), static_cast<std::size_t>(count)) ||
      !finite(j.line, called(j), "reference", reference.data(), static_cast<int>(reference.size())) || quaternion < 0)
    return;
  std::array<double, 4> q{};
  std::copy_n(reference.begin() + quaternion, 4, q.begin());
  check_quaternion(j.line, called(j), q);
  std::copy(q.begin(), q.end(), reference.begin() + quaternion);
}

void JointNumberChecks::check_limits(JointDescription& j, JointType type) {
  LimitsDescription& l = j.limits;
  const int n = velocity_count(type);
  const std::pair<const char*, PerFreedom*> all[] = {{"lower limit", &l.lower},
                                                     {"upper limit", &l.upper},
                                                     {"velocity limit", &l.velocity},
                                                     {"effort limit", &l.effort}};
  for (const auto& [field, numbers] : all) {
    if (!counted(j, field, numbers->size(), static_cast<std::size_t>(n))) return;
    for (const double x : *numbers)
      if (std::isnan(x)) return say(Severity::error, j.line, called(j), std::string(field) + " is nan; give a number");
  }
  if (quaternion_at(type) >= 0 && (!l.lower.empty() || !l.upper.empty()))
    return say(Severity::error, j.line, called(j),
               "has limits of positions, and the orientation of a " + j.type + " joint has none; leave them out");
  for (const auto& [field, numbers] : {all[2], all[3]})
    for (const double x : *numbers)
      if (x < 0) {
        say(Severity::warning, j.line, called(j),
            std::string(field) + " " + number(x) + " is negative and left out; give a number >= 0");
        numbers->clear();
        break;
      }
  for (int k = 0; k < n; ++k) {
    const double lower = number_at(l.lower, k, -infinity), upper = number_at(l.upper, k, infinity);
    if (lower <= upper && lower < infinity && upper > -infinity) continue;
    say(Severity::warning, j.line, called(j),
        "no position is above the lower limit " + number(lower) + " and below the upper limit " + number(upper) +
            "; both are left out");
    l.lower.clear(), l.upper.clear();
    return;
  }
}

void JointNumberChecks::warn_beyond_limits(const JointDescription& j, const std::vector<double>& q) {
  if (j.limits.lower.empty() && j.limits.upper.empty()) return;  // as where positions have a quaternion
  for (int k = 0; k < static_cast<int>(q.size()); ++k) {
    const double lower = number_at(j.limits.lower, k, -infinity), upper = number_at(j.limits.upper, k, infinity);
    const double x = q[static_cast<std::size_t>(k)];
    if (x >= lower && x <= upper) continue;
    say(Severity::warning, j.line, called(j),
        "is locked at " + number(x) + ", beyond its limits " + number(lower) + " and " + number(upper) +
            "; lock it between them");
  }
}

namespace {

/// The numbers of all joints, position by position or velocity by velocity (`index`), as a body's joint gives them or,
/// where it gives none, as `usual` has them.
template <class Given, class Usual>
class JointNumbers {
 public:
  JointNumbers(const Description& d, const ModelData& m, const std::vector<int>& index, Given given, Usual usual)
      : d_(d), m_(m), index_(index), given_(given), usual_(usual) {}

  bool differ() const {
    for (std::size_t i = 0; i < m_.parent.size(); ++i)
      for (int k = 0; !given(i).empty() && k < count(i); ++k)
        if (number_at(given(i), k, usual(i, k)) != usual(i, k)) return true;
    return false;
  }
  void write(std::vector<double>& all) const {
    all.reserve(at(index_.back()));
    for (std::size_t i = 0; i < m_.parent.size(); ++i)
      for (int k = 0; k < count(i); ++k) all.push_back(number_at(given(i), k, usual(i, k)));
  }

 private:
  const std::vector<double>& given(std::size_t i) const { return given_(d_.bodies[at(m_.body_frame[i])].joint); }
  double usual(std::size_t i, int k) const { return usual_(m_.joint_type[i], k); }
  int count(std::size_t i) const { return index_[i + 1] - index_[i]; }

  const Description& d_;
  const ModelData& m_;
  const std::vector<int>& index_;
  Given given_;
  Usual usual_;
};

double no_force(JointType, int) { return 0; }
double no_upper_limit(JointType, int) { return infinity; }
double no_lower_limit(JointType, int) { return -infinity; }

}  // namespace

void take_joint_numbers(const Description& d, ModelData& m) {
  using Joint = const JointDescription&;
  const JointNumbers damping(
      d, m, m.v_index, [](Joint j) -> auto& { return j.passive.damping; }, no_force);
  const JointNumbers friction(
      d, m, m.v_index, [](Joint j) -> auto& { return j.passive.friction; }, no_force);
  const JointNumbers stiffness(
      d, m, m.v_index, [](Joint j) -> auto& { return j.passive.stiffness; }, no_force);
  const JointNumbers reference(
      d, m, m.q_index, [](Joint j) -> auto& { return j.passive.reference; }, zero_position);
  m.passive.any = damping.differ() || friction.differ() || stiffness.differ();
  if (m.passive.any || reference.differ()) {
    damping.write(m.passive.damping), friction.write(m.passive.friction), stiffness.write(m.passive.stiffness);
    reference.write(m.passive.reference);
  }
  const auto take = [](const auto& numbers, std::vector<double>& all) {
    if (numbers.differ()) numbers.write(all);
  };
  take(JointNumbers(
           d, m, m.q_index, [](Joint j) -> auto& { return j.limits.lower; }, no_lower_limit),
       m.limits.lower);
  take(JointNumbers(
           d, m, m.q_index, [](Joint j) -> auto& { return j.limits.upper; }, no_upper_limit),
       m.limits.upper);
  take(JointNumbers(
           d, m, m.v_index, [](Joint j) -> auto& { return j.limits.velocity; }, no_upper_limit),
       m.limits.velocity);
  take(JointNumbers(
           d, m, m.v_index, [](Joint j) -> auto& { return j.limits.effort; }, no_upper_limit),
       m.limits.effort);
}

}  // namespace kinetree::inline inner
