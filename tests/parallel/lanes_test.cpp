// States in lanes: the same accelerations as one by one, whatever pack and lane a state falls in.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

#include "engine/scalar/worst.hpp"
#include "oracle/environment.hpp"
#include "oracle/instruction_sets.hpp"
#include "oracle/mass_matrix_condition.hpp"
#include "oracle/plans.hpp"

namespace kinetree::oracle {
namespace {

/// States side by side; f is empty without external forces.
template <class T>
struct Batch {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  Matrix q, v, tau, f;

  Batch(const Model& model, Eigen::Index columns, bool forced, std::uint64_t seed) {
    q.resize(model.nq(), columns), v.resize(model.nv(), columns), tau = v;
    f.resize(forced ? 6 * model.body_count() : 0, forced ? columns : 0);
    for (Eigen::Index c = 0; c < columns; ++c) {
      const TestState s = random_state(model, seed + static_cast<std::uint64_t>(c));
      q.col(c) = s.q.cast<T>(), v.col(c) = s.v.cast<T>(), tau.col(c) = s.tau.cast<T>();
      if (forced) f.col(c) = s.f_ext.cast<T>();
    }
  }
  Matrix solve(ForwardDynamics& dynamics, Status* status = nullptr) const {
    Matrix a = Matrix::Zero(v.rows(), v.cols());
    const Status said = f.size() ? dynamics.solve(q, v, tau, f, a) : dynamics.solve(q, v, tau, a);
    if (status)
      *status = said;
    else if (!said.ok())
      ADD_FAILURE() << said.message(dynamics.model());
    return a;
  }
};

/// |a - b| / |b|, the worst of all columns.
template <class M>
double difference(const M& a, const M& b) {
  double worst = 0;
  for (Eigen::Index c = 0; c < a.cols(); ++c)
    keep_worst(worst, static_cast<double>((a.col(c) - b.col(c)).norm() / b.col(c).norm()));
  return worst;
}

template <class M>
bool same_bytes(const M& a, const M& b) {
  return std::memcmp(a.data(), b.data(), sizeof(a(0, 0)) * static_cast<std::size_t>(a.size())) == 0;
}

std::vector<Options> plans() {
  std::vector<Options> all{serial(Algorithm::ab), serial(Algorithm::crb), serial(Algorithm::crb),
                           serial(Algorithm::cfa), serial(Algorithm::modular)};
  all[2].factorization = Factorization::dense;
  all[4].grain = 4;
  return all;
}

const char* const laned_families[] = {"chain:9", "random:40:seed=4:floating=1", "random:40:seed=5:special=1",
                                      "random:25:seed=6:joints=spherical", "tree:3x3"};

TEST(Lanes, EqualOneByOneForEveryAlgorithmAndInstructionSet) {
  for (const char* family : laned_families) {
    const Model model = make_model(family);
    for (const bool forced : {false, true}) {
      const Batch<double> batch(model, 21, forced, 5);
      const Batch<float> in_float(model, 37, forced, 5);
      double condition = 0;
      for (Eigen::Index c = 0; c < batch.q.cols(); ++c)
        keep_worst(condition, mass_matrix_condition(model, batch.q.col(c)));
      for (Options o : plans()) {
        // composite bodies lose what the mass matrix's condition makes of rounding, on each set another part of it
        const double allowed =
            o.algorithm == Algorithm::crb ? std::max(1e-12, std::numeric_limits<double>::epsilon() * condition) : 1e-12;
        o.lanes = 1;
        Batch<double>::Matrix expected;
        {
          const Environment plain("baseline");
          ForwardDynamics one_by_one(model, o);
          expected = batch.solve(one_by_one);
        }
        for (const InstructionSet set : sets()) {
          const Environment limited(name_of(set));
          o.lanes = 1;
          ForwardDynamics alone(model, o);
          o.lanes = lane_width(set);
          ForwardDynamics side_by_side(model, o);
          EXPECT_EQ(side_by_side.plan().lanes, lane_width(set));
          const std::string where = std::string(family) + ", " + describe(o) + ", " + name_of(set);
          EXPECT_LE(difference(batch.solve(alone), expected), allowed) << where << ", one by one";
          EXPECT_LE(difference(batch.solve(side_by_side), expected), allowed) << where;
          // the scale: what floats one by one and doubles differ by, on the same rounded states
          const Batch<float>::Matrix a1 = in_float.solve(alone), a = in_float.solve(side_by_side);
          EXPECT_LE(difference(a, a1), 1e-3) << where << ", float";
        }
      }
    }
  }
}

TEST(Lanes, AColumnsBitsDependOnNoPack) {
  for (const char* family : {"random:30:seed=7:floating=1", "chain:12"}) {
    const Model model = make_model(family);
    for (const InstructionSet set : sets()) {
      const Environment limited(name_of(set));
      for (const Options& o : plans()) {
        ForwardDynamics dynamics(model, o);
        const int w = lane_width(set);
        const Batch<double> whole(model, 2 * w + 1, false, 30);
        const auto expected = whole.solve(dynamics);
        // fewer columns
        for (Eigen::Index n = 2; n <= 2 * w; ++n) {
          Batch<double> part = whole;
          part.q.conservativeResize(Eigen::NoChange, n), part.v.conservativeResize(Eigen::NoChange, n);
          part.tau.conservativeResize(Eigen::NoChange, n);
          EXPECT_TRUE(same_bytes(part.solve(dynamics), Batch<double>::Matrix(expected.leftCols(n)))) << family << n;
        }
        // columns in another order: the last first
        Batch<double> turned = whole;
        turned.q = whole.q.rowwise().reverse(), turned.v = whole.v.rowwise().reverse();
        turned.tau = whole.tau.rowwise().reverse();
        EXPECT_TRUE(same_bytes(turned.solve(dynamics), Batch<double>::Matrix(expected.rowwise().reverse())))
            << family << ", " << describe(o) << ", " << name_of(set);
      }
    }
  }
}

TEST(Lanes, AColumnThatFailsIsNamedAndHarmsNoOther) {
  const Model model = make_model("random:20:seed=2:floating=1");
  for (const InstructionSet set : sets()) {
    const Environment limited(name_of(set));
    for (const Options& o : plans()) {
      ForwardDynamics dynamics(model, o);
      Batch<double> batch(model, 19, false, 9);
      const auto expected = batch.solve(dynamics);
      batch.q(4, 2) += 0.1;              // a quaternion too long
      batch.q(7, 5) = std::nan("");      // a joint
      batch.v(3, 6) = HUGE_VAL;          // a velocity
      batch.tau(4, 18) = -std::nan("");  // in the last pack
      Status status;
      const auto a = batch.solve(dynamics, &status);
      EXPECT_EQ(status.column, 2);
      const auto statuses = dynamics.statuses();
      for (Eigen::Index c = 0; c < 19; ++c) {
        const Status& said = statuses[static_cast<std::size_t>(c)];
        EXPECT_EQ(said.column, c);
        const bool failed = c == 2 || c == 5 || c == 6 || c == 18;
        EXPECT_EQ(said.code, c == 2   ? StatusCode::not_normalized
                             : failed ? StatusCode::not_finite
                                      : StatusCode::ok)
            << name_of(set) << ", column " << c;
        const bool as_it_should = failed ? a.col(c).array().isNaN().all()
                                         : same_bytes(Eigen::VectorXd(a.col(c)), Eigen::VectorXd(expected.col(c)));
        EXPECT_TRUE(as_it_should) << name_of(set) << ", column " << c;
      }
    }
  }
}

TEST(Lanes, GreatAnglesGoByTheLibrary) {
  const Model model = make_model("chain:7");
  Batch<double> batch(model, 11, false, 2);
  batch.q(3, 4) = 1e9;  // one lane of the first pack
  batch.q(0, 10) = -3e12;
  Options o = serial(Algorithm::ab);
  o.lanes = 1;
  ForwardDynamics alone(model, o);
  o.lanes = 0;
  ForwardDynamics side_by_side(model, o);
  EXPECT_LE(difference(batch.solve(side_by_side), batch.solve(alone)), 1e-12);
}

TEST(Lanes, MultipliersAndMassMatricesOfLoopsGoOneByOne) {
  const Model four_bar = make_model("fourbars:3");
  EXPECT_EQ(ForwardDynamics(four_bar, serial(Algorithm::crb)).plan().lanes, 1);
  Options o = serial(Algorithm::ab);
  EXPECT_EQ(ForwardDynamics(four_bar, o).plan().lanes, lane_width(instruction_set()));
  const Model geared = make_model("geared:4");
  EXPECT_EQ(ForwardDynamics(geared, serial(Algorithm::crb)).plan().lanes, lane_width(instruction_set()))
      << "couplings choose nothing";
  o.loops = Loops::multipliers;
  EXPECT_EQ(ForwardDynamics(geared, o).plan().lanes, 1);
}

TEST(Lanes, WrongWishesAreRefused) {
  const Model model = make_model("chain:3");
  const auto message = [&](int lanes) -> std::string {
    Options o;
    o.lanes = lanes;
    try {
      ForwardDynamics dynamics(model, o);
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(message(3).find("lanes is 3"), std::string::npos);
  EXPECT_NE(message(-1).find("0 (the best), 1 (none)"), std::string::npos);
  EXPECT_EQ(message(1), "");
  {
    const Environment limited("baseline");
    EXPECT_NE(message(8).find("up to baseline"), std::string::npos);
  }
  {
    const Environment unknown("mmx");
    EXPECT_NE(message(0).find("\"mmx\", which is no instruction set; take baseline, avx2 or avx512"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace kinetree::oracle
