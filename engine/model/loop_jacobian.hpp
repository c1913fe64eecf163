#pragma once
// What an aggregate's constraints ask of its spanning joints: K v = 0, K a = k (Jain 2012 II, Sec. 8).

#include <vector>

#include "engine/joint/joint.hpp"
#include "engine/model/loop_joint.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/open_rows.hpp"
#include "engine/scalar/bytes.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

/// A constant's value on another scalar.
template <class S>
Transform<S> cast(const Transform<double>& X) {
  const auto c = [](double x) { return S(x); };
  return {{c(X.E.xx), c(X.E.xy), c(X.E.xz), c(X.E.yx), c(X.E.yy), c(X.E.yz), c(X.E.zx), c(X.E.zy), c(X.E.zz)},
          {c(X.r.x), c(X.r.y), c(X.r.z)}};
}

/// From the frames of a loop's two bodies to the loop joint's.
template <class S>
struct LoopEnds {
  Transform<S> first, second;
  explicit LoopEnds(const Loop& loop) : first(cast<S>(loop.X_first)), second(cast<S>(loop.X_second)) {}
};

/// The constants of an aggregate's constraints. Those of limbs side by side differ from lane to lane.
template <class S>
struct ConstraintConstants {
  std::vector<LoopEnds<S>> ends;  ///< over its loops
  std::vector<S> coefficient;     ///< over its couplings, term by term; of one that is not linear four a term
  std::vector<S> held;            ///< over rows of loops that rounding keeps open: six numbers each (HeldRow)

  ConstraintConstants(const ModelData& m, const Aggregate& a) {
    for (const int index : a.loops) {
      const Loop& loop = m.loops[static_cast<std::size_t>(index)];
      ends.emplace_back(loop);
      for (const HeldRow& row : loop.held)
        for (const double number : row.of) held.push_back(S(number));
    }
    for (const int index : a.couplings) {
      const Coupling& coupling = m.couplings[static_cast<std::size_t>(index)];
      for (std::size_t t = 0; t < coupling.terms.size(); ++t) {
        coefficient.push_back(S(coupling.terms[t].second));
        if (!coupling.linear())
          for (const double factor : coupling.powers[t]) coefficient.push_back(S(factor));
      }
    }
  }
  std::size_t bytes() const { return bytes_of(ends, coefficient, held); }
};

/// Where an aggregate stands, as kinematics found it. Arrays over bodies, `columns` over velocities.
template <class S>
struct AggregateState {
  const JointTransform<S>* X_up = nullptr;
  const Motion<S>* columns = nullptr;
  const Motion<S>* v = nullptr;  ///< velocities, body coordinates; null: only K is wanted
  const Motion<S>* c = nullptr;  ///< velocity-product accelerations
  const S* q = nullptr;          ///< over positions; what curved couplings look at
  const S* rates = nullptr;      ///< over velocities; the same
};

/// K (rows x velocities, row by row) and k (rows) of one aggregate, and what they are made of.
template <class S>
struct ConstraintRows {
  std::vector<S> K, k;
  ConstraintConstants<S> constants;
  std::vector<int> path;  ///< scratch: bodies from a loop's second end up to where its ends meet

  ConstraintRows(const ModelData& m, const Aggregate& a)
      : K(static_cast<std::size_t>(a.rows * a.velocities)), k(static_cast<std::size_t>(a.rows)), constants(m, a) {
    path.reserve(a.bodies.size());
  }
  std::size_t bytes() const { return bytes_of(K, k, constants, path); }
};

/// From body `i` (or the ground, where i is `above` already) up to `above`: X maps motions of `above` to the end frame.
template <class S>
Transform<S> from_above(const ModelData& m, const AggregateState<S>& s, Transform<S> X, int i, int above) {
  for (; i != above; i = m.parent[static_cast<std::size_t>(i)]) X = X * s.X_up[i];
  return X;
}

template <class S>
LoopPose<S> loop_pose(const ModelData& m, const Loop& loop, const LoopEnds<S>& ends, const AggregateState<S>& s) {
  const Transform<S> A = from_above(m, s, ends.first, loop.first, loop.meet);
  const Transform<S> B = from_above(m, s, ends.second, loop.second, loop.meet);
  return {{B.E * transpose(A.E), A.E * (B.r - A.r)}};
}

namespace loop_detail {

/// Tᵀ(V_first x V) - (dT/dt)ᵀ V with V the second end's velocity less the first's. `held`: as held_forces has it.
template <class S>
void velocity_terms(const Loop& loop, const LoopEnds<S>& ends, const S* held, const AggregateState<S>& s,
                    const LoopPose<S>& pose, const Force<S>* T, S* k) {
  const auto velocity = [&](int body, const Transform<S>& X) { return body < 0 ? Motion<S>{} : X * s.v[body]; };
  const Motion<S> first = velocity(loop.first, ends.first);
  const Motion<S> relative = inverse_times(pose.X, velocity(loop.second, ends.second)) - first;
  loop.rounded ? held_moving_forces(loop, held, pose, relative, k) : moving_forces(loop.type, pose, relative, k);
  const Motion<S> product = cross(first, relative);
  for (int r = 0; r < row_count(loop); ++r) k[r] = dot(product, T[r]) - k[r];
}

/// The row of a sum of polynomials p of positions: sum p' v = 0, and its derivative, sum p' a = -sum p'' v².
/// `factor`: four a term, of which those after the last are returned.
template <class S>
const S* curved_row(const ModelData& m, const Coupling& coupling, const S* factor, const AggregateState<S>& s,
                    S* entries, S& k) {
  for (const auto& term : coupling.terms) {
    const S a = factor[0], b = factor[1], c = factor[2], d = factor[3], q = s.q[m.q_index[at(term.first)]];
    entries[m.aggregate_column[at(term.first)]] = a + q * (S(2) * b + q * (S(3) * c + S(4) * q * d));
    factor += 4;
    if (s.v == nullptr) continue;
    const S rate = s.rates[m.v_index[at(term.first)]];
    k -= (S(2) * b + q * (S(6) * c + S(12) * q * d)) * rate * rate;
  }
  return factor;
}

}  // namespace loop_detail

/// Fills `rows`.
template <class S>
void constraint_rows(const ModelData& m, const Aggregate& aggregate, const AggregateState<S>& s,
                     ConstraintRows<S>& rows) {
  for (S& x : rows.K) x = S(0);
  for (S& x : rows.k) x = S(0);
  S* K = rows.K.data();
  S* k = rows.k.data();
  int row = 0;
  const S* held = rows.constants.held.data();
  // adds sign * fᵀ S of body i's joint to its columns of `count` rows, and the like of its c to their right-hand sides
  const auto joint = [&](int count, int i, const Force<S>* f, bool second) {
    with_subspace(m.joint_type[at(i)], s.columns + m.v_index[at(i)], [&](auto subspace) {
      constexpr int freedoms = decltype(subspace)::freedoms;
      S share[freedoms];
      for (int r = 0; r < count; ++r) {
        S* entry = K + (row + r) * aggregate.velocities + m.aggregate_column[at(i)];
        subspace.transpose_times(f[r], share);
        for (int n = 0; n < freedoms; ++n) second ? entry[n] += share[n] : entry[n] -= share[n];
        if (s.v == nullptr) continue;
        const S c = dot(s.c[i], f[r]);
        second ? k[row + r] -= c : k[row + r] += c;
      }
    });
  };
  for (std::size_t l = 0; l < aggregate.loops.size(); ++l) {
    const Loop& loop = m.loops[at(aggregate.loops[l])];
    const LoopEnds<S>& ends = rows.constants.ends[l];
    const LoopPose<S> pose = loop_pose(m, loop, ends, s);
    const int count = row_count(loop);
    Force<S> T[6];
    loop.rounded ? held_forces(loop, held, pose, T) : loop_forces(loop.type, pose, T);
    if (s.v != nullptr) loop_detail::velocity_terms(loop, ends, held, s, pose, T, k + row);
    held += 6 * loop.held.size();
    rows.path.clear();
    for (int i = loop.second; i != loop.meet; i = m.parent[at(i)]) rows.path.push_back(i);
    // all rows at each joint: one row's forces wait for each other from body to body, those of several do not
    Force<S> f[6];
    for (int r = 0; r < count; ++r) f[r] = transpose_times(ends.first, T[r]);
    for (int i = loop.first; i != loop.meet; i = m.parent[at(i)]) {
      joint(count, i, f, false);
      for (int r = 0; r < count; ++r) f[r] = transpose_times(s.X_up[i], f[r]);
    }
    for (std::size_t p = rows.path.size(); p-- > 0;) {
      for (int r = 0; r < count; ++r) f[r] = inverse_transpose_times(s.X_up[rows.path[p]], f[r]);
      joint(count, rows.path[p], f, true);
    }
    row += count;
  }
  const S* coefficient = rows.constants.coefficient.data();
  for (const int index : aggregate.couplings) {
    const Coupling& coupling = m.couplings[at(index)];
    S* entries = K + row * aggregate.velocities;
    if (!coupling.linear())
      coefficient = loop_detail::curved_row(m, coupling, coefficient, s, entries, k[row]);
    else
      for (const auto& term : coupling.terms) entries[m.aggregate_column[at(term.first)]] = *coefficient++;
    ++row;
  }
}

}  // namespace kinetree::inline inner
