// Push and pull by the plans of ForwardDynamics: through the dial where these cut joints. The same bits from every
// executor and any number of threads; cotangents against tangents; both against those by articulated bodies; statuses,
// and no allocation after the first call.
#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <array>
#include <cmath>
#include <cstring>
#include <kinetree/kinetree.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/algorithm/lanes/lane_solver.hpp"
#include "engine/partition/make_modules.hpp"
#include "library/planner.hpp"
#include "oracle/instruction_sets.hpp"
#include "oracle/mechanisms.hpp"
#include "oracle/plans.hpp"
#include "parallel/allocations.hpp"

namespace kinetree::oracle {
namespace products_on_threads {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// States, and directions of each.
struct Case {
  Case(const Model& m, int state_count, int each_has, bool is_external)
      : model(m), states(state_count), each(each_has), external(is_external) {
    q.resize(m.nq(), states), v.resize(m.nv(), states), a = v, f.resize(6 * m.body_count(), states);
    for (int c = 0; c < states; ++c) {
      const TestState s = random_state(m, static_cast<std::uint64_t>(20 + c));
      q.col(c) = s.q, v.col(c) = s.v, a.col(c) = s.tau, f.col(c) = s.f_ext;
    }
    Random random(5);
    for (MatrixXd* x : {&dq, &dv, &dtau, &bar}) {
      x->resize(m.nv(), states * each);
      for (double& number : x->reshaped()) number = random.uniform(-1, 1);
    }
  }
  /// da, q_bar, v_bar, tau_bar.
  using Products = std::array<MatrixXd, 4>;
  Products by(ForwardDynamics& dynamics) const {
    Products all;
    all.fill(MatrixXd::Constant(dq.rows(), dq.cols(), -7));
    auto& [da, q_bar, v_bar, tau_bar] = all;
    const Status pushed =
        external ? dynamics.push(q, v, a, f, dq, dv, dtau, da) : dynamics.push(q, v, a, dq, dv, dtau, da);
    EXPECT_TRUE(pushed.ok()) << pushed.message(model);
    EXPECT_EQ(dynamics.statuses().size(), static_cast<std::size_t>(states));
    const Status pulled = external ? dynamics.pull(q, v, a, f, bar, q_bar, v_bar, tau_bar)
                                   : dynamics.pull(q, v, a, bar, q_bar, v_bar, tau_bar);
    EXPECT_TRUE(pulled.ok()) << pulled.message(model);
    return all;
  }
  /// How far the products of a direction are from <y_bar, dy> = <x_bar, dx>, relative to the terms' magnitudes.
  double off_balance(const Products& of) const {
    const auto& [da, q_bar, v_bar, tau_bar] = of;
    double worst = 0;
    for (Eigen::Index c = 0; c < da.cols(); ++c) {
      double sum = 0, magnitude = 0;
      const auto add = [&](double sign, const MatrixXd& x, const MatrixXd& y) {
        sum += sign * x.col(c).dot(y.col(c)), magnitude += x.col(c).cwiseProduct(y.col(c)).cwiseAbs().sum();
      };
      add(1, bar, da), add(-1, q_bar, dq), add(-1, v_bar, dv), add(-1, tau_bar, dtau);
      worst = std::max(worst, std::abs(sum) / magnitude);
    }
    return worst;
  }

  const Model& model;
  int states, each;
  bool external;
  MatrixXd q, v, a, f, dq, dv, dtau, bar;
};

bool same_bytes(const MatrixXd& x, const MatrixXd& y) {
  return x.size() == y.size() &&
         std::memcmp(x.data(), y.data(), sizeof(double) * static_cast<std::size_t>(x.size())) == 0;
}
double relative(const MatrixXd& x, const MatrixXd& y) {
  return (x - y).cwiseAbs().maxCoeff() / y.cwiseAbs().maxCoeff();
}

struct Dialled {
  const char* words;
  Options options;
};
/// Plans that cut joints.
std::vector<Dialled> dialled() {
  std::vector<Dialled> all;
  Options o = serial(Algorithm::cfa);
  all.push_back({"cfa", o});
  o = serial(Algorithm::modular);
  o.grain = 2, all.push_back({"modular, grain 2", o});
  o.grain = 5, o.elimination = Elimination::leaves_first, all.push_back({"modular, grain 5, leaves first", o});
  return all;
}

#ifdef KINETREE_SANITIZED  // what they look for is in shorter chains as well
constexpr const char* families[] = {"chain:12", "tree:2x3", "geared:4", "random:20:seed=2:floating=1:special=1"};
#else
constexpr const char* families[] = {"chain:40", "tree:2x4", "geared:6", "random:24:seed=1",
                                    "random:30:seed=2:floating=1:special=1"};
#endif

TEST(ProductsOnThreads, HaveTheBitsOfOneThread) {
  const tbb::global_control enough(tbb::global_control::max_allowed_parallelism, 4);
  for (const char* family : families) {
    const Model model = make_model(family);
    for (auto& [words, options] : dialled()) {
      if (!modules_of(model, make_plan(model, options)).any_cut()) continue;
      for (const auto& [states, each] : {std::pair(1, 1), std::pair(1, 5), std::pair(5, 2)}) {
        const Case c(model, states, each, each == 5);
        const std::string what = std::string(family) + ", " + words + ", " + std::to_string(states) + " states of " +
                                 std::to_string(each) + " directions";
        ForwardDynamics by_bodies(model, serial(Algorithm::ab)), serially(model, options);
        const Case::Products expected = c.by(serially), others = c.by(by_bodies);
        EXPECT_LE(c.off_balance(expected), 1e-14) << what;
        for (std::size_t k = 0; k < others.size(); ++k)
          EXPECT_LE(relative(expected[k], others[k]), 1e-12) << what << ", result " << k;
        for (const ExecutorKind executor : threaded_executors)
          for (const int threads : {2, 3}) {
            Options threaded = options;
            threaded.executor = executor, threaded.threads = threads;
            ForwardDynamics dynamics(model, threaded);
            for (int repetition = 0; repetition < 4 - threads; ++repetition) {
              const Case::Products found = c.by(dynamics);
              for (std::size_t k = 0; k < found.size(); ++k)
                EXPECT_TRUE(same_bytes(found[k], expected[k])) << what << ", result " << k << ", " << threads;
            }
          }
      }
    }
  }
}

/// By a method: three numbers of a direction to one, or one to three.
VectorXd product_by(InstructionSet set, bool many, const Model& model, Method method, const Case& c) {
  const bool pulls = method.function == boundary::Function::forward_dynamics_cotangent;
  const auto solver = make_function_lane_solver<double>(
      set, many, model, method, std::make_shared<const Modules>(make_modules(model.data(), method.modules)));
  solver->ask({.points = {}, .axes = Axes::link, .directions = 1});
  VectorXd given(3 * model.nv()), result(static_cast<Eigen::Index>(solver->result_count()));
  given << c.dq, c.dv, c.dtau;
  const State<double> state{c.q.data(), c.v.data(),   c.f.data(), pulls ? c.bar.data() : given.data(),
                            c.a.data(), result.data()};
  solver->solve({&state, 1});
  return result;
}

TEST(ProductsOnThreads, OfEveryInstructionSetAgree) {
  for (const char* family : families) {
    const Model model = make_model(family);
    const Case c(model, 1, 1, true);
    for (const int grain : {1, 3}) {
      Method method;
      method.algorithm = Algorithm::modular, method.modules.grain = grain, method.refinements = 1;
      for (const InstructionSet set : sets())
        for (const bool many : {false, true}) {
          method.function = boundary::Function::forward_dynamics_tangent;
          const VectorXd da = product_by(set, many, model, method, c);
          method.function = boundary::Function::forward_dynamics_cotangent;
          const VectorXd bars = product_by(set, many, model, method, c);
          const Eigen::Index n = model.nv();
          EXPECT_LE(c.off_balance({da, bars.head(n), bars.segment(n, n), bars.tail(n)}), 1e-14)
              << family << ", grain " << grain << (many ? ", in lanes" : "");
        }
    }
  }
}

TEST(ProductsOnThreads, SayWhatIsWrong) {
  const Model model = make_model("chain:9:joints=spherical");
  const Case c(model, 2, 2, false);
  Options options = serial(Algorithm::cfa);
  options.executor = ExecutorKind::team, options.threads = 2;
  ForwardDynamics dynamics(model, options);
  MatrixXd out(model.nv(), 4), small(model.nv(), 3);
  EXPECT_EQ(dynamics.push(c.q, c.v, c.a, c.dq, c.dv, c.dtau, small).code, StatusCode::wrong_size);
  EXPECT_EQ(dynamics.push(c.q, c.v, c.a, c.dq, c.dv, c.dtau, c.dtau).code, StatusCode::shared_memory);
  MatrixXd dv = c.dv, q = c.q;
  dv(4, 3) = std::numeric_limits<double>::infinity();
  for (int repetition = 0; repetition < 2; ++repetition) {
    Status status = dynamics.push(c.q, c.v, c.a, c.dq, dv, c.dtau, out);
    EXPECT_EQ(status.code, StatusCode::not_finite);
    EXPECT_EQ(status.column, 1);
    EXPECT_STREQ(status.argument, "dv");
    EXPECT_EQ(status.body, 1);
    EXPECT_FALSE(out.leftCols(2).hasNaN());
    EXPECT_TRUE(out.rightCols(2).array().isNaN().all());
    q.col(0) = 2 * c.q.col(0);
    status = dynamics.push(q.col(0), c.v.col(0), c.a.col(0), c.dq.leftCols(2), c.dv.leftCols(2), c.dtau.leftCols(2),
                           out.leftCols(2));
    EXPECT_EQ(status.code, StatusCode::not_normalized);
    EXPECT_TRUE(out.leftCols(2).array().isNaN().all());
    // what failed leaves nothing behind
    ForwardDynamics fresh(model, options);
    const Case one(model, 1, 2, false);
    EXPECT_TRUE(same_bytes(one.by(dynamics)[0], one.by(fresh)[0]));
  }
  const Model loop = make_model("fourbars:2");
  ForwardDynamics closed(loop, options);
  const VectorXd still = VectorXd::Zero(loop.nv());
  VectorXd none(loop.nv());
  EXPECT_EQ(closed.push(VectorXd::Zero(loop.nq()), still, still, still, still, still, none).code,
            StatusCode::state_dependent_loop);
}

TEST(ProductsOnThreads, AllocateNothingAfterTheFirstCall) {
  if (!can_count_allocations()) GTEST_SKIP() << "the sanitizer has the allocator";
  const Model model = make_model("random:20:seed=2:floating=1");
  for (auto& [words, options] : dialled()) {
    options.executor = ExecutorKind::team, options.threads = 2;
    ForwardDynamics dynamics(model, options);
    const Case one(model, 1, 5, true), several(model, 5, 2, true);
    MatrixXd out[3];
    for (MatrixXd& x : out) x.resize(model.nv(), 10);
    const auto call = [&](const Case& c, int directions) {
      EXPECT_TRUE(dynamics
                      .push(c.q, c.v, c.a, c.f, c.dq.leftCols(directions), c.dv.leftCols(directions),
                            c.dtau.leftCols(directions), out[0].leftCols(directions))
                      .ok());
      EXPECT_TRUE(dynamics
                      .pull(c.q, c.v, c.a, c.f, c.bar.leftCols(directions), out[0].leftCols(directions),
                            out[1].leftCols(directions), out[2].leftCols(directions))
                      .ok());
    };
    call(one, 5), call(one, 1), call(several, 10);
    start_counting();
    call(one, 5), call(one, 3), call(one, 1), call(several, 10), call(several, 5);
    EXPECT_EQ(stop_counting().ours, 0u) << words;
  }
}

}  // namespace products_on_threads
}  // namespace kinetree::oracle
