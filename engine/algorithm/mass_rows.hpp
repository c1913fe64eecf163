#pragma once
// The mass matrix row by row (Jain 2011, Alg. 4.2): the force that a joint's motion asks of all that it carries goes to
// the ground, and leaves an entry at each joint on its way. Rows of a serial chain go side by side, one per lane.

#include "engine/algorithm/composite_body.hpp"
#include "engine/scalar/whole_register.hpp"

namespace kinetree::inline inner {

/// Consecutive rows that go to the ground side by side: of bodies each of which carries the next.
struct RowRun {
  int row = 0, count = 0;
  int body = -1;  ///< that the last of the rows belongs to

  int end() const { return row + count; }
};

namespace mass_rows_detail {

template <class S>
using Lanes = typename WholeRegister<S>::Type;
template <class S>
inline constexpr int lanes = WholeRegister<S>::width;

template <class S>
KINETREE_INLINE Vector3<Lanes<S>> broadcast(const S& x, const S& y, const S& z) {
  using W = WholeRegister<S>;
  return {W::broadcast(x), W::broadcast(y), W::broadcast(z)};
}
template <class S>
KINETREE_INLINE Vector3<Lanes<S>> broadcast(const Vector3<S>& a) {
  return broadcast(a.x, a.y, a.z);
}
template <class S>
KINETREE_INLINE void set_lane(Force<Lanes<S>>& all, int lane, const Force<S>& f) {
  using W = WholeRegister<S>;
  W::set(all.moment.x, lane, f.moment.x), W::set(all.moment.y, lane, f.moment.y);
  W::set(all.moment.z, lane, f.moment.z), W::set(all.force.x, lane, f.force.x);
  W::set(all.force.y, lane, f.force.y), W::set(all.force.z, lane, f.force.z);
}

/// Sᵀ f of several forces.
template <class S, class Subspace>
KINETREE_INLINE void entries(const Subspace& subspace, const Force<Lanes<S>>& f, Lanes<S>* out) {
  if constexpr (requires { subspace.column; })
    for (int k = 0; k < Subspace::freedoms; ++k)
      out[k] =
          dot(broadcast(subspace.column[k].angular), f.moment) + dot(broadcast(subspace.column[k].linear), f.force);
  else
    Subspace::transpose_times(f, out);
}

/// What the walk of a run reads. Forces stand in the axes of the tree's root body, moments about the origin of the body
/// reached, so that they contain no lever arm from the root, which would cost digits. With pointers of its own: behind
/// each entry that is written a compiler reads those of vectors anew.
template <class S>
struct Walk {
  const Context<S>& x;
  const Kinematics<S>& k;
  const Transform<S>* arms;
  const RigidInertia<S>* I;
  const int *parent, *v_index, *series;
  const S* rotors;  ///< null: none

  Walk(const Context<S>& context, const Kinematics<S>& kinematics, const CompositeBody<S>& bodies,
       const MassMatrix<S>& H)
      : x(context),
        k(kinematics),
        arms(H.arms.data()),
        I(bodies.I.data()),
        parent(x.model->parent.data()),
        v_index(x.model->v_index.data()),
        series(H.series.data()),
        rotors(x.rotors.empty() ? nullptr : x.rotors.data()) {}

  const Transform<S>& arm(int j) const { return arms[j]; }
  bool turns(int j) const { return series[j] <= j; }
};

/// Calls put(v, entries) for the velocities v of joint j, to which forces F have come. By one call, with copies: forces
/// that are taken by reference could not stay in registers beside revolute joints.
template <class S, class Put>
[[gnu::noinline]] void write_entries_by_any(const Walk<S> w, int j, const Force<Lanes<S>> F, const Put put) {
  using P = Lanes<S>;
  const Matrix3<S>& E = w.arm(j).E;
  const Vector3<P> rows[3] = {broadcast(E.xx, E.xy, E.xz), broadcast(E.yx, E.yy, E.yz), broadcast(E.zx, E.zy, E.zz)};
  const auto turned = [&rows](const Vector3<P>& a) -> Vector3<P> {
    return {dot(rows[0], a), dot(rows[1], a), dot(rows[2], a)};
  };
  const Force<P> f{turned(F.moment), turned(F.force)};
  with_subspace(w.x, w.k, j, [&](const auto& subspace) {
    constexpr int n = std::remove_cvref_t<decltype(subspace)>::freedoms;
    P out[n];
    entries<S>(subspace, f, out);
    for (int c = 0; c < n; ++c) put(w.x.v_index(j) + c, out[c]);
  });
}

/// Row r, of the one velocity of joint j, begins in a lane of the forces F; put_one(r, c, entry): its own entry.
template <class S, class PutOne>
KINETREE_INLINE void begin_row(const Walk<S>& w, int lane, int j, int r, Force<Lanes<S>>& F, const PutOne& put_one) {
  Force<S> image;
  Revolute::image(w.I[j], &image);
  put_one(r, r, w.rotors == nullptr ? image.moment.z : image.moment.z + w.rotors[r]);
  const Matrix3<S>& E = w.arm(j).E;
  const S &x = image.force.x, &y = image.force.y;
  set_lane<S>(F, lane,
              {transpose_times(E, image.moment), {E.xx * x + E.yx * y, E.xy * x + E.yy * y, E.xz * x + E.yz * y}});
}
/// The forces F with those of the rows that begin at body j, in the run; put_one(r, c, entry): those rows' own entries.
template <class S, class Subspace, class PutOne>
KINETREE_INLINE void begin_rows(const Walk<S>& w, const RowRun& run, int j, const Subspace& subspace,
                                Force<Lanes<S>>& F, const PutOne& put_one) {
  constexpr int n = Subspace::freedoms;
  const int v = w.v_index[j], first = std::max(v, run.row), last = std::min(v + n, run.end());
  Force<S> image[n];
  subspace.image(w.I[j], image);
  for (int r = first; r < last; ++r) {
    const Force<S>& f = image[r - v];
    S own[n];
    subspace.transpose_times(f, own);
    if (w.rotors != nullptr) own[r - v] += w.rotors[r];
    for (int c = v; c <= r; ++c) put_one(r, c, own[c - v]);
    const Matrix3<S>& E = w.arm(j).E;
    set_lane<S>(F, r - run.row, {transpose_times(E, f.moment), transpose_times(E, f.force)});
  }
}
template <class S, class PutOne>
[[gnu::noinline]] Force<Lanes<S>> begin_rows_of_any(const Walk<S> w, const RowRun run, int j, Force<Lanes<S>> F,
                                                    const PutOne put_one) {
  with_subspace(w.x, w.k, j, [&](const auto& subspace) { begin_rows(w, run, j, subspace, F, put_one); });
  return F;
}

/// The rows from velocity v of body i on that go side by side; bodies [i, end) follow on each other.
template <class S>
KINETREE_INLINE RowRun run_from(const Walk<S>& w, int i, int v, int end) {
  RowRun run{v, 0, i};
  for (int j = i; j < end && (j == i || w.parent[j] == j - 1) && run.count < lanes<S>; ++j) {
    const int rows = w.v_index[j + 1] - run.end();
    if (rows > lanes<S> - run.count && j > i) break;
    run.count += std::min(rows, lanes<S>), run.body = j;
  }
  return run;
}

}  // namespace mass_rows_detail

/// The rows of bodies [range.begin, range.end). put(run, first, v, j, entries): column v, a velocity of joint j, of the
/// run's rows from `first` on (lanes before and behind are zero); put_one(r, v, j, entry): row r of it.
template <class S, class Put, class PutOne>
KINETREE_INLINE void mass_rows(const Context<S>& x, const Kinematics<S>& k, const CompositeBody<S>& b,
                               const MassMatrix<S>& H, const Range& range, const Put& put, const PutOne& put_one) {
  using namespace mass_rows_detail;
  const Walk<S> w(x, k, b, H);
  const auto walk = [&](const RowRun run) KINETREE_INLINE_LAMBDA {
    Force<Lanes<S>> F{};    // zero where a row has not begun
    int begun = run.end();  // the first of the rows that have
    const auto turn = [&](int v, int j, const Transform<S>& arm) KINETREE_INLINE_LAMBDA {
      put(run, begun, v, j, dot(broadcast(arm.E.zx, arm.E.zy, arm.E.zz), F.moment));
    };
    const auto write_any = [&](int j) KINETREE_INLINE_LAMBDA {
      write_entries_by_any(
          w, j, F, [run, begun, j, put](int v, const auto& e) KINETREE_INLINE_LAMBDA { put(run, begun, v, j, e); });
    };
    const auto leave = [&](const Transform<S>& arm)
                           KINETREE_INLINE_LAMBDA { F.moment += cross(broadcast(arm.r), F.force); };
    const auto begin = [&](int r, int j) KINETREE_INLINE_LAMBDA {
      begin_row(w, r - run.row, j, r, F,
                [j, put_one](int row, int v, const S& e) KINETREE_INLINE_LAMBDA { put_one(row, v, j, e); });
      begun = r;
    };
    int j = run.body;
    if (w.series[j] <= j - run.count + 1) [[likely]] {  // each row of a body on a revolute joint
      const Transform<S>* arm = w.arms + j;
      int r = run.end() - 1;
      begin(r, j), leave(*arm);
      while (r > run.row) --r, --j, --arm, turn(r, j, *arm), begin(r, j), leave(*arm);
      j = w.parent[j];
    } else {
      for (; j >= 0 && w.v_index[j + 1] > run.row; j = w.parent[j]) {
        const bool turns = w.turns(j);
        if (begun < run.end()) turns ? turn(w.v_index[j], j, w.arm(j)) : write_any(j);
        F = begin_rows_of_any(w, run, j, F,
                              [j, put_one](int r, int v, const S& e) KINETREE_INLINE_LAMBDA { put_one(r, v, j, e); });
        begun = std::max(w.v_index[j], run.row);
        leave(w.arm(j));
      }
    }
    while (j >= 0) {
      const int first = w.series[j];
      if (first <= j) [[likely]] {
        const Transform<S>* arm = w.arms + j;
        for (int v = w.v_index[j]; j >= first; --j, --v, --arm) turn(v, j, *arm), leave(*arm);
        j = w.parent[first];
      } else {
        write_any(j), leave(w.arm(j));
        j = w.parent[j];
      }
    }
  };
  for (int i = range.begin, v = x.v_index(i); i < range.end;) {
    const RowRun run = run_from(w, i, v, range.end);
    if (run.count > 0) walk(run);
    v = run.end(), i = run.body + (v == x.v_index(run.body + 1));
  }
}

/// Each: the rows of a module's bodies, to H's own, which have no zeros.
template <class S>
void mass_rows(const Context<S>& x, const Kinematics<S>& k, const CompositeBody<S>& b, MassMatrix<S>& H, int step) {
  const auto put_one = [&](int r, int v, int j, const S& entry) {
    H.at_row(r)[H.before[at(j)] + v - x.v_index(j)] = entry;
  };
  const auto put = [&](const RowRun& run, int first, int v, int j, const auto& entries) {
    S row[mass_rows_detail::lanes<S>];
    WholeRegister<S>::store(entries, row);
    for (int r = first; r < run.end(); ++r) put_one(r, v, j, row[r - run.row]);
  };
  const Module& module = x.module_of_step(step);
  for (int r = module.first_range; r < module.last_range; ++r)
    mass_rows(x, k, b, H, x.modules->ranges[at(r)], put, put_one);
}

/// Whether dense_mass_rows writes the upper triangle of a matrix that stands row by row: the rows of a run follow on
/// each other there.
template <class S>
inline constexpr bool upper_mass_rows = WholeRegister<S>::width > 1;

/// All rows, to one triangle of a dense nv x nv matrix: to the upper one, row by row, where upper_mass_rows is true or
/// `upper` is given, else to the lower one. Entries of this triangle that are always zero are not written. Numbers of
/// the other triangle are not written either, unless upper_mass_rows is true, which leaves any numbers there. Writing
/// both triangles at once took 1.1 (chain:100) to 2 times (chain:1000) as long as a mirror later.
template <class S>
void dense_mass_rows(const Context<S>& x, const Kinematics<S>& k, const CompositeBody<S>& b, const MassMatrix<S>& H,
                     S* dense, bool upper) {
  constexpr int width = mass_rows_detail::lanes<S>;
  const std::ptrdiff_t nv = x.model->v_index.back();
  const bool turned = upper_mass_rows<S> || upper;
  const std::ptrdiff_t by_row = turned ? 1 : nv, by_column = turned ? nv : 1;
  const auto put_one = [=](int r, int v, int, const S& entry)
                           KINETREE_INLINE_LAMBDA { dense[v * by_column + r * by_row] = entry; };
  const auto put = [=](const RowRun& run, int first, int v, int j, const auto& entries) KINETREE_INLINE_LAMBDA {
    if constexpr (width == 1) {
      put_one(first, v, j, entries);
    } else if (const std::ptrdiff_t beyond = run.row + width - nv; v + 1 >= beyond) [[likely]] {
      // Lanes without a row are zero. They go where later rows are written, and beyond the last
      // column to the other triangle in the next row.
      WholeRegister<S>::store(entries, dense + v * nv + run.row);
    } else {
      S row[width];
      WholeRegister<S>::store(entries, row);
      for (int r = first; r < run.end(); ++r) put_one(r, v, j, row[r - run.row]);
    }
  };
  mass_rows(x, k, b, H, {0, x.bodies()}, put, put_one);
}

}  // namespace kinetree::inline inner
