#pragma once
// MuJoCo's own model of an MJCF text, moved and asked in kinetree's coordinates.

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>

#include "oracle/random_state.hpp"

namespace kinetree::test {

using oracle::TestState;

/// MuJoCo's own model of a text, and its data.
class Theirs {
 public:
  explicit Theirs(const std::string& text) {
    const std::string file =
        testing::TempDir() + "kinetree_mjcf_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + ".xml";
    std::ofstream(file) << text;
    char error[1000] = "";
    m = mj_loadXML(file.c_str(), nullptr, error, sizeof error);
    std::remove(file.c_str());
    if (!m) throw std::runtime_error(error);
    d = mj_makeData(m);
  }
  ~Theirs() { mj_deleteData(d), mj_deleteModel(m); }
  Theirs(const Theirs&) = delete;
  Theirs& operator=(const Theirs&) = delete;

  /// Their state from ours, entry by entry: the order is the same, quaternions have w first, and a free joint's linear
  /// parts stand in world axes.
  void set(const Model& model, const TestState& s) {
    ASSERT_EQ(model.nq(), m->nq);
    ASSERT_EQ(model.nv(), m->nv);
    for (int j = 0; j < m->njnt; ++j) {
      const int type = m->jnt_type[j], q = m->jnt_qposadr[j], v = m->jnt_dofadr[j];
      for (int k = 0; k < (type == mjJNT_FREE ? 7 : type == mjJNT_BALL ? 4 : 1); ++k) d->qpos[q + k] = s.q[q + k];
      if (type == mjJNT_FREE || type == mjJNT_BALL) {
        const int w = type == mjJNT_FREE ? q + 3 : q;
        std::rotate(d->qpos + w, d->qpos + w + 3, d->qpos + w + 4);
      }
      const int freedoms = type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1;
      for (int k = 0; k < freedoms; ++k) d->qvel[v + k] = s.v[v + k], d->qfrc_applied[v + k] = s.tau[v + k];
      if (type == mjJNT_FREE) {
        const Eigen::Quaterniond R = turn(s, q);
        Eigen::Map<Eigen::Vector3d>(d->qvel + v) = R * s.v.segment<3>(v);
        Eigen::Map<Eigen::Vector3d>(d->qfrc_applied + v) = R * s.tau.segment<3>(v);
      }
    }
    mj_forward(m, d);
  }

  /// Their accelerations as derivatives of our velocities.
  Eigen::VectorXd accelerations(const TestState& s) const {
    Eigen::VectorXd a = Eigen::Map<Eigen::VectorXd>(d->qacc, m->nv);
    for (int j = 0; j < m->njnt; ++j) {
      if (m->jnt_type[j] != mjJNT_FREE) continue;
      const int v = m->jnt_dofadr[j];
      const Eigen::Vector3d linear = s.v.segment<3>(v), angular = s.v.segment<3>(v + 3);
      a.segment<3>(v) = turn(s, m->jnt_qposadr[j]).inverse() * a.segment<3>(v).eval() - angular.cross(linear);
    }
    return a;
  }

  /// Forces that bring about accelerations `a`, both in our coordinates.
  Eigen::VectorXd forces(const TestState& s, const Eigen::VectorXd& a) {
    Eigen::Map<Eigen::VectorXd>(d->qacc, m->nv) = a;
    for (int j = 0; j < m->njnt; ++j) {
      if (m->jnt_type[j] != mjJNT_FREE) continue;
      const int v = m->jnt_dofadr[j];
      const Eigen::Vector3d linear = s.v.segment<3>(v), angular = s.v.segment<3>(v + 3);
      Eigen::Map<Eigen::Vector3d>(d->qacc + v) = turn(s, m->jnt_qposadr[j]) * (a.segment<3>(v) + angular.cross(linear));
    }
    mj_inverse(m, d);
    Eigen::VectorXd tau = Eigen::Map<Eigen::VectorXd>(d->qfrc_inverse, m->nv);
    for (int j = 0; j < m->njnt; ++j)
      if (m->jnt_type[j] == mjJNT_FREE)
        tau.segment<3>(m->jnt_dofadr[j]) =
            turn(s, m->jnt_qposadr[j]).inverse() * tau.segment<3>(m->jnt_dofadr[j]).eval();
    return tau;
  }

  mjModel* m = nullptr;
  mjData* d = nullptr;

 private:
  static Eigen::Quaterniond turn(const TestState& s, int q) { return {s.q[q + 6], s.q[q + 3], s.q[q + 4], s.q[q + 5]}; }
};

}  // namespace kinetree::test
