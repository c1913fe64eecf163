#include "oracle/dense_oracle.hpp"

#include <algorithm>
#include <kinetree/scalar/reference.hpp>
#include <stdexcept>

#include "engine/model/model_data.hpp"

namespace kinetree::oracle {
namespace {

template <class S>
Mat<S> orientation(const Placement& p) {
  return rotation(S(p.quaternion[0]), S(p.quaternion[1]), S(p.quaternion[2]), S(p.quaternion[3]));
}

}  // namespace

template <class S>
DenseOracle<S>::DenseOracle(const Description& description, const Model& order)
    : description_(description), freedoms_(order.nv()), gravity_(vec<S>(description.gravity)) {
  std::unordered_map<std::string, int> body_of_joint, link_of_name{{"world", -1}};
  for (int b = 0; b < order.body_count(); ++b) body_of_joint[std::string(order.joint_name(b))] = b;
  // the user may write a child before its parent: rounds, until all links are placed
  std::vector<const BodyDescription*> waiting;
  for (const BodyDescription& b : description_.bodies) waiting.push_back(&b);
  while (!waiting.empty()) {
    std::vector<const BodyDescription*> later;
    for (const BodyDescription* given : waiting) {
      const auto parent = link_of_name.find(given->parent);
      if (parent == link_of_name.end()) {
        later.push_back(given);
        continue;
      }
      LinkState link;
      link.given = given;
      link.parent = parent->second;
      link.type = joint_type_named(given->joint.type).value();
      if (link.parent >= 0) link.path = links_[static_cast<std::size_t>(link.parent)].path;
      if (link.type != JointType::fixed) {
        link.body = body_of_joint.at(given->joint.name);
        link.q = order.data().q_index[static_cast<std::size_t>(link.body)];
        link.v = order.data().v_index[static_cast<std::size_t>(link.body)];
        for (int k = 0; k < velocity_count(link.type); ++k) link.path.push_back(link.v + k);
      }
      link_of_name[given->name] = static_cast<int>(links_.size());
      links_.push_back(std::move(link));
    }
    if (later.size() == waiting.size()) throw std::logic_error("oracle: a link without a parent");
    waiting = std::move(later);
  }
}

template <class S>
auto DenseOracle<S>::motion(const LinkState& link, const Numbers& q, const Numbers& v) const -> JointMotion {
  const JointDescription& joint = link.given->joint;
  const auto position = [&](int k) { return q[link.q + k]; };
  const auto rate = [&](int k) { return v[link.v + k]; };
  const Vec<S> none{};
  const Vec<S> axis = has_axis(link.type) ? unit(vec<S>(joint.axis)) : none;
  JointMotion m;
  switch (link.type) {
    case JointType::fixed:
      break;
    case JointType::revolute:
    case JointType::continuous:
      m.R = rotation(axis, position(0));
      m.turns = {axis}, m.slides = {none};
      break;
    case JointType::prismatic:
      m.d = position(0) * axis;
      m.turns = {none}, m.slides = {axis};
      break;
    case JointType::helical:
      m.R = rotation(axis, position(0));
      m.d = S(joint.pitch) * position(0) * axis;
      m.turns = {axis}, m.slides = {S(joint.pitch) * axis};
      break;
    case JointType::cylindrical:
      m.R = rotation(axis, position(0));
      m.d = position(1) * axis;
      m.turns = {axis, none}, m.slides = {none, axis};
      break;
    case JointType::universal: {
      const Vec<S> axis2 = unit(vec<S>(joint.axis2.value()));
      const Mat<S> first = rotation(axis, position(0));
      m.R = first * rotation(axis2, position(1));
      m.turns = {axis, first * axis2}, m.slides = {none, none};
      m.turn_bias = rate(0) * rate(1) * cross(axis, first * axis2);  // the second axis is carried by the first
      break;
    }
    case JointType::spherical:
      m.R = rotation(position(0), position(1), position(2), position(3));
      m.turns = {m.R.x, m.R.y, m.R.z}, m.slides = {none, none, none};
      break;
    case JointType::planar: {
      const Mat<S> plane = rotation_of_z_to(axis);
      m.R = rotation(axis, position(2));
      m.d = position(0) * plane.x + position(1) * plane.y;
      m.turns = {none, none, axis}, m.slides = {plane.x, plane.y, none};
      break;
    }
    case JointType::floating:
      m.R = rotation(position(3), position(4), position(5), position(6));
      m.d = {position(0), position(1), position(2)};
      m.turns = {none, none, none, m.R.x, m.R.y, m.R.z};
      m.slides = {m.R.x, m.R.y, m.R.z, none, none, none};
      // v are body components: their frame turns
      m.slide_bias = m.R * cross(Vec<S>{rate(3), rate(4), rate(5)}, Vec<S>{rate(0), rate(1), rate(2)});
      break;
  }
  return m;
}

template <class S>
void DenseOracle<S>::place(LinkState& link, const Numbers& q, const Numbers& v) {
  static const LinkState ground{};
  const LinkState& parent = link.parent < 0 ? ground : links_[static_cast<std::size_t>(link.parent)];
  const JointMotion m = motion(link, q, v);
  const Mat<S> start = parent.R * orientation<S>(link.given->joint.origin);
  const Vec<S> r = parent.R * vec<S>(link.given->joint.origin.xyz) + start * m.d;  // from the parent's origin
  Vec<S> turn{}, slide{};
  for (std::size_t k = 0; k < m.turns.size(); ++k) {
    const S rate(v[link.v + static_cast<int>(k)]);
    turn += rate * (start * m.turns[k]);
    slide += rate * (start * m.slides[k]);
  }
  const Vec<S>&w = parent.omega, &wd = parent.alpha;
  link.R = start * m.R;
  link.p = parent.p + r;
  link.omega = w + turn;
  link.speed = parent.speed + cross(w, r) + slide;
  link.alpha = wd + cross(w, turn) + start * m.turn_bias;
  link.acceleration =
      parent.acceleration + cross(wd, r) + cross(w, cross(w, r)) + S(2) * cross(w, slide) + start * m.slide_bias;
  link.turns.clear(), link.slides.clear();
  for (std::size_t k = 0; k < parent.turns.size(); ++k) {
    link.turns.push_back(parent.turns[k]);
    link.slides.push_back(parent.slides[k] + cross(parent.turns[k], r));
  }
  for (std::size_t k = 0; k < m.turns.size(); ++k) {
    link.turns.push_back(start * m.turns[k]);
    link.slides.push_back(start * m.slides[k]);
  }
}

template <class S>
void DenseOracle<S>::add_inertia(const LinkState& link) {
  if (!link.given->inertial) return;
  const InertialDescription& given = *link.given->inertial;
  const S mass(given.mass);
  const Mat<S> axes = link.R * orientation<S>(given.frame);
  const S xx(given.inertia[0]), yy(given.inertia[1]), zz(given.inertia[2]), xy(given.inertia[3]), xz(given.inertia[4]),
      yz(given.inertia[5]);
  const Mat<S> I = axes * Mat<S>{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}} * transpose(axes);
  const Vec<S> c = link.R * vec<S>(given.frame.xyz);
  const Vec<S>& w = link.omega;
  const Vec<S> velocity = link.speed + cross(w, c);
  const Vec<S> acceleration = link.acceleration + cross(link.alpha, c) + cross(w, cross(w, c));
  const Vec<S> force = mass * (acceleration - gravity_);
  const Vec<S> moment = I * link.alpha + cross(w, I * w);
  kinetic_ += (mass * dot(velocity, velocity) + dot(w, I * w)) / S(2);
  potential_ -= mass * dot(gravity_, link.p + c);
  const std::size_t n = link.path.size();
  std::vector<Vec<S>> momentum(n), spin(n), slides(n);
  for (std::size_t k = 0; k < n; ++k) {
    slides[k] = link.slides[k] + cross(link.turns[k], c);
    momentum[k] = mass * slides[k];
    spin[k] = I * link.turns[k];
    bias_[static_cast<std::size_t>(link.path[k])] += dot(slides[k], force) + dot(link.turns[k], moment);
  }
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < n; ++k)
      H_[index(link.path[j], link.path[k])] += dot(slides[j], momentum[k]) + dot(link.turns[j], spin[k]);
}

template <class S>
void DenseOracle<S>::add_external(const LinkState& link, const Eigen::VectorXd& f_ext) {
  if (link.body < 0 || f_ext.size() == 0) return;
  const auto given = [&](int k) { return S(f_ext[6 * link.body + k]); };
  const Vec<S> moment{given(0), given(1), given(2)}, force{given(3), given(4), given(5)};
  for (std::size_t k = 0; k < link.path.size(); ++k)
    bias_[static_cast<std::size_t>(link.path[k])] =
        bias_[static_cast<std::size_t>(link.path[k])] - dot(link.turns[k], moment) - dot(link.slides[k], force);
}

template <class S>
void DenseOracle<S>::set_state(const Numbers& q, const Numbers& v, const Eigen::VectorXd& f_ext) {
  H_.assign(static_cast<std::size_t>(freedoms_) * static_cast<std::size_t>(freedoms_), S(0));
  bias_.assign(static_cast<std::size_t>(freedoms_), S(0));
  kinetic_ = potential_ = S(0);
  for (LinkState& link : links_) {
    place(link, q, v);
    add_inertia(link);
    add_external(link, f_ext);
  }
}

template <class S>
std::vector<S> DenseOracle<S>::accelerations(const Eigen::VectorXd& tau) const {
  using std::abs;
  std::vector<S> A = H_, x(bias_.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = S(tau[static_cast<Eigen::Index>(i)]) - bias_[i];
  const int n = freedoms_;
  const auto entry = [&](int i) -> S& { return x[static_cast<std::size_t>(i)]; };
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (abs(A[index(i, k)]) > abs(A[index(pivot, k)])) pivot = i;
    if (pivot != k) {
      for (int j = k; j < n; ++j) std::swap(A[index(k, j)], A[index(pivot, j)]);
      std::swap(entry(k), entry(pivot));
    }
    for (int i = k + 1; i < n; ++i) {
      if (A[index(i, k)] == S(0)) continue;
      const S factor = A[index(i, k)] / A[index(k, k)];
      for (int j = k + 1; j < n; ++j)
        if (A[index(k, j)] != S(0)) A[index(i, j)] -= factor * A[index(k, j)];
      entry(i) -= factor * entry(k);
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) entry(i) -= A[index(i, j)] * entry(j);
    entry(i) /= A[index(i, i)];
  }
  return x;
}

template <class S>
std::vector<S> DenseOracle<S>::forces(const Eigen::VectorXd& a) const {
  std::vector<S> tau = bias_;
  for (int i = 0; i < freedoms_; ++i)
    for (int j = 0; j < freedoms_; ++j) tau[static_cast<std::size_t>(i)] += H_[index(i, j)] * S(a[j]);
  return tau;
}

template class DenseOracle<double>;
template class DenseOracle<long double>;
template class DenseOracle<Reference>;

}  // namespace kinetree::oracle
