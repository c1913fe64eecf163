#include "loops/closed_oracle.hpp"

#include <algorithm>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::oracle {
namespace closed_oracle {  // not unnamed: this file is compiled together with others

template <class S>
using Three = Eigen::Matrix<S, 3, 1>;
template <class S>
using Columns3 = Eigen::Matrix<S, 3, Eigen::Dynamic>;
template <class S>
Three<S> eigen(const Vec<S>& a) {
  return {a.x, a.y, a.z};
}

/// A vector of the world: its value, its rate, its second derivative for dv/dt = 0 and its Jacobian.
template <class S>
struct Moving {
  Three<S> value, rate, bias;
  Columns3<S> J;
  friend Moving operator-(const Moving& a, const Moving& b) {
    return {a.value - b.value, a.rate - b.rate, a.bias - b.bias, a.J - b.J};
  }
};

template <class S>
struct End {
  const typename DenseOracle<S>::LinkState& link;
  const Placement& frame;
  int nv;

  Moving<S> direction(const Three<S>& in_frame) const {
    const Mat<S> F =
        rotation(S(frame.quaternion[0]), S(frame.quaternion[1]), S(frame.quaternion[2]), S(frame.quaternion[3]));
    const Three<S> e = eigen(link.R * (F * Vec<S>{in_frame.x(), in_frame.y(), in_frame.z()}));
    const Three<S> w = eigen(link.omega), alpha = eigen(link.alpha);
    Moving<S> m{e, w.cross(e), alpha.cross(e) + w.cross(w.cross(e)), Columns3<S>::Zero(3, nv)};
    for (std::size_t k = 0; k < link.path.size(); ++k) m.J.col(link.path[k]) = eigen(link.turns[k]).cross(e);
    return m;
  }
  Moving<S> point() const {
    const Three<S> c = eigen(link.R * vec<S>(frame.xyz)), w = eigen(link.omega), alpha = eigen(link.alpha);
    Moving<S> m{eigen(link.p) + c, eigen(link.speed) + w.cross(c),
                eigen(link.acceleration) + alpha.cross(c) + w.cross(w.cross(c)), Columns3<S>::Zero(3, nv)};
    for (std::size_t k = 0; k < link.path.size(); ++k)
      m.J.col(link.path[k]) = eigen(link.slides[k]) + eigen(link.turns[k]).cross(c);
    return m;
  }
};

/// Any two vectors square to an axis and to each other.
template <class S>
std::array<Three<S>, 2> across(const Three<S>& axis) {
  const Three<S> x = axis.unitOrthogonal();
  return {x, axis.cross(x)};
}

}  // namespace closed_oracle
using namespace closed_oracle;

template <class S>
void ClosedEquations<S>::set(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& f_ext) {
  tree_.set(q, v, f_ext);
  rows_ = 0;
  const Eigen::Index most = static_cast<Eigen::Index>(6 * d_.loops.size() + d_.couplings.size());
  K_ = Matrix::Zero(most, order_.nv());
  k_ = error_ = Vector::Zero(most);
  for (const LoopDescription& l : d_.loops) loop(l);
  for (const CouplingDescription& c : d_.couplings) coupling(c, q, v);
  K_.conservativeResize(rows_, Eigen::NoChange);
  k_.conservativeResize(rows_), error_.conservativeResize(rows_);
}

template <class S>
void ClosedEquations<S>::loop(const LoopDescription& l) {
  const End<S> a{tree_.link(l.first.body), l.first.frame, order_.nv()};
  const End<S> b{tree_.link(l.second.body), l.second.frame, order_.nv()};
  const Moving<S> r = b.point() - a.point();
  const Three<S> axis = eigen(unit(vec<S>(l.axis)));
  const auto keep = [&](const Moving<S>& u, const Moving<S>& w, const S& constant) {  // u . w stays constant
    K_.row(rows_) = u.value.transpose() * w.J + w.value.transpose() * u.J;
    k_[rows_] = u.bias.dot(w.value) + S(2) * u.rate.dot(w.rate) + u.value.dot(w.bias);
    error_[rows_++] = u.value.dot(w.value) - constant;
  };
  const auto point = [&] {
    for (int i = 0; i < 3; ++i) {
      K_.row(rows_) = r.J.row(i);
      k_[rows_] = r.bias[i];
      error_[rows_++] = r.value[i];
    }
  };
  const auto parallel = [&](const Three<S>& n) {
    for (const Three<S>& e : across<S>(n)) keep(a.direction(e), b.direction(n), S(0));
  };
  const auto upright = [&] {  // no turn at all
    const Three<S> x = Three<S>::UnitX(), y = Three<S>::UnitY(), z = Three<S>::UnitZ();
    keep(a.direction(x), b.direction(y), S(0)), keep(a.direction(y), b.direction(z), S(0)),
        keep(a.direction(z), b.direction(x), S(0));
  };
  const auto along = [&](const Three<S>& e) { keep(a.direction(e), r, S(0)); };
  switch (loop_type_named(l.type).value()) {
    case LoopType::revolute:
      return parallel(axis), point();
    case LoopType::prismatic:
      upright();
      for (const Three<S>& e : across<S>(axis)) along(e);
      return;
    case LoopType::cylindrical:
      parallel(axis);
      for (const Three<S>& e : across<S>(axis)) along(e);
      return;
    case LoopType::universal: {
      const Three<S> axis2 = eigen(unit(vec<S>(l.axis2.value())));
      keep(a.direction(axis), b.direction(axis2), axis.dot(axis2));
      return point();
    }
    case LoopType::spherical:
      return point();
    case LoopType::planar:
      return parallel(axis), along(axis);
    case LoopType::weld:
      return upright(), point();
    case LoopType::point_on_line:
      for (const Three<S>& e : across<S>(axis)) along(e);
      return;
  }
}

template <class S>
void ClosedEquations<S>::coupling(const CouplingDescription& c, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  error_[rows_] = S(-c.offset);
  for (const CouplingDescription::Term& term : c.terms)
    for (int b = 0; b < order_.body_count(); ++b) {
      if (order_.joint_name(b) != term.joint) continue;
      const int column = order_.data().v_index[static_cast<std::size_t>(b)];
      const S x(q[order_.data().q_index[static_cast<std::size_t>(b)]]), rate(v[column]);
      const double factors[] = {term.coefficient, term.powers[0], term.powers[1], term.powers[2]};
      for (int n = 1; n <= 4; ++n) {  // power after power, each differentiated twice
        const auto power = [&](int exponent) {
          S product(1);
          for (int k = 0; k < exponent; ++k) product *= x;
          return product;
        };
        const S factor(factors[n - 1]);
        error_[rows_] += factor * power(n);
        K_(rows_, column) += factor * S(n) * power(n - 1);
        if (n > 1) k_[rows_] += factor * S(n) * S(n - 1) * power(n - 2) * rate * rate;
      }
    }
  ++rows_;
}

template <class S>
typename ClosedEquations<S>::Matrix ClosedEquations<S>::mass_matrix() const {
  const int n = order_.nv();
  Matrix M(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) M(i, j) = tree_.mass(i, j);
  for (const BodyDescription& b : d_.bodies) {
    const auto& link = tree_.link(b.name);
    for (int k = 0; k < velocity_count(link.type); ++k) M(link.v + k, link.v + k) += S(b.joint.armature);
  }
  return M;
}

template <class S>
typename ClosedEquations<S>::Vector ClosedEquations<S>::bias() const {
  return Eigen::Map<const Vector>(tree_.bias().data(), order_.nv());
}

template class ClosedEquations<double>;
template class ClosedEquations<Reference>;

namespace {

/// The space of velocities that K allows, columns orthonormal; and the smallest solution of K a = k.
struct Allowed {
  Eigen::MatrixXd N;
  Eigen::VectorXd a;

  Allowed(const Eigen::MatrixXd& K, const Eigen::VectorXd& k)
      : N(Eigen::MatrixXd::Identity(K.cols(), K.cols())), a(Eigen::VectorXd::Zero(K.cols())) {
    if (K.rows() == 0) return;
    Eigen::JacobiSVD<Eigen::MatrixXd> svd(K, Eigen::ComputeThinU | Eigen::ComputeFullV);
    // relative to the largest, or to 1: where bodies are one rigid body, all of K is rounding
    svd.setThreshold(1e-9 * std::max(1.0, 1 / svd.singularValues()[0]));
    N = svd.matrixV().rightCols(K.cols() - svd.rank());
    a = svd.solve(k);
  }
};

}  // namespace

int ClosedOracle::freedoms() const { return static_cast<int>(Allowed(K_, k_).N.cols()); }

Eigen::VectorXd ClosedOracle::allowed(const Eigen::VectorXd& v) const {
  const Eigen::MatrixXd N = Allowed(K_, k_).N;
  return N * (N.transpose() * v);
}

Eigen::VectorXd ClosedOracle::accelerations(const Eigen::VectorXd& tau) const {
  const Allowed allowed(K_, -k_);
  const Eigen::MatrixXd &N = allowed.N, M = mass_matrix();
  const Eigen::MatrixXd reduced = N.transpose() * M * N;
  return allowed.a + N * reduced.ldlt().solve(N.transpose() * (tau - bias() - M * allowed.a));
}

void DenseClosedReference::eliminate(int freedoms) {
  Matrix K = K_;
  Vector k = -k_;
  const Eigen::Index n = K.cols(), m = K.rows(), rank = n - freedoms;
  std::vector<Eigen::Index> column(static_cast<std::size_t>(n));
  for (Eigen::Index c = 0; c < n; ++c) column[static_cast<std::size_t>(c)] = c;
  Reference first(1), last(1);
  for (Eigen::Index s = 0; s < rank; ++s) {
    Eigen::Index r, c;
    last = K.bottomRightCorner(m - s, n - s).cwiseAbs().maxCoeff(&r, &c);
    if (s == 0) first = last;
    K.row(s).swap(K.row(s + r)), std::swap(k[s], k[s + r]);
    K.col(s).swap(K.col(s + c));
    std::swap(column[static_cast<std::size_t>(s)], column[static_cast<std::size_t>(s + c)]);
    const Reference inverse = Reference(1) / K(s, s);
    K.row(s) *= inverse, k[s] *= inverse;
    for (Eigen::Index i = 0; i < m; ++i) {
      if (i == s) continue;
      const Reference factor = K(i, s);
      K.row(i) -= factor * K.row(s), k[i] -= factor * k[s];
    }
  }
  pivot_ = static_cast<double>(Reference(last / first));
  left_ = m > rank && freedoms > 0
              ? static_cast<double>(Reference(K.bottomRightCorner(m - rank, freedoms).cwiseAbs().maxCoeff() / first))
              : 0;
  X_ = Matrix::Zero(n, freedoms), g_ = Vector::Zero(n);
  independent_.clear();
  for (Eigen::Index j = 0; j < freedoms; ++j) {
    const Eigen::Index own = column[static_cast<std::size_t>(rank + j)];
    independent_.push_back(static_cast<int>(own));
    X_(own, j) = Reference(1);
    for (Eigen::Index s = 0; s < rank; ++s) X_(column[static_cast<std::size_t>(s)], j) = -K(s, rank + j);
  }
  for (Eigen::Index s = 0; s < rank; ++s) g_[column[static_cast<std::size_t>(s)]] = k[s];
}

Eigen::VectorXd DenseClosedReference::allowed(const Eigen::VectorXd& v) const {
  Vector free(X_.cols());
  for (Eigen::Index j = 0; j < free.size(); ++j) free[j] = Reference(v[independent_[static_cast<std::size_t>(j)]]);
  return Vector(X_ * free).cast<double>();
}

/// Jain 2012 II, Eq. 32: the equations of motion along X_S.
Eigen::VectorXd DenseClosedReference::accelerations(const Eigen::VectorXd& tau) const {
  const Matrix M = mass_matrix();
  const Vector rest = tau.cast<Reference>() - bias() - M * g_;
  if (X_.cols() == 0) return g_.cast<double>();
  const Matrix reduced = X_.transpose() * M * X_;
  const Vector right = X_.transpose() * rest, free = reduced.partialPivLu().solve(right);
  return Vector(g_ + X_ * free).cast<double>();
}

}  // namespace kinetree::oracle
