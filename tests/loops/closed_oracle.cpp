#include "loops/closed_oracle.hpp"

#include <algorithm>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::oracle {
namespace {

using V3 = Eigen::Vector3d;
V3 eigen(const Vec<double>& a) { return {a.x, a.y, a.z}; }

/// A vector of the world: its value, its rate, its second derivative for dv/dt = 0 and its Jacobian.
struct Moving {
  V3 value, rate, bias;
  Eigen::Matrix3Xd J;
  friend Moving operator-(const Moving& a, const Moving& b) {
    return {a.value - b.value, a.rate - b.rate, a.bias - b.bias, a.J - b.J};
  }
};

struct End {
  const DenseOracle<double>::LinkState& link;
  const Placement& frame;
  int nv;

  Moving direction(const V3& in_frame) const {
    const Mat<double> F = rotation(frame.quaternion[0], frame.quaternion[1], frame.quaternion[2], frame.quaternion[3]);
    const V3 e = eigen(link.R * (F * Vec<double>{in_frame.x(), in_frame.y(), in_frame.z()}));
    const V3 w = eigen(link.omega);
    Moving m{e, w.cross(e), eigen(link.alpha).cross(e) + w.cross(w.cross(e)), Eigen::Matrix3Xd::Zero(3, nv)};
    for (std::size_t k = 0; k < link.path.size(); ++k) m.J.col(link.path[k]) = eigen(link.turns[k]).cross(e);
    return m;
  }
  Moving point() const {
    const V3 c = eigen(link.R * vec<double>(frame.xyz)), w = eigen(link.omega);
    Moving m{eigen(link.p) + c, eigen(link.speed) + w.cross(c),
             eigen(link.acceleration) + eigen(link.alpha).cross(c) + w.cross(w.cross(c)),
             Eigen::Matrix3Xd::Zero(3, nv)};
    for (std::size_t k = 0; k < link.path.size(); ++k)
      m.J.col(link.path[k]) = eigen(link.slides[k]) + eigen(link.turns[k]).cross(c);
    return m;
  }
};

/// Any two vectors square to an axis and to each other.
std::array<V3, 2> across(const V3& axis) {
  const V3 x = axis.unitOrthogonal();
  return {x, axis.cross(x)};
}

}  // namespace

void ClosedOracle::set(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& f_ext) {
  tree_.set(q, v, f_ext);
  rows_ = 0;
  const Eigen::Index most = static_cast<Eigen::Index>(6 * d_.loops.size() + d_.couplings.size());
  K_ = Eigen::MatrixXd::Zero(most, order_.nv());
  k_ = error_ = Eigen::VectorXd::Zero(most);
  for (const LoopDescription& l : d_.loops) loop(l, v);
  for (const CouplingDescription& c : d_.couplings) coupling(c, q);
  K_.conservativeResize(rows_, Eigen::NoChange);
  k_.conservativeResize(rows_), error_.conservativeResize(rows_);
}

void ClosedOracle::loop(const LoopDescription& l, const Eigen::VectorXd&) {
  const End a{tree_.link(l.first.body), l.first.frame, order_.nv()};
  const End b{tree_.link(l.second.body), l.second.frame, order_.nv()};
  const Moving r = b.point() - a.point();
  const V3 axis = eigen(unit(vec<double>(l.axis)));
  const auto keep = [&](const Moving& u, const Moving& w, double constant) {  // u . w stays constant
    K_.row(rows_) = u.value.transpose() * w.J + w.value.transpose() * u.J;
    k_[rows_] = u.bias.dot(w.value) + 2 * u.rate.dot(w.rate) + u.value.dot(w.bias);
    error_[rows_++] = u.value.dot(w.value) - constant;
  };
  const auto point = [&] {
    for (int i = 0; i < 3; ++i) {
      K_.row(rows_) = r.J.row(i);
      k_[rows_] = r.bias[i];
      error_[rows_++] = r.value[i];
    }
  };
  const auto parallel = [&](const V3& n) {
    for (const V3& e : across(n)) keep(a.direction(e), b.direction(n), 0);
  };
  const auto upright = [&] {  // no turn at all
    const V3 x = V3::UnitX(), y = V3::UnitY(), z = V3::UnitZ();
    keep(a.direction(x), b.direction(y), 0), keep(a.direction(y), b.direction(z), 0),
        keep(a.direction(z), b.direction(x), 0);
  };
  const auto along = [&](const V3& e) { keep(a.direction(e), r, 0); };
  switch (loop_type_named(l.type).value()) {
    case LoopType::revolute:
      return parallel(axis), point();
    case LoopType::prismatic:
      upright();
      for (const V3& e : across(axis)) along(e);
      return;
    case LoopType::cylindrical:
      parallel(axis);
      for (const V3& e : across(axis)) along(e);
      return;
    case LoopType::universal: {
      const V3 axis2 = eigen(unit(vec<double>(l.axis2.value())));
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
      for (const V3& e : across(axis)) along(e);
      return;
  }
}

void ClosedOracle::coupling(const CouplingDescription& c, const Eigen::VectorXd& q) {
  error_[rows_] = -c.offset;
  for (const CouplingDescription::Term& term : c.terms)
    for (int b = 0; b < order_.body_count(); ++b)
      if (order_.joint_name(b) == term.joint) {
        K_(rows_, order_.data().v_index[static_cast<std::size_t>(b)]) += term.coefficient;
        error_[rows_] += term.coefficient * q[order_.data().q_index[static_cast<std::size_t>(b)]];
      }
  ++rows_;
}

Eigen::MatrixXd ClosedOracle::mass_matrix() const {
  const int n = order_.nv();
  Eigen::MatrixXd M(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) M(i, j) = tree_.mass(i, j);
  for (const BodyDescription& b : d_.bodies) {
    const auto& link = tree_.link(b.name);
    for (int k = 0; k < velocity_count(link.type); ++k) M(link.v + k, link.v + k) += b.joint.armature;
  }
  return M;
}

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
  const Eigen::VectorXd bias = Eigen::Map<const Eigen::VectorXd>(tree_.bias().data(), order_.nv());
  const Eigen::MatrixXd reduced = N.transpose() * M * N;
  return allowed.a + N * reduced.ldlt().solve(N.transpose() * (tau - bias - M * allowed.a));
}

}  // namespace kinetree::oracle
