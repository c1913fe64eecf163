#pragma once
// States' own numbers (OwnNumbers), one state a lane, written to where kernels read those of the model: kernels know
// nothing of it.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "engine/algorithm/solver/solver.hpp"
#include "engine/model/own_numbers.hpp"
#include "engine/scalar/bytes.hpp"
#include "engine/scalar/index.hpp"
#if KINETREE_PACKS
#include "engine/scalar/lanes/side_by_side.hpp"
#endif

namespace kinetree::inline inner {

/// T: of numbers in memory. S: that of a Solver, which lies over one T, or over a register of them.
template <class T, class S>
class OwnLanes {
  static constexpr int lanes = Numbers<S>::count;

 public:
  OwnLanes(const OwnNumbers& own, Solver<S>& solver) : own_(own), rows_(lanes > 1 ? own.rows.size() : 0) {
    for (const OwnNumbers::Number& number : own.numbers)
      places_.push_back(solver.place_of(number.kind, number.index, number.entry));
    for (std::size_t b = 0; b < own.bodies.size(); ++b)
      bodies_.push_back(body(own.bodies[b], places_[inertia_numbers * b]));
    for (std::size_t r = 0; r < own.rows.size(); ++r) {
      if (own.rows[r].bounded()) bounded_.push_back({r, S(own.rows[r].least), S(own.rows[r].most)});
      if (!own.rows[r].of_inertia) others_.push_back(r);
    }
  }

  /// The states' numbers, a pointer a state; lanes left over repeat the last. One where all are certainly sound, lane
  /// by lane; elsewhere OwnNumbers::fault has the verdict.
  S take(std::span<const T* const> states) {
    const S* own = nullptr;
    if constexpr (lanes == 1) {
      own = std::bit_cast<const S*>(states.front());
    } else {
      put_together(rows_.data(), rows_.size(),
                   [&](int k) KINETREE_INLINE_LAMBDA { return states[std::min(at(k), states.size() - 1)]; });
      own = rows_.data();
    }
    const S none(0);
    S sound(1);
    std::size_t n = 0;
    for (const Body& b : bodies_) {
      RigidInertia<S> a;
      if (b.by_screw)
        take_by_screw(b, own, a);
      else
        for (std::size_t k = 0; k < inertia_numbers; ++k) number_of_inertia(a, static_cast<int>(k)) = sum(n + k, own);
      b.to->take(a);
      n += inertia_numbers;
      sound = select(is_rigid(a), sound, none);
    }
    for (; n < own_.numbers.size(); ++n)
      if (places_[n] != nullptr) *places_[n] = sum(n, own);
    for (const Bounded& b : bounded_) {
      sound = select(own[b.row] < b.least, none, sound);
      sound = select(own[b.row] > b.most, none, sound);
    }
    S zero(0);  // NaN where one is not finite
    for (const std::size_t r : others_) zero += none * own[r];
    return sound + zero;
  }

  std::size_t bytes() const { return bytes_of(places_, bodies_, rows_, bounded_, others_); }

 private:
  struct Bounded {
    std::size_t row;
    S least, most;
  };

  /// A body whose inertia varies, and where its own link's rows stand: how far behind a state's first.
  struct Body {
    std::array<std::size_t, inertia_numbers> bytes{};
    bool by_screw, against;
    ScrewZ<S> screw;
    RigidInertia<S>* to;
  };
  static Body body(const OwnNumbers::Body& b, S* first) {
    // the first of its numbers is the first in memory
    Body made{{},
              b.by_screw,
              b.against,
              {S(b.screw.c), S(b.screw.s), S(b.screw.d)},
              reinterpret_cast<RigidInertia<S>*>(first)};
    const std::size_t z = at(b.axis), x = (z + 1) % 3, y = (z + 2) % 3;
    const std::array<std::size_t, inertia_numbers> row{0,     1 + x, 1 + y,     1 + z,     4 + x,
                                                       4 + y, 4 + z, 6 + x + y, 6 + x + z, 6 + y + z};
    for (std::size_t k = 0; k < row.size(); ++k) made.bytes[k] = (at(b.row) + row[k]) * sizeof(S);
    return made;
  }
  KINETREE_INLINE static void take_by_screw(const Body& b, const S* own, RigidInertia<S>& a) {
    const auto row = [&](std::size_t k) -> const S& {
      return *reinterpret_cast<const S*>(reinterpret_cast<const std::byte*>(own) + b.bytes[k]);
    };
    a.mass = row(0);
    a.h.x = row(1), a.h.y = row(2), a.h.z = row(3);
    a.I.xx = row(4), a.I.yy = row(5), a.I.zz = row(6), a.I.xy = row(7), a.I.xz = row(8), a.I.yz = row(9);
    if (b.against) a.h.y = -a.h.y, a.h.z = -a.h.z, a.I.xy = -a.I.xy, a.I.xz = -a.I.xz;
    to_parent(b.screw, a);
  }
  /// Number n as the sum of its terms.
  S sum(std::size_t n, const S* own) const {
    const OwnNumbers::Number& number = own_.numbers[n];
    S x = S(number.constant);
    for (int t = n == 0 ? 0 : own_.numbers[n - 1].last_term; t < number.last_term; ++t)
      x += S(own_.terms[at(t)].factor) * own[own_.terms[at(t)].row];
    return x;
  }

  /// Whether the mass and the leading minors of the inertia about the centre of mass (times the mass) are above 0, and
  /// so all that there is is finite.
  KINETREE_INLINE static auto is_rigid(const RigidInertia<S>& a) {
    const S &m = a.mass, &x = a.h.x, &y = a.h.y, &z = a.h.z, none(0);
    const S xx = m * a.I.xx - (y * y + z * z), yy = m * a.I.yy - (x * x + z * z), zz = m * a.I.zz - (x * x + y * y);
    const S xy = m * a.I.xy + x * y, xz = m * a.I.xz + x * z, yz = m * a.I.yz + y * z;
    const S two = xx * yy - xy * xy;
    const S three = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    const S largest(std::numeric_limits<T>::max());
    return (m > none) & (xx > none) & (two > none) & (three > none) & (three < largest);
  }

  const OwnNumbers& own_;
  std::vector<S*> places_;  ///< over numbers; null: kernels read it nowhere
  std::vector<Body> bodies_;
  std::vector<S> rows_;  ///< of several states
  std::vector<Bounded> bounded_;
  std::vector<std::size_t> others_;  ///< rows that are of no inertia
};

}  // namespace kinetree::inline inner
