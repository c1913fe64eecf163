// Equalities of MJCF, which MuJoCo keeps softly: accelerations against MuJoCo's own mass matrix and bias with the
// constraints put in exactly, from its Jacobians of points and bodies, by a dense solve that is written here.
#include <Eigen/Geometry>
#include <Eigen/QR>
#include <cstdio>
#include <kinetree/constraint_forces.hpp>
#include <kinetree/mjcf.hpp>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"
#include "io/closed_state.hpp"
#include "io/expect_finding.hpp"
#include "io/mujoco_model.hpp"

namespace kinetree::test {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// J of every active equality at qpos, in MuJoCo's velocities: of points' and bodies' relative motion in world axes,
/// and of joints. Scaled and turned in any way it means the same.
Eigen::MatrixXd jacobian(const mjModel* m, mjData* d) {
  mj_kinematics(m, d);
  mj_comPos(m, d);
  Rows J(0, m->nv);
  const auto add = [&](const Rows& rows) {
    J.conservativeResize(J.rows() + rows.rows(), Eigen::NoChange);
    J.bottomRows(rows.rows()) = rows;
  };
  for (int e = 0; e < m->neq; ++e) {
    const int one = m->eq_obj1id[e], two = m->eq_obj2id[e];
    const mjtNum* data = m->eq_data + mjNEQDATA * e;
    if (m->eq_type[e] == mjEQ_CONNECT || m->eq_type[e] == mjEQ_WELD) {
      const bool weld = m->eq_type[e] == mjEQ_WELD;
      Rows point[2], turn[2];
      for (const int k : {0, 1}) {
        const int body = k == 0 ? one : two;
        mjtNum p[3];  // a weld's first point is data[3..5], its second data[0..2]
        mju_rotVecMat(p, data + (weld == (k == 0) ? 3 : 0), d->xmat + 9 * body);
        mju_addTo3(p, d->xpos + 3 * body);
        point[k] = turn[k] = Rows::Zero(3, m->nv);
        mj_jac(m, d, point[k].data(), turn[k].data(), p, body);
      }
      add(point[0] - point[1]);
      if (weld) add(turn[0] - turn[1]);
    } else {
      Rows row = Rows::Zero(1, m->nv);
      const auto put = [&](int object, double factor) {
        if (m->eq_type[e] == mjEQ_JOINT) {
          row(0, m->jnt_dofadr[object]) += factor;
          return;
        }
        for (int w = m->tendon_adr[object]; w < m->tendon_adr[object] + m->tendon_num[object]; ++w)
          row(0, m->jnt_dofadr[m->wrap_objid[w]]) += factor * m->wrap_prm[w];
      };
      put(one, 1);
      if (two >= 0 && m->eq_type[e] == mjEQ_JOINT) {
        const double x = d->qpos[m->jnt_qposadr[two]] - m->qpos0[m->jnt_qposadr[two]];
        put(two, -(data[1] + x * (2 * data[2] + x * (3 * data[3] + x * 4 * data[4]))));
      } else if (two >= 0) {
        put(two, -data[1]);
      }
      add(row);
    }
  }
  return J;
}

/// dJ/dt v by central differences along v, extrapolated twice: its error is of order step^6.
Eigen::VectorXd jacobian_rate(const mjModel* m, mjData* d) {
  const std::vector<mjtNum> start(d->qpos, d->qpos + m->nq);
  const Eigen::VectorXd v = Eigen::Map<Eigen::VectorXd>(d->qvel, m->nv);
  const auto difference = [&](double h) -> Eigen::VectorXd {
    Eigen::VectorXd sides[2];
    for (const int k : {0, 1}) {
      std::copy(start.begin(), start.end(), d->qpos);
      mj_integratePos(m, d->qpos, d->qvel, k == 0 ? -h : h);
      sides[k] = jacobian(m, d) * v;
    }
    return (sides[1] - sides[0]) / (2 * h);
  };
  const double h = 4e-3;
  const Eigen::VectorXd a = difference(h), b = difference(h / 2), c = difference(h / 4);
  const Eigen::VectorXd ab = (4 * b - a) / 3, bc = (4 * c - b) / 3;
  std::copy(start.begin(), start.end(), d->qpos);
  return (16 * bc - ab) / 15;
}

/// Least multipliers, least accelerations' error: redundant rows are let be.
void constrained_accelerations(Theirs& theirs, const Model& model, const oracle::TestState& s) {
  const mjModel* m = theirs.m;
  mjData* d = theirs.d;
  theirs.set(model, s);
  // they see the equalities closed where we do
  for (int row = 0; row < d->ne; ++row) EXPECT_NEAR(d->efc_pos[row], 0, 1e-11);
  EXPECT_GT(d->ne, 0);
  Rows M(m->nv, m->nv);
  mj_fullM(m, M.data(), d->qM);
  const Eigen::VectorXd bias = Eigen::Map<Eigen::VectorXd>(d->qfrc_bias, m->nv),
                        tau = Eigen::Map<Eigen::VectorXd>(d->qfrc_applied, m->nv);
  const Eigen::VectorXd rate = jacobian_rate(m, d);
  const Eigen::MatrixXd J = jacobian(m, d);
  EXPECT_LE((J * Eigen::Map<Eigen::VectorXd>(d->qvel, m->nv)).norm(), 1e-11);
  // a = a0 + M^-1 J^T lambda with J a = -rate
  const Eigen::LDLT<Eigen::MatrixXd> solved(M);
  const Eigen::VectorXd free = solved.solve(tau - bias);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> A;
  A.setThreshold(1e-10);
  A.compute(J * solved.solve(J.transpose()));
  const Eigen::VectorXd a = free + solved.solve(J.transpose() * A.solve(-rate - J * free));
  EXPECT_LE((J * a + rate).norm(), 1e-8 * (1 + rate.norm()));
  Eigen::Map<Eigen::VectorXd>(d->qacc, m->nv) = a;
}

void equalities_hold_exactly(const std::string& text, double reach, int freedoms) {
  const Reading reading = read_mjcf_text(text, "model.xml");
  ASSERT_FALSE(has_error(reading.findings)) << all(reading.findings);
  const Model model = make_model(reading.description);
  int free = model.nv();
  for (const Aggregate& a : model.data().aggregates) free += a.freedoms - a.velocities;
  EXPECT_EQ(free, freedoms);
  Theirs theirs(text);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const oracle::TestState s = closed_state(model, seed, reach);
    constrained_accelerations(theirs, model, s);
    const Eigen::VectorXd expected = theirs.accelerations(s);
    for (const Algorithm algorithm : {Algorithm::ab, Algorithm::crb, Algorithm::cfa}) {
      ForwardDynamics dynamics(model, {.algorithm = algorithm, .executor = ExecutorKind::serial});
      Eigen::VectorXd a(model.nv());
      ASSERT_TRUE(dynamics.solve(s.q, s.v, s.tau, a).ok());
      EXPECT_LE(largest_of(a - expected), 1e-9 * largest_of(expected)) << "seed " << seed;
    }
  }
}

const std::string inertial =
    "<inertial pos=\".1 -.2 .05\" quat=\"1 .2 -.3 .1\" mass=\"1.3\" diaginertia=\".02 .03 .04\"/>";

std::string file(const std::string& bodies, const std::string& equalities, const std::string& rest = "") {
  return "<mujoco><compiler angle=\"radian\"/><option gravity=\"0.3 -0.2 -9\"><flag contact=\"disable\"/></option>"
         "<worldbody>" +
         bodies + "</worldbody>" + rest + "<equality>" + equalities + "</equality></mujoco>";
}
/// A body and what hangs from it.
std::string body(const std::string& name, const std::string& pos, const std::string& joints,
                 const std::string& inside = "") {
  return "<body name=\"" + name + "\" pos=\"" + pos + "\">" + joints + inertial + inside + "</body>";
}
std::string hinge(const std::string& name, const std::string& axis, const std::string& more = "") {
  return "<joint name=\"" + name + "\" axis=\"" + axis + "\" " + more + "/>";
}

TEST(MjcfEqualities, ConnectClosesAFourBarAndItsRowsAreRedundant) {
  const std::string bar =
      body("crank", "0 0 0", hinge("a", "0 1 0", "armature=\".1\""), body("coupler", "0 0 .2", hinge("b", "0 1 0"))) +
      body("rocker", ".4 0 0", hinge("c", "0 1 0", "pos=\".05 0 -.02\""),
           body("load", ".1 .1 .1", hinge("e", "1 .2 0")));
  equalities_hold_exactly(file(bar, "<connect body1=\"coupler\" body2=\"rocker\" anchor=\".45 0 .1\"/>"), .3, 2);
  // the point in the other body first, and the same between bodies that have swapped places
  equalities_hold_exactly(file(bar, "<connect body1=\"rocker\" body2=\"coupler\" anchor=\".05 0 .3\"/>"), .3, 2);
}

TEST(MjcfEqualities, ConnectHoldsAnArmToTheGround) {
  equalities_hold_exactly(file(body("a", "0 0 .1", "<joint name=\"a\" type=\"ball\"/>",
                                    body("b", ".3 0 .1", hinge("b", "0 1 0", "pos=\".1 0 0\"") + hinge("c", "1 0 .3"),
                                         body("d", ".2 .1 0", "<joint name=\"d\" type=\"slide\" axis=\"1 1 0\"/>"))),
                               "<connect body1=\"d\" anchor=\".1 .2 .1\"/>"),
                          .3, 3);
}

TEST(MjcfEqualities, WeldClosesALoopOfAFloatingRobot) {
  const auto arm = [](const std::string& side, const std::string& at, const std::string& more) {
    return body(side + "1", at, hinge(side + "1", "0 1 .1"),
                body(side + "2", ".3 0 .1", hinge(side + "2", "1 0 .2", "pos=\".1 0 0\""),
                     body(side + "3", ".2 .1 .1", hinge(side + "3", "0 .2 1") + hinge(side + "3b", "1 .5 0"), more)));
  };
  equalities_hold_exactly(file(body("base", "0 0 1", "<freejoint/>", arm("l", "0 .2 0", "") + arm("r", "0 -.2 0", "")),
                               "<weld body1=\"l3\" body2=\"r3\"/>"),
                          .2, 8);
  equalities_hold_exactly(file(body("base", "0 0 1", "<freejoint/>", arm("l", "0 .2 0", "") + arm("r", "0 -.2 0", "")),
                               "<weld body1=\"l3\" body2=\"r3\" anchor=\".3 -.1 .2\"/>"),
                          .2, 8);
}

TEST(MjcfEqualities, JointsAndTendonsAreCoupled) {
  equalities_hold_exactly(
      file(body("a", "0 0 0", hinge("a", "0 1 0", "ref=\".4\" armature=\".02\""),
                body("b", ".3 0 .1", hinge("b", "1 1 0", "ref=\"-.2\""),
                     body("c", ".3 .1 0", "<joint name=\"c\" type=\"slide\" axis=\"0 0 1\" ref=\".1\"/>",
                          body("d", "0 .2 .1", hinge("d", "1 0 1"))))) +
               body("e", "1 0 0", hinge("e", "0 0 1"), body("f", ".2 0 0", hinge("f", "0 1 0", "ref=\".3\""))),
           "<joint joint1=\"a\" joint2=\"b\" polycoef=\".1 -2.5 0 0 0\"/>"
           "<tendon tendon1=\"t\" tendon2=\"u\" polycoef=\".05 1.2 0 0 0\"/>"
           "<joint joint1=\"f\" polycoef=\".2 0 0 0 0\"/>",
           "<tendon><fixed name=\"t\"><joint joint=\"c\" coef=\"2\"/><joint joint=\"d\" coef=\"3\"/></fixed>"
           "<fixed name=\"u\"><joint joint=\"e\" coef=\"1.5\"/><joint joint=\"c\" coef=\".5\"/></fixed></tendon>"),
      1, 3);
}

/// A knee as biomechanics has it: the shank slides on the thigh by polynomials of the knee's angle.
TEST(MjcfEqualities, PolynomialsOfAJointHoldExactly) {
  const std::string leg =
      body("thigh", "0 0 0", hinge("hip", "0 1 0", "ref=\".3\" armature=\".02\""),
           body("shank", "0 0 -.4",
                "<joint name=\"x\" type=\"slide\" axis=\"1 0 0\"/><joint name=\"z\" type=\"slide\" axis=\"0 0 1\" "
                "ref=\".1\"/>" +
                    hinge("knee", "0 1 .1", "ref=\"-.2\""),
                body("foot", "0 0 -.4", hinge("ankle", "0 1 0"))));
  equalities_hold_exactly(file(leg + body("cam", "1 0 0", hinge("cam", "0 0 1")),
                               "<joint joint1=\"x\" joint2=\"knee\" polycoef=\".01 .02 -.03 .04 .02\"/>"
                               "<joint joint1=\"z\" joint2=\"knee\" polycoef=\"0 .05 .1 0 0\"/>"
                               "<joint joint1=\"cam\" joint2=\"hip\" polycoef=\"0 0 .5 .1 0\"/>"),
                          1, 3);
}

/// A rotor on the ground, geared to the first joint, is armature of ratio² times its inertia: MuJoCo has that exactly.
TEST(MjcfEqualities, AGearedRotorIsMujocosArmature) {
  const double ratio = 7, spin = .003;
  const auto arm = [](const std::string& more) {
    return body("a", "0 0 0", hinge("a", "0 1 .3", more),
                body("b", ".3 0 .1", hinge("b", "1 1 0"), body("c", ".3 .1 0", hinge("c", "0 0 1"))));
  };
  const std::string rotor =
      "<body name=\"rotor\"><joint name=\"rotor\" axis=\"0 0 1\"/><inertial pos=\"0 0 0\" mass=\".2\" "
      "diaginertia=\".002 "
      ".002 .003\"/></body>";
  const Reading reading =
      read_mjcf_text(file(arm("") + rotor, "<joint joint1=\"rotor\" joint2=\"a\" polycoef=\"0 7 0 0 0\"/>"), "f");
  ASSERT_FALSE(has_error(reading.findings)) << all(reading.findings);
  const Model geared = make_model(reading.description);
  const std::string plain = file(arm("armature=\"" + std::to_string(ratio * ratio * spin) + "\""), "");
  const Model carried = make_model(read_mjcf_text(plain, "f").description);
  Theirs theirs(plain);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    TestState s = oracle::random_state(carried, seed);
    Eigen::VectorXd q(4), v(4), tau(4), a(4);
    q << s.q, ratio * s.q[0];
    v << s.v, ratio * s.v[0];
    tau << s.tau, .3;
    ASSERT_TRUE(ForwardDynamics(geared, {.algorithm = Algorithm::ab}).solve(q, v, tau, a).ok());
    s.tau[0] += ratio * .3;
    theirs.set(carried, s);
    const Eigen::VectorXd expected = theirs.accelerations(s);
    EXPECT_LE((a.head(3) - expected).norm(), 1e-9 * expected.norm());
    EXPECT_NEAR(a[3], ratio * a[0], 1e-9 * std::abs(a[3]));
  }
}

/// As hard as MuJoCo's equalities become.
const std::string soft = " solref=\".02 1\" solimp=\".9999 .9999 .001 .5 2\"";

void solve_to_the_end(Theirs& theirs) {
  theirs.m->opt.solver = mjSOL_NEWTON;
  theirs.m->opt.tolerance = 0;
  theirs.m->opt.iterations = 100;
}

/// MuJoCo's own accelerations at rest are ours up to its softness: it takes the share 1 - d of what would break a
/// constraint, d <= 0.9999. In motion it leaves out dJ/dt v, so there is nothing to compare.
TEST(MjcfEqualities, MujocosSoftOnesComeWithinTheirSoftness) {
  const std::string text =
      file(body("crank", "0 0 0", hinge("a", "0 1 0"), body("coupler", "0 0 .2", hinge("b", "0 1 0"))) +
               body("rocker", ".4 0 0", hinge("c", "0 1 0"), body("load", ".1 .1 .1", hinge("e", "1 .2 0"))),
           "<connect body1=\"coupler\" body2=\"rocker\" anchor=\".45 0 .1\"" + soft +
               "/><joint joint1=\"e\" joint2=\"a\" polycoef=\"0 2 0 0 0\"" + soft + "/>");
  const Model model = make_model(read_mjcf_text(text, "f").description);
  Theirs theirs(text);
  solve_to_the_end(theirs);
  double worst = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    TestState s = closed_state(model, seed, .3);
    s.v.setZero();
    theirs.set(model, s);
    Eigen::VectorXd a(model.nv());
    ASSERT_TRUE(ForwardDynamics(model, {.algorithm = Algorithm::ab}).solve(s.q, s.v, s.tau, a).ok());
    keep_worst(worst, (a - theirs.accelerations(s)).norm() / a.norm());
  }
  EXPECT_LE(worst, 2e-3);
  EXPECT_GE(worst, 1e-9);  // else it would be no softness
  RecordProperty("relative_difference", std::to_string(worst));
}

/// Forces of constraints and reactions of joints at rest: of a loop, of a coupling between the ground and a joint, of
/// every joint, are MuJoCo's within its softness.
TEST(MjcfEqualities, ForcesThatHoldAreMujocosWithinItsSoftness) {
  const std::string text =
      file(body("a", "0 0 .1", "<joint name=\"a\" type=\"ball\"/>",
                body("b", ".3 0 .1", hinge("b", "0 1 0", "pos=\".1 0 0\"") + hinge("c", "1 0 .3", "armature=\".03\""),
                     body("d", ".2 .1 0", "<joint name=\"d\" type=\"slide\" axis=\"1 1 0\"/>"))) +
               body("e", "1 0 0", hinge("e", "0 1 .2"), body("f", ".3 .1 0", hinge("f", "0 0 1"))),
           "<connect body1=\"d\" body2=\"f\" anchor=\".1 .2 .1\"" + soft +
               "/><joint joint1=\"f\" joint2=\"e\" polycoef=\"0 1.5 0 0 0\"" + soft + "/>");
  const Description description = read_mjcf_text(text, "f").description;
  const Model model = make_model(description);
  ASSERT_EQ(description.loops.size(), 1u);
  ASSERT_EQ(description.couplings.size(), 1u);
  Theirs theirs(text);
  const mjModel* m = theirs.m;
  mjData* d = theirs.d;
  solve_to_the_end(theirs);
  double worst = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    TestState s = closed_state(model, seed, .3);
    s.v.setZero();
    theirs.set(model, s);
    mj_rnePostConstraint(m, d);
    Eigen::VectorXd a(model.nv()), loops(12), couplings(1), joints(6 * model.body_count());
    ASSERT_TRUE(ForwardDynamics(model, {.algorithm = Algorithm::ab}).solve(s.q, s.v, s.tau, a).ok());
    Workspace workspace(model);
    ASSERT_TRUE(loop_forces(model, workspace, s.q, s.v, a, s.tau, Axes::world_aligned, loops).ok());
    ASSERT_TRUE(coupling_forces(model, workspace, s.q, s.v, a, s.tau, couplings).ok());
    ASSERT_TRUE(joint_reactions(model, workspace, s.q, s.v, a, s.tau, Axes::world, joints).ok());
    ASSERT_EQ(d->ne, 4);
    const auto keep = [&](const Eigen::VectorXd& ours, const Eigen::VectorXd& of_mujoco) {
      keep_worst(worst, largest_of(ours - of_mujoco) / std::max(1.0, largest_of(of_mujoco)));
    };
    const bool d_first = description.loops[0].first.body == "d";
    keep(loops.segment(d_first ? 3 : 9, 3), Eigen::Map<Eigen::VectorXd>(d->efc_force, 3));
    for (const CouplingDescription::Term& term : description.couplings[0].terms) {
      const double share = term.coefficient * couplings[0];
      if (term.joint == "f") keep_worst(worst, std::abs(share - d->efc_force[3]) / std::max(1.0, std::abs(share)));
    }
    for (int i = 0; i < model.body_count(); ++i) {
      const int theirs_body = mj_name2id(m, mjOBJ_BODY, std::string(model.body_name(i)).c_str());
      if (theirs_body < 0) continue;  // between two joints of a body
      const mjtNum* wrench = d->cfrc_int + 6 * theirs_body;
      const Eigen::Vector3d force(wrench[3], wrench[4], wrench[5]),
          com(d->subtree_com + 3 * m->body_rootid[theirs_body]);
      Eigen::VectorXd about_world(6);
      about_world << Eigen::Vector3d(wrench) + com.cross(force), force;
      keep(joints.segment(6 * i, 6), about_world);
    }
  }
  EXPECT_LE(worst, 1e-3);
  EXPECT_GE(worst, 1e-9);  // else it would be no softness
  std::printf("forces apart by %.1e from MuJoCo's\n", worst);
}

}  // namespace
}  // namespace kinetree::test
