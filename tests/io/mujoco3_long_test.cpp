// Accelerations of MJCF in MuJoCo 3's words against MuJoCo 3.3.8 itself, which npm has as WebAssembly. Skipped where
// npm or node is not there, or can't get it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <kinetree/kinetree.hpp>
#include <kinetree/mjcf.hpp>
#include <string>
#include <vector>

#include "engine/scalar/worst.hpp"
#include "io/mjcf_text.hpp"

#if KINETREE_WITH_MJCF

namespace kinetree::test {
namespace {

namespace fs = std::filesystem;

/// Meshes of one concave solid, an L, for each rule.
std::string ells() {
  std::string all;
  for (const std::string rule : {"legacy", "exact", "convex", "shell", "mirrored"})
    all +=
        "<mesh name='" + rule + "' " +
        (rule == "mirrored" ? "scale='-1 1 .5'" : "inertia='" + rule + "' refpos='.125 0 0'") +
        " vertex='0 0 0 .5 0 0 .5 .125 0 .125 .125 0 .125 .5 0 0 .5 0 0 0 .25 .5 0 .25 .5 .125 .25 .125 .125 .25 .125 "
        ".5 .25 0 .5 .25' face='0 2 1 6 7 8 0 3 2 6 8 9 0 4 3 6 9 10 0 5 4 6 10 11 0 1 7 0 7 6 1 2 8 1 8 7 2 3 9 2 9 "
        "8 3 4 10 3 10 9 4 5 11 4 11 10 5 0 6 5 6 11'/>";
  return all;
}

/// Words that MuJoCo 2.2.2 does not have, and inertias that it has otherwise.
const std::vector<std::string> models{
    // frames in frames, around bodies and in them, with classes
    "<mujoco><compiler angle='radian' eulerseq='zYx'/><default><default class='c'><joint axis='1 .2 0' armature='.1'/>"
    "</default></default><worldbody><frame pos='.1 .2 .3' euler='.1 .2 .3' childclass='c'><frame zaxis='1 1 0'>"
    "<body pos='0 .1 0'><frame euler='.3 0 0'><joint pos='.1 0 .2'/>" +
        inertial + "<body pos='.2 0 0' xyaxes='0 1 0 -1 0 .3'><joint type='ball' pos='0 .1 0'/>" + inertial +
        "</body></frame></body></frame></frame></worldbody></mujoco>",
    // replicas of replicas, turned
    "<mujoco><worldbody><replicate count='3' offset='.5 0 .1' euler='0 20 30' sep='-'><body pos='.1 0 0'><joint "
    "name='j' axis='0 1 0' ref='20'/>" +
        inertial + "<replicate count='11' offset='0 .1 0'><body name='b'><joint type='slide' axis='1 1 0'/>" +
        inertial + "</body></replicate></body></replicate></worldbody></mujoco>",
    // a free body, actuators, what bounds do to massless bodies
    "<mujoco><compiler boundmass='.3' boundinertia='.02' settotalmass='7'/><option gravity='1 2 -9' "
    "integrator='implicitfast'><flag eulerdamp='disable'/></option><worldbody><body pos='0 0 1'><freejoint/>" +
        inertial +
        "<body name='arm' pos='0 .2 0'><joint name='j' axis='1 0 0' damping='3' "
        "actuatorfrcrange='-2 2'/><body><joint axis='0 0 1'/></body></body></body></worldbody><actuator><position "
        "joint='j' kp='100' dampratio='1'/></actuator></mujoco>",
    // single geoms, which MuJoCo has to the digit; shells
    "<mujoco><worldbody><body><joint axis='1 2 3'/><geom type='capsule' size='.1' fromto='0 0 0 .3 .2 "
    ".1'/><body><joint "
    "axis='0 1 0'/><geom type='box' size='.1' fromto='0 .1 0 .3 .2 .4' density='300'/><body><joint axis='1 0 0'/><geom "
    "type='ellipsoid' size='.1 .2 .3' shellinertia='true' euler='10 20 30'/><body><joint type='ball'/><geom "
    "type='cylinder' size='.1 .2' shellinertia='true' axisangle='1 1 0 40' mass='3'/></body></body></body></body>"
    "</worldbody></mujoco>",
    // a concave mesh, an L with numbers that single precision has, by each rule; mirrored too
    "<mujoco><asset>" + ells() +
        "</asset><worldbody><body pos='0 0 1'><freejoint/><geom type='mesh' mesh='legacy'/><body pos='.5 0 0'><joint "
        "axis='0 1 0'/><geom type='mesh' mesh='exact' euler='10 20 30'/><body pos='0 .5 0'><joint axis='1 0 "
        "0'/><geom type='mesh' mesh='convex' density='300'/><body><joint type='ball'/><geom type='mesh' mesh='shell' "
        "mass='3'/><body><joint type='slide' axis='1 1 0'/><geom type='mesh' mesh='mirrored'/></body></body></body>"
        "</body></body></worldbody></mujoco>",
    // an OBJ file: its polygons are not flat, so that its mass depends on how they are cut; a second object
    "<mujoco><option gravity='0 0 0'/><asset><mesh name='m' file='column.obj'/><mesh name='n' file='column.obj' "
    "scale='-1 2 .5' inertia='exact'/>"
    "</asset><worldbody><body><joint type='slide' axis='0 0 1'/><geom type='mesh' mesh='m'/><body><joint type='slide' "
    "axis='1 0 1'/><geom type='mesh' mesh='n'/></body></body></worldbody></mujoco>"};

/// A column whose top and one side have more corners than three, none of them in a plane.
const std::string column =
    "o a\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1.25\nv 1 1 2\nv 0 1 1.5\nv 0.5 0 1.75\nv 0.25 0.5 0.75\n"
    "f 5 9 6 7 8\nf 4 3 2 1\nf 1 2 6 9 5\nf 2 3 7 6\nf 3 4 8 7\nf -7 -10 -6 -3\n"
    "o b\nf 1 3 2\nf 1 2 6\nf 1 6 3\nf 2 3 6\n";

TEST(Mujoco3Long, AccelerationsAreTheirs) {
  const fs::path folder = fs::temp_directory_path() / ("kinetree_mujoco3_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const auto run = [&](const std::string& command) {
    return std::system(("cd '" + folder.string() + "' && " + command + " 2> log").c_str()) == 0;
  };
  if (!run("node --version > version") || !run("npm install --no-audit --no-fund mujoco-js@0.0.7 > version")) {
    fs::remove_all(folder);
    GTEST_SKIP() << "npm has no mujoco-js 0.0.7 here";
  }
  std::ofstream(folder / "column.obj") << column;
  std::string command = "node '" + (fs::path(__FILE__).parent_path() / "mujoco3.mjs").string() + "' '" +
                        (folder / "node_modules/mujoco-js/dist/mujoco_wasm.js").string() + "' column.obj";
  for (std::size_t k = 0; k < models.size(); ++k) {
    const fs::path file = folder / ("model" + std::to_string(k) + ".xml");
    std::ofstream(file) << models[k];
    command += " " + file.filename().string();
  }
  ASSERT_TRUE(run(command + " > numbers"));
  std::ifstream numbers(folder / "numbers");
  for (std::size_t k = 0; k < models.size(); ++k) {
    const Model model = make_model(read_mjcf(folder / ("model" + std::to_string(k) + ".xml")).description);
    int nq = 0, nv = 0;
    numbers >> nq >> nv;
    ASSERT_EQ(model.nq(), nq) << models[k];
    ASSERT_EQ(model.nv(), nv) << models[k];
    for (int state = 0; state < 3; ++state) {
      Eigen::VectorXd q(nq), v(nv), tau(nv), expected(nv), a(nv);
      for (Eigen::VectorXd* one : {&q, &v, &tau, &expected})
        for (double& x : *one) numbers >> x;
      ASSERT_TRUE(numbers.good());
      ASSERT_TRUE(ForwardDynamics(model, {.algorithm = Algorithm::ab}).solve(q, v, tau, a).ok());
      EXPECT_LE(largest_of(a - expected), 1e-10 * largest_of(expected)) << models[k];
    }
  }
  fs::remove_all(folder);
}

}  // namespace
}  // namespace kinetree::test

#endif
