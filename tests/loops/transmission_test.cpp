// Gears and differentials of every shape: which members something hangs from, whether on the ground or on a moving
// body, turning, sliding or both. Articulated bodies against the dense mass matrix.
#include <gtest/gtest.h>

#include "engine/algorithm/solver/solver.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"
#include "oracle/mechanisms.hpp"
#include "oracle/random_state.hpp"

namespace kinetree::oracle {
namespace {

struct Shape {
  int members, freedoms;
  unsigned burdened;  ///< bit per member: whether a body hangs from it
  bool grounded, armature;
};

Description transmission(const Shape& shape, std::uint64_t seed) {
  const JointType types[] = {JointType::revolute, JointType::prismatic, JointType::helical};
  Random random(seed);
  Description d;
  d.name = "transmission";
  d.gravity = {2, -7, 5};
  const std::string parent = shape.grounded ? "world" : "carrier";
  if (!shape.grounded) d.bodies.push_back(random_body(random, parent, "world", JointType::spherical));
  for (int k = 0; k < shape.members; ++k) {
    const std::string name = "member" + std::to_string(k);
    const auto type = types[(static_cast<std::size_t>(k) * seed + seed / 3) % 3];
    d.bodies.push_back(random_body(random, name, parent, type));
    if (shape.armature) d.bodies.back().joint.armature = random.uniform(0.1, 1);
    if (shape.burdened >> k & 1U) d.bodies.push_back(random_body(random, name + "_load", name, JointType::revolute));
  }
  for (int row = 0; row < shape.members - shape.freedoms; ++row) {
    CouplingDescription c;
    c.name = "coupling" + std::to_string(row);
    for (int k = row; k <= row + shape.freedoms; ++k)
      c.terms.push_back({"to_member" + std::to_string(k), random.uniform(0.3, 3) * (k % 2 == 0 ? 1 : -1)});
    d.couplings.push_back(c);
  }
  return d;
}

double worst_difference(const Shape& shape, std::uint64_t seed) {
  const Model model = make_model(transmission(shape, seed));
  EXPECT_EQ(model.data().aggregates.size(), 1U);
  EXPECT_EQ(model.data().aggregates[0].freedoms, shape.freedoms);
  TestState s = random_state(model, seed);
  const auto solve = [&](const Method& method) {
    Eigen::VectorXd a(model.nv());
    const auto solver = make_solver<double>(model, method);
    solver->set({s.q.data(), s.v.data(), s.f_ext.data(), s.tau.data(), nullptr, a.data()});
    solver->run();
    s.tau *= -0.5;  // a second state: nothing of the first may be left
    solver->run();
    s.tau *= -2;
    return a;
  };
  Method embedded, dense;
  embedded.loops = Loops::embed;
  dense.algorithm = Algorithm::crb;
  const Eigen::VectorXd a = solve(embedded), b = solve(dense);
  return largest_of(a - b) / std::max(1.0, largest_of(b));
}

TEST(Fans, OfEveryShapeMoveAsByTheDenseMassMatrix) {
  double worst = 0;
  int shapes = 0;
  for (const int members : {2, 3, 4})
    for (int freedoms = 1; freedoms < members; ++freedoms)
      for (unsigned burdened = 0; burdened < 1U << members; ++burdened)
        for (const bool grounded : {false, true})
          for (const bool armature : {false, true})
            for (std::uint64_t seed = 1; seed <= 4; ++seed, ++shapes)
              keep_worst(worst, worst_difference({members, freedoms, burdened, grounded, armature}, seed));
  EXPECT_LE(worst, 3e-13);
  std::printf("%d transmissions, worst %.1e\n", shapes, worst);
}

}  // namespace
}  // namespace kinetree::oracle
