#pragma once
// States' own numbers (OwnNumbers), one state a lane, written to where kernels read those of the model: kernels know
// nothing of it.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
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
    int term = 0;
    for (std::size_t n = 0; n < own.numbers.size(); ++n) {
      const OwnNumbers::Number& number = own.numbers[n];
      places_.push_back(solver.place_of(number.kind, number.index, number.entry));
      const OwnNumbers::Term& one = own.terms[at(term)];
      if (n >= inertia_numbers * own.bodies.size() && places_.back() != nullptr)
        alone_.push_back({places_.back(), n, at(one.row), S(one.factor)});
      term = number.last_term;
    }
    for (std::size_t b = 0; b < own.bodies.size(); ++b)
      bodies_.push_back(body(own.bodies[b], places_[inertia_numbers * b]));
    for (std::size_t r = 0; r < own.rows.size(); ++r) {
      const OwnNumbers::Row& row = own.rows[r];
      if (std::isfinite(row.least)) bounds_.push_back({r, S(1), S(row.least)});
      if (std::isfinite(row.most)) bounds_.push_back({r, S(-1), S(-row.most)});
      if (!row.of_inertia) others_.push_back(r);
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
    Verdict verdict;
    std::size_t n = 0;
    for (const Body& b : bodies_) {
      if (b.by_screw) {
        RigidInertia<S> a;  // in registers: sums, that need it in memory, have no part in it
        take_by_screw(b, own, a);
        b.to->take(a);
        judge(a, verdict);
      } else {
        for (std::size_t k = 0; k < inertia_numbers; ++k) *places_[n + k] = sum(n + k, own);
        judge(*b.to, verdict);
      }
      n += inertia_numbers;
    }
    for (const Alone& x : alone_) *x.to = x.factor * own[x.row];
    for (const Bound& b : bounds_) verdict.slack = lesser(verdict.slack, b.sign * own[b.row] - b.least);
    for (const std::size_t r : others_) verdict.zero += none * own[r];
    const S sound = select(verdict.least > none, S(1), none);
    return select(verdict.slack < none, none, sound) + verdict.zero;
  }

  /// Of the numbers that `keep` gives.
  std::size_t count() const { return places_.size(); }
  /// All numbers that `take` found for several states, also numbers that kernels of this solver do not read.
  void keep(S* to) const {
    for (std::size_t n = 0; n < places_.size(); ++n) {
      const OwnNumbers::Term& last = own_.terms[at(own_.numbers[n].last_term - 1)];
      to[n] = places_[n] != nullptr ? *places_[n] : S(last.factor) * rows_[at(last.row)];
    }
  }
  /// In place of `take`.
  void recall(const S* from) {
    const auto* inertia = reinterpret_cast<const RigidInertia<S>*>(from);
    for (const Body& b : bodies_) b.to->take(*inertia++);
    for (const Alone& x : alone_) *x.to = from[x.number];
  }

  std::size_t bytes() const { return bytes_of(places_, bodies_, alone_, rows_, bounds_, others_); }

 private:
  /// A number that one row gives.
  struct Alone {
    S* to;
    std::size_t number, row;
    S factor;
  };
  /// sign times the row is at least `least`.
  struct Bound {
    std::size_t row;
    S sign, least;
  };
  /// Sound where `least` is above 0, `slack` is not below it, and `zero` is finite.
  struct Verdict {
    S least{1}, slack{0}, zero{0};
  };

  /// A body whose inertia varies, and where its own link's rows stand: how far behind a state's first.
  struct Body {
    std::array<std::size_t, inertia_numbers> bytes{};
    bool by_screw, against;
    bool still;  ///< the screw moves nothing
    ScrewZ<S> screw;
    RigidInertia<S>* to;
  };
  static Body body(const OwnNumbers::Body& b, S* first) {
    // the first of its numbers is the first in memory
    Body made{{},
              b.by_screw,
              b.against,
              b.screw.c == 1 && b.screw.s == 0 && b.screw.d == 0,
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
    if (!b.still) to_parent(b.screw, a);
  }
  /// Number n as the sum of its terms.
  S sum(std::size_t n, const S* own) const {
    const OwnNumbers::Number& number = own_.numbers[n];
    S x = S(number.constant);
    for (int t = n == 0 ? 0 : own_.numbers[n - 1].last_term; t < number.last_term; ++t)
      x += S(own_.terms[at(t)].factor) * own[own_.terms[at(t)].row];
    return x;
  }

  KINETREE_INLINE static S lesser(const S& a, const S& b) {
#if KINETREE_PACKS
    if constexpr (lanes > 1) return S::of(xsimd::min(a.lanes, b.lanes));  // one instruction, where select takes two
#endif
    return select(a < b, a, b);
  }
  /// The mass and the leading minors of the inertia about the centre of mass (times the mass), which are all above 0 of
  /// a rigid body; the last holds every number, so that it is finite where all are.
  KINETREE_INLINE static void judge(const RigidInertia<S>& a, Verdict& verdict) {
    const S &m = a.mass, &x = a.h.x, &y = a.h.y, &z = a.h.z;
    const S x2 = x * x, y2 = y * y, z2 = z * z;
    const S xx = m * a.I.xx - (y2 + z2), yy = m * a.I.yy - (x2 + z2), zz = m * a.I.zz - (x2 + y2);
    const S xy = m * a.I.xy + x * y, xz = m * a.I.xz + x * z, yz = m * a.I.yz + y * z;
    const S two = xx * yy - xy * xy;
    const S three = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    verdict.least = lesser(verdict.least, lesser(lesser(m, xx), lesser(two, three)));
    verdict.zero += S(0) * three;
  }

  const OwnNumbers& own_;
  std::vector<S*> places_;  ///< over numbers; null: kernels read it nowhere
  std::vector<Body> bodies_;
  std::vector<Alone> alone_;  ///< numbers behind those of bodies
  std::vector<S> rows_;       ///< of several states
  std::vector<Bound> bounds_;
  std::vector<std::size_t> others_;  ///< rows that are of no inertia
};

}  // namespace kinetree::inline inner
