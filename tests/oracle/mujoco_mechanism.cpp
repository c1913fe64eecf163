#include "oracle/mujoco_mechanism.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "engine/model/model_data.hpp"
#include "oracle/mjcf.hpp"

namespace kinetree::oracle {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

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

MujocoMechanism::MujocoMechanism(const Description& d, const Model& model) : model_(&model) {
  const std::string file =
      testing::TempDir() + "kinetree_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + ".xml";
  std::ofstream(file) << mjcf_text(d);
  char error[500] = "";
  theirs_.reset(mj_loadXML(file.c_str(), nullptr, error, sizeof error));
  std::remove(file.c_str());
  if (!theirs_) throw std::runtime_error(error);
  theirs_->opt.enableflags |= mjENBL_ENERGY;
  data_.reset(mj_makeData(theirs_.get()));
}

MujocoMechanism::Place MujocoMechanism::place(int b) const {
  const int joint = mj_name2id(theirs_.get(), mjOBJ_JOINT, std::string(model_->joint_name(b)).c_str());
  EXPECT_GE(joint, 0);
  const auto k = static_cast<std::size_t>(b);
  const ModelData& data = model_->data();
  return {data.joint_type[k],
          data.q_index[k],
          data.v_index[k],
          theirs_->jnt_qposadr[joint],
          theirs_->jnt_dofadr[joint],
          velocity_count(data.joint_type[k])};
}

void MujocoMechanism::set(const TestState& s) {
  state_ = s;
  T_ = Eigen::MatrixXd::Zero(theirs_->nv, model_->nv());
  for (int b = 0; b < model_->body_count(); ++b) {
    const Place p = place(b);
    mjtNum* q = data_->qpos + p.their_q;
    const auto quaternion = [&](int from, int to) {
      q[to] = s.q[p.q + from + 3];
      for (int k = 0; k < 3; ++k) q[to + 1 + k] = s.q[p.q + from + k];
    };
    T_.block(p.their_v, p.v, p.freedoms, p.freedoms).setIdentity();
    if (p.type == JointType::spherical) {
      quaternion(0, 0);
    } else if (p.type == JointType::floating) {  // their linear part: world axes
      for (int k = 0; k < 3; ++k) q[k] = s.q[p.q + k];
      quaternion(3, 3);
      T_.block<3, 3>(p.their_v, p.v) =
          Eigen::Quaterniond(s.q[p.q + 6], s.q[p.q + 3], s.q[p.q + 4], s.q[p.q + 5]).toRotationMatrix();
    } else {
      q[0] = s.q[p.q];
    }
  }
  // T is orthogonal: forces go by it as velocities do.
  Eigen::Map<Eigen::VectorXd>(data_->qvel, theirs_->nv) = T_ * s.v;
  Eigen::Map<Eigen::VectorXd>(data_->qfrc_applied, theirs_->nv) = T_ * s.tau;
  mj_forward(theirs_.get(), data_.get());
}

Eigen::VectorXd MujocoMechanism::forward_dynamics() {
  mj_forward(theirs_.get(), data_.get());
  Eigen::VectorXd a = T_.transpose() * Eigen::Map<Eigen::VectorXd>(data_->qacc, theirs_->nv);
  for (int b = 0; b < model_->body_count(); ++b)  // the derivative of components in axes that turn with the body
    if (const Place p = place(b); p.type == JointType::floating)
      a.segment<3>(p.v) -= state_.v.segment<3>(p.v + 3).cross(state_.v.segment<3>(p.v));
  return a;
}

void MujocoMechanism::set_accelerations(const Eigen::VectorXd& a) {
  Eigen::VectorXd turned = a;
  for (int b = 0; b < model_->body_count(); ++b)
    if (const Place p = place(b); p.type == JointType::floating)
      turned.segment<3>(p.v) += state_.v.segment<3>(p.v + 3).cross(state_.v.segment<3>(p.v));
  Eigen::Map<Eigen::VectorXd>(data_->qacc, theirs_->nv) = T_ * turned;
}

Eigen::VectorXd MujocoMechanism::inverse_dynamics(const Eigen::VectorXd& a) {
  set_accelerations(a);
  Eigen::VectorXd tau(theirs_->nv);
  mj_rne(theirs_.get(), data_.get(), 1, tau.data());
  return T_.transpose() * tau;
}

Eigen::MatrixXd MujocoMechanism::mass_matrix() {
  RowMajor M(theirs_->nv, theirs_->nv);
  mj_fullM(theirs_.get(), M.data(), data_->qM);
  return T_.transpose() * M * T_;
}

Energy MujocoMechanism::energy() {
  mj_energyPos(theirs_.get(), data_.get());
  mj_energyVel(theirs_.get(), data_.get());
  return {data_->energy[1], data_->energy[0]};
}

int MujocoMechanism::link_index(const std::string& link) const {
  const int body = mj_name2id(theirs_.get(), mjOBJ_BODY, link.c_str());
  EXPECT_GE(body, 0) << link;
  return body;
}

MujocoMechanism::Motion MujocoMechanism::motion(const std::string& link, const Eigen::VectorXd& a) {
  const int body = link_index(link);
  Motion m;
  m.pose.leftCols<3>() = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(data_->xmat + 9 * body);
  m.pose.col(3) = Eigen::Map<const Eigen::Vector3d>(data_->xpos + 3 * body);
  mj_objectVelocity(theirs_.get(), data_.get(), mjOBJ_XBODY, body, m.velocity.data(), 0);
  set_accelerations(a);
  mj_rnePostConstraint(theirs_.get(), data_.get());
  mj_objectAcceleration(theirs_.get(), data_.get(), mjOBJ_XBODY, body, m.acceleration.data(), 0);
  m.acceleration.tail<3>() += Eigen::Map<const Eigen::Vector3d>(theirs_->opt.gravity);  // as an accelerometer shows it
  return m;
}

Eigen::MatrixXd MujocoMechanism::jacobian(const std::string& link, const Eigen::Vector3d& offset) {
  const int body = link_index(link);
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> R(data_->xmat + 9 * body);
  const Eigen::Vector3d point = Eigen::Map<const Eigen::Vector3d>(data_->xpos + 3 * body) + R * offset;
  RowMajor J(6, theirs_->nv);
  mj_jac(theirs_.get(), data_.get(), J.row(3).data(), J.data(), point.data(), body);
  return J * T_;
}

Eigen::Matrix<double, 12, 1> MujocoMechanism::momentum() {
  mj_subtreeVel(theirs_.get(), data_.get());
  Eigen::Matrix<double, 12, 1> m;
  m << Eigen::Map<const Eigen::Vector3d>(data_->subtree_com), Eigen::Map<const Eigen::Vector3d>(data_->subtree_linvel),
      Eigen::Map<const Eigen::Vector3d>(data_->subtree_angmom),
      theirs_->body_subtreemass[0] * Eigen::Map<const Eigen::Vector3d>(data_->subtree_linvel);
  return m;
}

}  // namespace kinetree::oracle
