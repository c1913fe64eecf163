// MuJoCo as an oracle that none of us wrote: the same mechanisms through MJCF text.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <cstdio>
#include <fstream>

#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"
#include "oracle/dense_oracle.hpp"
#include "oracle/mjcf.hpp"
#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

/// MuJoCo's model and data of a description, read from a file that is gone afterwards.
class Mujoco {
 public:
  explicit Mujoco(const Description& d) {
    const std::string file =
        testing::TempDir() + "kinetree_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + ".xml";
    std::ofstream(file) << mjcf_text(d);
    char error[500] = "";
    model_ = mj_loadXML(file.c_str(), nullptr, error, sizeof error);
    std::remove(file.c_str());
    if (!model_) throw std::runtime_error(error);
    data_ = mj_makeData(model_);
  }
  ~Mujoco() { mj_deleteData(data_), mj_deleteModel(model_); }
  Mujoco(const Mujoco&) = delete;
  Mujoco& operator=(const Mujoco&) = delete;

  /// Accelerations in the order and the coordinates of `order`.
  Eigen::VectorXd accelerations(const Model& order, const TestState& s) {
    for (int b = 0; b < order.body_count(); ++b) put(order, b, s);
    mj_forward(model_, data_);
    Eigen::VectorXd a(order.nv());
    for (int b = 0; b < order.body_count(); ++b) {
      const Place p = place(order, b);
      for (int k = 0; k < p.freedoms; ++k) a[p.v + k] = data_->qacc[p.their_v + k];
      if (p.type == JointType::floating) {  // their linear part: world axes; dv/dt of body axes turns with the body
        const Eigen::Quaterniond R(s.q[p.q + 6], s.q[p.q + 3], s.q[p.q + 4], s.q[p.q + 5]);
        const Eigen::Vector3d linear = s.v.segment<3>(p.v), angular = s.v.segment<3>(p.v + 3);
        a.segment<3>(p.v) = R.inverse() * a.segment<3>(p.v).eval() - angular.cross(linear);
      }
    }
    return a;
  }

 private:
  struct Place {
    JointType type;
    int q, v, their_q, their_v, freedoms;
  };

  Place place(const Model& order, int b) const {
    const int joint = mj_name2id(model_, mjOBJ_JOINT, std::string(order.joint_name(b)).c_str());
    EXPECT_GE(joint, 0);
    const auto k = static_cast<std::size_t>(b);
    const JointType type = order.data().joint_type[k];
    return {type,
            order.data().q_index[k],
            order.data().v_index[k],
            model_->jnt_qposadr[joint],
            model_->jnt_dofadr[joint],
            velocity_count(type)};
  }

  void put(const Model& order, int b, const TestState& s) {
    const Place p = place(order, b);
    mjtNum *q = data_->qpos + p.their_q, *v = data_->qvel + p.their_v, *f = data_->qfrc_applied + p.their_v;
    for (int k = 0; k < p.freedoms; ++k) v[k] = s.v[p.v + k], f[k] = s.tau[p.v + k];
    const auto quaternion = [&](int from, int to) {
      q[to] = s.q[p.q + from + 3];
      for (int k = 0; k < 3; ++k) q[to + 1 + k] = s.q[p.q + from + k];
    };
    if (p.type == JointType::spherical) {
      quaternion(0, 0);
    } else if (p.type == JointType::floating) {
      for (int k = 0; k < 3; ++k) q[k] = s.q[p.q + k];
      quaternion(3, 3);
      const Eigen::Quaterniond R(s.q[p.q + 6], s.q[p.q + 3], s.q[p.q + 4], s.q[p.q + 5]);
      Eigen::Map<Eigen::Vector3d>{v} = R * s.v.segment<3>(p.v);
      Eigen::Map<Eigen::Vector3d>{f} = R * s.tau.segment<3>(p.v);
    } else {
      q[0] = s.q[p.q];
    }
  }

  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
};

/// A family with joints that MuJoCo knows, by turns; a free joint on the ground only, and there without a placement.
Description told_in_their_words(const std::string& family, bool floating) {
  Description d = make_description(family, {.floating_base = floating});
  const char* const types[]{"revolute", "prismatic", "revolute", "spherical", "continuous"};
  int k = 0;
  for (BodyDescription& b : d.bodies) {
    if (b.joint.name == "floating_base")
      b.joint.origin = {};
    else if (b.joint.type != "fixed")
      b.joint.type = types[k++ % 5];
  }
  return d;
}

void agree(const Description& d) {
  const Model model = make_model(d);
  Mujoco mujoco(d);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const TestState s = random_state(model, seed);
    const Eigen::VectorXd theirs = mujoco.accelerations(model, s);
    for (const Options& options : all_plans(-1)) {
      if (options.cuts == Cuts::all) continue;
      ForwardDynamics dynamics(model, options);
      const Eigen::VectorXd ours = accelerations(dynamics, s);
      EXPECT_LE(largest_of(ours - theirs), 1e-9 * largest_of(theirs))
          << d.name << ", " << describe(options) << ", seed " << seed;
    }
  }
}

TEST(Mujoco, Chains) {
  agree(make_description("chain:1"));
  agree(make_description("chain:10"));
  agree(told_in_their_words("chain:15", false));
}
TEST(Mujoco, Trees) {
  agree(make_description("tree:2x4"));
  agree(make_description("comb:6"));
  agree(told_in_their_words("random:25:seed=11:joints=revolute", false));
}
TEST(Mujoco, FixedLinks) {
  Description d = told_in_their_words("random:20:seed=12", false);
  agree(d);
}
TEST(Mujoco, FloatingBase) {
  agree(make_description("tree:3x3", {.floating_base = true}));
  agree(told_in_their_words("random:25:seed=13:joints=revolute", true));
}

}  // namespace
}  // namespace kinetree::oracle
