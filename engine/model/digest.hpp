#pragma once
// Digests of numbers. By a model's, programs on several machines tell whether they have the same.

#include <bit>
#include <cstdint>
#include <kinetree/export.hpp>
#include <string>
#include <vector>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// FNV-1a in 64 bits (Fowler, Noll & Vo), number by number, since structures have gaps between theirs.
class Digest {
 public:
  void add(std::uint64_t number) {
    for (int byte = 0; byte < 8; ++byte) value_ = (value_ ^ (number >> (8 * byte) & 0xff)) * 1099511628211U;
  }
  void add(int number) { add(static_cast<std::uint64_t>(number)); }
  void add(bool flag) { add(static_cast<std::uint64_t>(flag)); }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  void add(JointType type) { add(static_cast<int>(type)); }
  void add(const std::string& text) {
    add(text.size());
    for (const char letter : text) add(static_cast<int>(letter));
  }
  void add(const Vector3<double>& a) { add(a.x), add(a.y), add(a.z); }
  void add(const Transform<double>& X) {
    for (const double number : {X.E.xx, X.E.xy, X.E.xz, X.E.yx, X.E.yy, X.E.yz, X.E.zx, X.E.zy, X.E.zz}) add(number);
    add(X.r);
  }
  void add(const RigidInertia<double>& a) {
    add(a.mass), add(a.h);
    for (const double number : {a.I.xx, a.I.yy, a.I.zz, a.I.xy, a.I.xz, a.I.yz}) add(number);
  }
  void add(const Link<double>& link) {
    add(link.X_tree), add(link.I), add(link.constant[0]), add(link.constant[1]), add(link.axial), add(link.origin);
  }
  void add(const Loop& loop) {
    add(loop.name), add(static_cast<int>(loop.type)), add(loop.first), add(loop.second);
    add(loop.X_first), add(loop.X_second), add(loop.cosine), add(loop.rounded);
    for (const HeldRow& row : loop.held)
      for (const double number : row.of) add(number);
  }
  void add(const Coupling& coupling) {
    add(coupling.name), add(coupling.terms.size()), add(coupling.offset);
    for (const auto& [body, coefficient] : coupling.terms) add(body), add(coefficient);
    for (const auto& factors : coupling.powers)
      for (const double factor : factors) add(factor);
  }
  void add(const RegularRank& rank) { add(rank.rank), add(rank.q); }
  void add(const Aggregate& aggregate) {
    add(aggregate.bodies), add(aggregate.freedoms), add(aggregate.ranks), add(aggregate.independent);
    add(aggregate.chosen_by_user), add(aggregate.rounding.rank), add(aggregate.rounding.nearest);
  }
  void add(const Frame& frame) { add(frame.name), add(frame.body), add(frame.X_frame_body); }
  template <class T>
  void add(const std::vector<T>& all) {
    add(all.size());
    for (const T& each : all) add(each);
  }

  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 14695981039346656037U;
};

/// Equal for models whose names and numbers are equal bit for bit; else different, but for a chance of 2⁻⁶⁴. What is
/// derived from these, looks and findings are left out.
KINETREE_EXPORT std::uint64_t digest(const ModelData& model);

}  // namespace kinetree::inline inner
