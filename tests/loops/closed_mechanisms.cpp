#include "loops/closed_mechanisms.hpp"

#include <Eigen/Geometry>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "oracle/mechanisms.hpp"

namespace kinetree::oracle {
namespace {

using V3 = Eigen::Vector3d;
using Pose = Eigen::Isometry3d;

V3 eigen(const Vec<double>& a) { return {a.x, a.y, a.z}; }

Pose pose_of(const Placement& p) {
  Pose pose = Pose::Identity();
  pose.linear() = Eigen::Quaterniond(p.quaternion[3], p.quaternion[0], p.quaternion[1], p.quaternion[2])
                      .normalized()
                      .toRotationMatrix();
  pose.translation() = V3(p.xyz[0], p.xyz[1], p.xyz[2]);
  return pose;
}
Placement placement_of(const Pose& pose) {
  const Eigen::Quaterniond turn(pose.linear());
  return {{pose.translation().x(), pose.translation().y(), pose.translation().z()},
          {turn.x(), turn.y(), turn.z(), turn.w()}};
}
Pose pose_of(const DenseOracle<double>::LinkState& link) {
  Pose pose = Pose::Identity();
  pose.linear() << eigen(link.R.x), eigen(link.R.y), eigen(link.R.z);
  pose.translation() = eigen(link.p);
  return pose;
}

class Generator {
 public:
  explicit Generator(std::uint64_t seed)
      : random_(seed * 7919 + 13),
        powers_(seed),
        curved_(seed % 4 == 2),
        d_(make_description("random:" + std::to_string(4 + seed % 23) + ":seed=" + std::to_string(seed) +
                            ":floating=" + std::to_string(seed % 3 == 0))),
        tree_(make_model(d_)),
        state_(random_state(tree_, seed)) {
    state_.q *= 0.4;  // assembled not too far from zero
    for (int b = 0; b < tree_.body_count(); ++b) {
      const JointType type = tree_.data().joint_type[static_cast<std::size_t>(b)];
      if (type != JointType::spherical && type != JointType::floating) continue;
      const int at = tree_.data().q_index[static_cast<std::size_t>(b)] + (type == JointType::floating ? 3 : 0);
      state_.q[at + 3] += 1;
      state_.q.segment<4>(at).normalize();
    }
  }

  ClosedMechanism run() {
    const int count = 1 + static_cast<int>(random_.uniform(0, 10));
    for (int k = 0; k < count; ++k) {
      for (int attempt = 0; attempt < 20 && !add(k); ++attempt) {
      }
    }
    for (BodyDescription& b : d_.bodies)
      if (random_.uniform(0, 1) < 0.15 && b.joint.type != "fixed") b.joint.armature = random_.uniform(0.01, 0.5);
    ClosedOracle oracle(d_, tree_);
    oracle.set(state_.q, state_.v);
    state_.v = oracle.allowed(state_.v);
    return {d_, tree_, state_, tree_};
  }

 private:
  int pick(int count) { return std::min(count - 1, static_cast<int>(random_.uniform(0, count))); }

  /// Tries one constraint; keeps it if at least two freedoms are left, and none is lost that is not counted.
  bool add(int number) {
    const Description before = d_;
    if (random_.uniform(0, 1) < 0.4)
      add_coupling(number);
    else
      add_loop(number);
    ClosedOracle now(d_, tree_), then(before, tree_);
    then.set(state_.q, state_.v), now.set(state_.q, state_.v);
    const int left = now.freedoms(), lost = then.freedoms() - left;
    if (left >= 2 && lost > 0 && regular(now)) return true;
    d_ = before;
    return false;
  }

  /// Far enough from a singular configuration.
  static bool regular(const ClosedOracle& o) {
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(o.K());
    for (const double s : svd.singularValues())
      if (s > 1e-9 * svd.singularValues()[0] && s < 1e-3 * svd.singularValues()[0]) return false;
    return true;
  }

  void add_coupling(int number) {
    std::vector<int> simple;
    for (int b = 0; b < tree_.body_count(); ++b)
      if (velocity_count(tree_.data().joint_type[static_cast<std::size_t>(b)]) == 1) simple.push_back(b);
    CouplingDescription c;
    c.name = "coupling" + std::to_string(number);
    const int terms = 1 + pick(3);
    for (int k = 0; k < terms && !simple.empty(); ++k) {
      const int which = pick(static_cast<int>(simple.size()));
      const int b = simple[static_cast<std::size_t>(which)];
      simple.erase(simple.begin() + which);
      const double coefficient = random_.uniform(0.3, 3) * (random_.uniform(-1, 1) < 0 ? -1 : 1);
      c.terms.push_back({std::string(tree_.joint_name(b)), coefficient});
      if (curved_)
        for (double& factor : c.terms.back().powers) factor = powers_.uniform(-0.2, 0.2);
      const double position = state_.q[tree_.data().q_index[static_cast<std::size_t>(b)]];
      c.offset += c.terms.back().factor(position) * position;
    }
    if (!c.terms.empty()) d_.couplings.push_back(c);
  }

  void add_loop(int number) {
    LoopDescription l;
    l.name = "loop" + std::to_string(number);
    const auto type = static_cast<LoopType>(pick(8));
    l.type = kinetree::name_of(type);
    const int links = static_cast<int>(d_.bodies.size());
    const int first = pick(links + 1) - 1, second = pick(links);
    if (first == second) return;
    l.first.body = first < 0 ? "world" : d_.bodies[static_cast<std::size_t>(first)].name;
    l.second.body = d_.bodies[static_cast<std::size_t>(second)].name;
    l.first.frame = random_placement(random_, 0.4);
    V3 axis = V3::UnitZ();
    if (random_.uniform(0, 1) < 0.6) axis = V3(random_.uniform(-1, 1), random_.uniform(-1, 1), random_.uniform(0.1, 1));
    l.axis = {axis.x(), axis.y(), axis.z()};
    axis.normalize();
    if (type == LoopType::universal) l.axis2 = Numbers3{axis.y() - 0.3 * axis.z(), axis.z() + 0.2, axis.x() - 0.4};
    Pose moved = Pose::Identity();  // as far as the joint lets the second frame go
    const double angle = random_.uniform(-1, 1), way = random_.uniform(-0.3, 0.3);
    const V3 aside = axis.unitOrthogonal();
    if (type == LoopType::revolute || type == LoopType::cylindrical || type == LoopType::planar)
      moved.rotate(Eigen::AngleAxisd(angle, axis));
    if (type == LoopType::spherical || type == LoopType::point_on_line)
      moved.rotate(Eigen::AngleAxisd(angle, aside)).rotate(Eigen::AngleAxisd(way, axis));
    if (type == LoopType::prismatic || type == LoopType::cylindrical || type == LoopType::point_on_line)
      moved.pretranslate(way * axis);
    if (type == LoopType::planar) moved.pretranslate(way * aside);
    ClosedOracle o(d_, tree_);
    o.set(state_.q, state_.v);
    const Pose there = pose_of(o.tree().link(l.first.body)) * pose_of(l.first.frame) * moved;
    l.second.frame = placement_of(pose_of(o.tree().link(l.second.body)).inverse() * there);
    d_.loops.push_back(l);
  }

  Random random_, powers_;
  bool curved_;  ///< whether couplings have powers of positions
  Description d_;
  Model tree_;
  TestState state_;
};

}  // namespace

std::vector<JointPositions> hint_of(const Model& tree, const Eigen::VectorXd& q) {
  std::vector<JointPositions> hint;
  for (int b = 0; b < tree.body_count(); ++b) {
    const int first = tree.data().q_index[static_cast<std::size_t>(b)],
              last = tree.data().q_index[static_cast<std::size_t>(b + 1)];
    hint.push_back({std::string(tree.joint_name(b)), {q.begin() + first, q.begin() + last}});
  }
  return hint;
}

ClosedMechanism random_closed_mechanism(std::uint64_t seed) {
  ClosedMechanism m = Generator(seed).run();
  try {
    m.model = make_model(m.description);
  } catch (const InputError& e) {
    if (std::string(e.what()).find("can't close") == std::string::npos) throw;
    m.description.assembled = hint_of(m.tree, m.state.q);
    m.model = make_model(m.description);
  }
  return m;
}

}  // namespace kinetree::oracle
