// Where loading closes loops joints named as independent stay where the model says that they stand.
#include <gtest/gtest.h>

#include <kinetree/configuration.hpp>
#include <kinetree/load_model.hpp>
#include <kinetree/simulation/simulation.hpp>

#include "engine/model/closure.hpp"
#include "engine/model/model_data.hpp"
#include "io/expect_finding.hpp"
#include "loops/regular_mechanisms.hpp"

namespace kinetree::test {
namespace assembled_independent {

Description four_bar() {
  Description d = read_yaml(std::string(KINETREE_MODELS) + "/four_bar.yaml").description;
  d.independent = {"crank_pivot"};
  return d;
}

double crank(const Model& model) { return neutral(model)[model.q_index("crank_pivot")]; }

TEST(AssembledIndependent, StandWhereTheModelSays) {
  for (const double position : {0.0, 0.3, -1.2, 2.5}) {
    Description d = four_bar();
    if (position != 0) d.assembled = {{"crank_pivot", {position}}};
    const Model model = make_model(d);
    EXPECT_EQ(crank(model), position);
    Closure closure(model.data());
    EXPECT_LE(closure.opening(model.data().aggregates[0], model.data().assembled.data()), 1e-14);
    EXPECT_TRUE(model.findings().empty()) << all({model.findings().begin(), model.findings().end()});
    Simulation simulation(model);
    EXPECT_EQ(simulation.q()[model.q_index("crank_pivot")], position);
  }
  Description free = four_bar();
  free.independent.clear();
  free.assembled = {{"crank_pivot", {0.3}}};
  EXPECT_NE(crank(make_model(free)), 0.3) << "else nothing was tried";
}

/// A crank that can't stand there: the nearest closed configuration is taken, and told.
TEST(AssembledIndependent, AreToldWhereTheyCantStay) {
  Description d = four_bar();
  d.independent = {"rocker_pivot"};
  d.assembled = {{"crank_pivot", {0.5}}, {"crank_end", {0.3}}, {"rocker_pivot", {0.2}}};  // it swings elsewhere
  const Model model = make_model(d);
  EXPECT_NE(neutral(model)[model.q_index("rocker_pivot")], 0.2);
  const std::vector<Finding> said(model.findings().begin(), model.findings().end());
  EXPECT_NE(all(said).find("does not close where the joints named under `independent` stand"), std::string::npos)
      << all(said);
}

}  // namespace assembled_independent
}  // namespace kinetree::test
