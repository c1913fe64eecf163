#include "mechanisms.hpp"

#include <kinetree/load_model.hpp>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::golden {

std::vector<Mechanism> mechanisms() {
  std::vector<Mechanism> all;
  for (const char* family : {"chain:1",
                             "chain:7",
                             "chain:64",
                             "chain:300:ratio=1000",
                             "chain:40:joints=prismatic",
                             "chain:12:joints=helical",
                             "chain:12:joints=cylindrical",
                             "chain:12:joints=universal",
                             "chain:12:joints=spherical",
                             "chain:12:joints=planar",
                             "tree:2x6",
                             "tree:5x3",
                             "star:6x5",
                             "comb:16",
                             "rope:20",
                             "rope:12:joints=spherical",
                             "random:25:seed=1",
                             "random:40:seed=2",
                             "random:60:seed=3:branching=1",
                             "random:60:seed=4:branching=1:joints=revolute",
                             "geared:6",
                             "geared:6:rotors=armature",
                             "fourbars:3",
                             "fourbars:8"})
    all.push_back({family, make_model(family)});
  const std::string folder = std::string(KINETREE_MODELS) + "/";
  for (const char* robot : {"arm6", "arm7", "biped", "five_bar", "four_bar", "geared_arm", "gripper", "humanoid",
                            "quadruped", "standing_biped"})
    all.push_back({robot, load_model(folder + robot + ".yaml")});
  for (const char* robot : {"quadruped", "humanoid"})
    all.push_back({std::string(robot) + " floating", load_model(folder + robot + ".yaml", {.floating_base = true})});
  return all;
}

std::vector<Choice> choices(const Model& model) {
  const bool tied = !model.data().aggregates.empty();
  std::vector<Choice> all;
  const auto add = [&](const std::string& name, const Options& options) { all.push_back({name, options}); };
  Options o;
  o.executor = ExecutorKind::serial;
  add("automatic", o);
  o.algorithm = Algorithm::ab;
  add("ab", o);
  if (tied) {
    Options by = o;
    by.loops = Loops::multipliers;
    add("ab multipliers", by);
    by.loops = Loops::automatic;
    add("ab loops=automatic", by);
  } else {
    Options side_by_side = o;
    side_by_side.limbs = 2;
    add("ab limbs=2", side_by_side);
    side_by_side.limbs = 4;
    add("ab limbs=4", side_by_side);
  }
  o.algorithm = Algorithm::crb;
  add("crb sparse", o);
  o.factorization = Factorization::dense;
  add("crb dense", o);
  o.factorization = Factorization::sparse;
  for (const int grain : {1, 2, 3, 7}) {
    o.algorithm = grain == 1 ? Algorithm::cfa : Algorithm::modular;
    o.grain = grain == 1 ? 0 : grain;
    const std::string name = "grain " + std::to_string(grain);
    for (const int refinements : {0, 1, 2}) {
      o.refinements = refinements;
      add(name + " paths refined " + std::to_string(refinements), o);
    }
    o.refinements = 0;
    o.cuts = Cuts::main;
    add(name + " main", o);
    o.cuts = Cuts::paths;
    o.elimination = Elimination::leaves_first;
    add(name + " leaves first", o);
    o.elimination = Elimination::cyclic;
    o.formulation = Formulation::literal;
    add(name + " literal", o);
    o.formulation = Formulation::direct;
    if (grain > 1 && !tied) {
      o.limbs = 4;
      add(name + " side by side", o);
      o.limbs = 0;
    }
    o.refinements = -1;
  }
  return all;
}

}  // namespace kinetree::golden
