#pragma once
// The columns of a module's carried cut joints, as they pass its uncut joints (design: Gather inside a module).

#include "engine/algorithm/dial/dial.hpp"

namespace kinetree::inline inner::dial_detail {

/// Numbers of a column below this may be taken as zero. A column fades on its way inwards, in a chain to 1e-308 within
/// some 3000 bodies, and denormal numbers take Intel's processors a hundred cycles each; no sum notices one so small,
/// which counts by its square. Squares stay normal for the joints between two questions: 32 that turn, passed in runs;
/// of others about 16.
template <class S>
constexpr double faded() {
  if constexpr (requires { typename S::Number; })
    return faded<typename S::Number>();
  else
    return std::is_same_v<S, float> ? 1e-14 : 1e-140;
}

template <class S>
KINETREE_INLINE Force<S> without_faded(const Force<S>& Z) {
  const auto kept = [](const S& x)
                        KINETREE_INLINE_LAMBDA { return select(magnitude(x) < Magnitude<S>(faded<S>()), S(0), x); };
  const auto& [m, f] = Z;
  return {{kept(m.x), kept(m.y), kept(m.z)}, {kept(f.x), kept(f.y), kept(f.z)}};
}

/// Calls use(the number of columns where kernels are to be compiled for it, else 0): one turn or slide that is cut
/// leaves five.
template <class Subspace, class Use>
KINETREE_INLINE void with_width(const Passing& pass, Use&& use) {
  if constexpr (Subspace::freedoms == 1 && Subspace::constant)
    if (pass.end - pass.begin == 5) return use(std::integral_constant<int, 5>());
  use(std::integral_constant<int, 0>());
}

/// The columns at one uncut joint: epsilon, Z, beta, Omega; then Z goes to the parent. `y`: D⁻¹ u of the joint's bias.
template <int fixed, class S, class Subspace>
KINETREE_INLINE void pass_columns(const Dial<S>& d, const Subspace& subspace, const Module& module, int i, const S* y) {
  constexpr int n = Subspace::freedoms;
  const Passing& pass = d.x.modules->passing[at(i)];
  const int width = fixed > 0 ? fixed : pass.end - pass.begin, v = d.x.v_index(i);
  const Force<S>* U = &d.b.U[at(v)];
  const S* D = &d.b.D[d.b.d_index[at(i)]];
  const Motion<S> c = d.k.c[at(i)];
  S* epsilon = d.f.epsilon.data() + pass.epsilon;
  S* beta = d.f.beta.data() + module.lambda + pass.begin;
  Force<S>* columns = d.f.Z.data() + module.lambda + pass.begin;
  for (int col = 0; col < width; ++col) {
    Force<S> Z = columns[col];
    S felt[n], moved[n];
    subspace.transpose_times(Z, felt);
    for (int k = 0; k < n; ++k) epsilon[k * width + col] = moved[k] = -felt[k];
    ldl_solve(D, Size<n>(), moved);
    for (int k = 0; k < n; ++k) Z += moved[k] * U[k];
    S sum = beta[col] + bias_power(subspace, c, Z);
    for (int k = 0; k < n; ++k) sum += felt[k] * y[k];
    beta[col] = sum;
    S* omega = &d.f.omega[module.omega + at(pass.begin + col) * at(module.columns) + at(pass.begin)];
    for (int other = 0; other <= col; ++other)
      for (int k = 0; k < n; ++k) omega[other] += moved[k] * epsilon[k * width + other];
    to_parent(transform_of(subspace, d.k.X_up[at(i)]), Z);
    columns[col] = i % 16 == 0 ? without_faded(Z) : Z;
  }
}

/// Joints that turn and whose columns, five and the same of all, wait to be passed: one column along all of them stays
/// in registers, five along one do not.
template <class S>
class ColumnRun {
 public:
  /// `y`: as in pass_columns.
  void add(const Dial<S>& d, const Module& module, int i, const S& y) {
    const Passing& passing = d.x.modules->passing[at(i)];
    if (count_ == most || begin_ != passing.begin) pass(d, module);
    begin_ = passing.begin;
    joint_[count_++] = {&d.b.U[at(d.x.v_index(i))], &d.b.D[d.b.d_index[at(i)]],           &d.k.c[at(i)],
                        &d.k.X_up[at(i)],           d.f.epsilon.data() + passing.epsilon, y};
  }
  /// Passes the columns of those that wait, to the parent of the last of them.
  void pass(const Dial<S>& d, const Module& module) {
    if (count_ == 0) return;
    S* beta = d.f.beta.data() + module.lambda + begin_;
    Force<S>* columns = d.f.Z.data() + module.lambda + begin_;
    pass_two(0, columns, beta), pass_two(2, columns, beta), pass_one(4, columns, beta);
    const int stride = module.columns;
    add_compliance(&d.f.omega[module.omega + at(begin_) * at(stride) + at(begin_)], stride);
    count_ = 0;
    // Asked after every run, this took a third of the run's own time.
    if (++runs_ % 4 == 0)
      for (int col = 0; col < width; ++col) columns[col] = without_faded(columns[col]);
  }

 private:
  static constexpr int width = 5, most = 8;  ///< so many that all they read stays in the first cache

  struct Joint {
    const Force<S>* U;
    const S* D;
    const Motion<S>* c;
    const JointTransform<S>* X_up;
    S* epsilon;
    S y;
  };

  struct Column {
    Force<S> Z;
    S beta;
  };
  KINETREE_INLINE static void pass_joint(const Joint& joint, int col, Column& column) {
    const S felt = column.Z.moment.z;
    joint.epsilon[col] = -felt;
    column.Z -= (*joint.D * felt) * *joint.U;
    column.beta += bias_power(Revolute{}, *joint.c, column.Z);
    column.beta += felt * joint.y;
    to_parent(*joint.X_up, column.Z);
  }
  /// Two at a time: one would wait for itself.
  KINETREE_INLINE void pass_two(int first, Force<S>* Z, S* beta) const {
    Column one{Z[first], beta[first]}, two{Z[first + 1], beta[first + 1]};
    for (const Joint* j = joint_; j != joint_ + count_; ++j) {
      pass_joint(*j, first, one);
      pass_joint(*j, first + 1, two);
    }
    Z[first] = one.Z, beta[first] = one.beta;
    Z[first + 1] = two.Z, beta[first + 1] = two.beta;
  }
  KINETREE_INLINE void pass_one(int first, Force<S>* Z, S* beta) const {
    Column one{Z[first], beta[first]};
    for (const Joint* j = joint_; j != joint_ + count_; ++j) pass_joint(*j, first, one);
    Z[first] = one.Z, beta[first] = one.beta;
  }
  /// Omega: the sum of epsilonᵀ D⁻¹ epsilon.
  KINETREE_INLINE void add_compliance(S* omega, int stride) const {
    S sums[width * width];
    const auto lower = [](auto&& use) {
      straight<0, width>([&](auto row) { straight<0, row + 1>([&](auto col) { use(row, col); }); });
    };
    lower([&](int row, int col) { sums[row * width + col] = omega[row * stride + col]; });
    for (const Joint* j = joint_; j != joint_ + count_; ++j)
      straight<0, width>([&](auto row) {
        const S moved = *j->D * j->epsilon[row];
        straight<0, row + 1>([&](auto col) { sums[row * width + col] += moved * j->epsilon[col]; });
      });
    lower([&](int row, int col) { omega[row * stride + col] = sums[row * width + col]; });
  }

  int count_ = 0, begin_ = 0, runs_ = 0;
  Joint joint_[most];  ///< from the tip inwards
};

/// The columns' beta at one uncut joint of another right-hand side.
template <int fixed, class S, class Subspace>
KINETREE_INLINE void pass_beta(const Dial<S>& d, const Subspace&, const Module& module, const Passing& pass,
                               const S* y) {
  const int width = fixed > 0 ? fixed : pass.end - pass.begin;
  const S* epsilon = d.f.epsilon.data() + pass.epsilon;
  S* beta = d.f.beta.data() + module.lambda + pass.begin;
  for (int col = 0; col < width; ++col) {
    S sum = beta[col];
    for (int k = 0; k < Subspace::freedoms; ++k) sum -= epsilon[k * width + col] * y[k];
    beta[col] = sum;
  }
}

/// What the columns' forces do at one uncut joint: added to x, its u.
template <int fixed, class S, class Subspace>
KINETREE_INLINE void add_columns(const Dial<S>& d, const Subspace&, const Module& module, const Passing& pass, S* x) {
  const int width = fixed > 0 ? fixed : pass.end - pass.begin;
  const S* lambda = d.e.lambda.data() + module.lambda + pass.begin;
  const S* epsilon = d.f.epsilon.data() + pass.epsilon;
  for (int k = 0; k < Subspace::freedoms; ++k)
    for (int col = 0; col < width; ++col) x[k] += epsilon[k * width + col] * lambda[col];
}

}  // namespace kinetree::inline inner::dial_detail
