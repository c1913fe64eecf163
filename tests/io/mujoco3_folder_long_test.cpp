// A folder of MJCF files of others, as MuJoCo's collection is, against MuJoCo 3.3.8 (npm's WebAssembly): which of those
// that MuJoCo reads load, their accelerations without equalities, and with them against a hard dense solve of MuJoCo's
// mass matrix, bias and rows. The folder's name is in KINETREE_MJCF_FOLDER; without it, or without npm, this is
// skipped.
#include <gtest/gtest.h>
#include <unistd.h>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/QR>
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <kinetree/kinetree.hpp>
#include <kinetree/mjcf.hpp>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/worst.hpp"
#include "io/closed_state.hpp"

#if KINETREE_WITH_MJCF

namespace kinetree::test {
namespace {

namespace fs = std::filesystem;
using Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;

constexpr int states = 3;
constexpr double bound = 1e-9;

/// Our free joints, by where their positions and velocities begin.
template <class F>
void each_free(const Model& model, F&& f) {
  const ModelData& d = model.data();
  for (int b = 0; b < model.body_count(); ++b)
    if (const auto k = static_cast<std::size_t>(b); d.joint_type[k] == JointType::floating)
      f(d.q_index[k], d.v_index[k]);
}
Eigen::Quaterniond turn(const VectorXd& q, int at) { return {q[at + 6], q[at + 3], q[at + 4], q[at + 5]}; }

/// In MuJoCo's coordinates: quaternions w first, linear parts of free joints in world axes.
oracle::TestState in_theirs(const Model& model, oracle::TestState s) {
  for (int b = 0; b < model.body_count(); ++b) {
    const auto k = static_cast<std::size_t>(b);
    const JointType type = model.data().joint_type[k];
    if (type != JointType::spherical && type != JointType::floating) continue;
    double* const w = s.q.data() + model.data().q_index[k] + (type == JointType::floating ? 3 : 0);
    if (type == JointType::floating) {
      const Eigen::Quaterniond R(w[3], w[0], w[1], w[2]);
      for (VectorXd* x : {&s.v, &s.tau}) {
        const auto linear = x->segment<3>(model.data().v_index[k]);
        x->segment<3>(model.data().v_index[k]) = R * Vector3d(linear);
      }
    }
    std::rotate(w, w + 3, w + 4);
  }
  return s;
}

void write_state(std::ostream& out, const Model& model, const oracle::TestState& s, bool closed) {
  const oracle::TestState theirs = in_theirs(model, s);
  out.precision(17);
  out << (closed ? "closed" : "open");
  for (const VectorXd* x : {&theirs.q, &theirs.v, &theirs.tau})
    for (const double one : *x) out << ' ' << one;
  out << '\n';
}

/// MuJoCo's accelerations as derivatives of our velocities.
VectorXd ours(const Model& model, const oracle::TestState& s, VectorXd a) {
  each_free(model, [&](int at, int dof) {
    a.segment<3>(dof) =
        turn(s.q, at).inverse() * a.segment<3>(dof).eval() - s.v.segment<3>(dof + 3).cross(s.v.segment<3>(dof));
  });
  return a;
}

/// Of our accelerations, relative to the largest of theirs.
double difference(const Model& model, const oracle::TestState& s, const VectorXd& expected) {
  VectorXd a(model.nv());
  if (!ForwardDynamics(model, {.algorithm = Algorithm::ab}).solve(s.q, s.v, s.tau, a).ok())
    return std::numeric_limits<double>::quiet_NaN();
  return largest_of(a - expected) / largest_of(expected);
}

struct TheirBody {
  double mass = 0, centre[3] = {}, quaternion[4] = {}, moments[3] = {};
};

/// One file: what it is here, and what MuJoCo said of it.
struct Case {
  fs::path file;  ///< in the folder
  std::string refusal, their_refusal;
  std::optional<Model> open, closed;  ///< without loops and couplings; with them, where there are any
  Description description;
  std::vector<oracle::TestState> open_states, closed_states;
  int zeroed = 0;  ///< free joints whose armature MuJoCo was told to leave out
  bool moves = false;
  double masses = 0;                              ///< the largest difference, relative
  double worst_open = -1, worst_closed = -1;      ///< of accelerations, relative; -1: none compared
  double rounded_open = -1, rounded_closed = -1;  ///< the same with MuJoCo's own inertias here
  double apart = 0;                               ///< of MuJoCo's equalities, where ours are closed
};

Description without_ties(Description d) {
  d.loops.clear(), d.couplings.clear();
  return d;
}

void read_here(Case& one, const fs::path& folder) {
  Reading reading;
  try {
    reading = read_mjcf(folder / one.file);
    for (const Finding& f : reading.findings)
      if (f.severity == Severity::error) throw InputError(reading.findings);
    one.description = reading.description;
    const Model whole = make_model(one.description);
    if (!one.description.loops.empty() || !one.description.couplings.empty()) one.closed = whole;
  } catch (const InputError& e) {
    for (const Finding& f : e.findings())
      if (f.severity == Severity::error && one.refusal.empty()) one.refusal = to_string(f);
    return;
  }
  try {
    one.open = make_model(without_ties(one.description));
  } catch (const InputError&) {  // slides without mass, where equalities gave it
  }
}

void write_states(Case& one, const fs::path& file) {
  if (!one.refusal.empty()) return;
  std::ofstream out(file);
  for (std::uint64_t seed = 1; seed <= states; ++seed) {
    if (one.open)
      write_state(out, *one.open, one.open_states.emplace_back(oracle::random_state(*one.open, seed)), false);
  }
  for (std::uint64_t seed = 1; seed <= states; ++seed)
    if (one.closed)
      write_state(out, *one.closed, one.closed_states.emplace_back(closed_state(*one.closed, seed, .05)), true);
}

/// a = a0 + M^-1 J^T lambda with J a = -rate; least multipliers where rows are redundant.
VectorXd hard(std::istream& in, const VectorXd& tau, double& apart) {
  const Eigen::Index nv = tau.size();
  int rows = 0;
  in >> rows;
  const auto read = [&](auto& x) {
    for (Eigen::Index r = 0; r < x.rows(); ++r)
      for (Eigen::Index c = 0; c < x.cols(); ++c) in >> x(r, c);
  };
  MatrixXd M(nv, nv), J(rows, nv), bias(nv, 1), distances(rows, 1), rate(rows, 1);
  read(M), read(bias), read(distances), read(J), read(rate);
  EXPECT_TRUE(in.good());
  keep_worst(apart, largest_of(distances));
  const Eigen::LDLT<MatrixXd> solved(M);
  const VectorXd free = solved.solve(tau - bias);
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> A;
  A.setThreshold(1e-10);
  A.compute(J * solved.solve(J.transpose()));
  return free + solved.solve(J.transpose() * A.solve(-rate - J * free));
}

void compare(Case& one, const fs::path& file) {
  std::ifstream in(file);
  std::string word;
  if (!(in >> word)) return void(one.their_refusal = "no output");
  if (word == "refused") return void(std::getline(in, one.their_refusal));
  const int nq = std::stoi(word);
  int nv = 0, bodies = 0;
  in >> nv >> one.zeroed >> bodies;
  one.moves = nv > 0;
  std::map<std::string, TheirBody> theirs;
  for (int b = 0; b < bodies; ++b) {
    TheirBody body;
    in >> word >> body.mass;
    for (double& x : body.centre) in >> x;
    for (double& x : body.quaternion) in >> x;
    for (double& x : body.moments) in >> x;
    theirs[word] = body;
  }
  if (!one.refusal.empty()) return;
  Description rounded = one.description;  // with MuJoCo's own inertias, which it rounds
  std::size_t found_bodies = 0;
  for (BodyDescription& body : rounded.bodies) {
    const auto found = theirs.find(body.name);
    if (found == theirs.end()) continue;
    const TheirBody& t = found->second;
    const double mass = body.inertial ? body.inertial->mass : 0;
    keep_worst(one.masses, std::abs(mass - t.mass) / std::max(t.mass, 1e-9));
    ++found_bodies;
    if (!body.inertial) continue;
    body.inertial->mass = t.mass;
    body.inertial->frame = {{t.centre[0], t.centre[1], t.centre[2]},
                            {t.quaternion[1], t.quaternion[2], t.quaternion[3], t.quaternion[0]}};
    body.inertial->inertia = {t.moments[0], t.moments[1], t.moments[2], 0, 0, 0};
  }
  EXPECT_EQ(found_bodies, theirs.size()) << one.file;
  const auto numbers = [&](const Model& model) {
    VectorXd a(model.nv());
    for (double& x : a) in >> x;
    EXPECT_TRUE(in.good()) << one.file;
    return a;
  };
  if (one.open) {
    ASSERT_EQ(one.open->nq(), nq) << one.file;
    ASSERT_EQ(one.open->nv(), nv) << one.file;
    std::optional<Model> again;
    one.worst_open = 0;
    for (const oracle::TestState& s : one.open_states) {
      const VectorXd expected = ours(*one.open, s, numbers(*one.open));
      keep_worst(one.worst_open, difference(*one.open, s, expected));
      if (one.worst_open <= bound) continue;
      if (!again) again = make_model(without_ties(rounded)), one.rounded_open = 0;
      keep_worst(one.rounded_open, difference(*again, s, expected));
    }
  }
  if (one.closed) {
    std::optional<Model> again;
    one.worst_closed = 0;
    for (const oracle::TestState& s : one.closed_states) {
      const VectorXd expected = ours(*one.closed, s, hard(in, in_theirs(*one.closed, s).tau, one.apart));
      keep_worst(one.worst_closed, difference(*one.closed, s, expected));
      if (one.worst_closed <= bound) continue;
      if (!again) again = make_model(rounded), one.rounded_closed = 0;
      keep_worst(one.rounded_closed, difference(*again, s, expected));
    }
  }
}

/// MJCF files by the folder of the collection that they are in, which has all that they name.
std::map<fs::path, std::vector<fs::path>> files_by_folder(const fs::path& whole) {
  std::map<fs::path, std::vector<fs::path>> all;
  for (const auto& entry : fs::recursive_directory_iterator(whole)) {
    if (entry.path().extension() != ".xml") continue;
    const fs::path file = fs::relative(entry.path(), whole), folder = *file.begin();
    all[folder == file ? fs::path(".") : folder].push_back(folder == file ? file : fs::relative(file, folder));
  }
  for (auto& [folder, files] : all) std::ranges::sort(files);
  return all;
}

/// A line for each file that MuJoCo reads.
void say(const Case& one) {
  if (!one.their_refusal.empty()) return;
  std::cout << one.file.string() << ':';
  if (!one.refusal.empty()) return void(std::cout << " refused: " << one.refusal << '\n');
  std::cout << " masses " << one.masses;
  const auto number = [](const char* name, double x) {
    if (x >= 0 || x != x) std::cout << ", " << name << ' ' << x;
  };
  number("accelerations", one.worst_open), number("with its inertias", one.rounded_open);
  number("equalities", one.worst_closed), number("with its inertias", one.rounded_closed);
  if (one.worst_closed >= 0) number("apart", one.apart);
  if (one.zeroed > 0) std::cout << ", free joints without armature " << one.zeroed;
  std::cout << std::endl;
}

void check(const std::vector<Case>& all) {
  int read = 0, loaded = 0, still = 0, lacking = 0, compared = 0, exact = 0, rounded = 0, looped = 0, loops_exact = 0,
      loops_rounded = 0, masses = 0;
  for (const Case& one : all) {
    if (!one.their_refusal.empty()) continue;
    if (!one.moves) {  // refused rightly: nothing moves
      ++still;
      continue;
    }
    ++read;
    lacking += one.refusal.find("does not exist") != std::string::npos;
    if (!one.refusal.empty()) continue;
    ++loaded;
    EXPECT_LE(one.masses, bound) << one.file;
    masses += one.masses <= bound;
    const auto count = [](double worst, double with_theirs, int& whole, int& good, int& better) {
      if (worst == -1) return true;
      ++whole;
      good += worst <= bound;
      better += !(worst <= bound) && with_theirs <= bound;
      return worst <= bound || with_theirs <= bound;
    };
    EXPECT_TRUE(count(one.worst_open, one.rounded_open, compared, exact, rounded)) << one.file;
    // rows that a file's rounding sets apart agree no better than that
    EXPECT_TRUE(count(one.worst_closed, one.rounded_closed, looped, loops_exact, loops_rounded) ||
                one.rounded_closed <= 100 * one.apart)
        << one.file;
  }
  std::cout << "MuJoCo reads " << read << " files that move, and " << still << " that don't; kinetree loads " << loaded
            << ", " << lacking << " lack meshes. Masses within 1e-9: " << masses << ". Accelerations of " << compared
            << " without equalities: " << exact << " within 1e-9, " << rounded << " with MuJoCo's rounded inertias; of "
            << looped << " with equalities: " << loops_exact << " and " << loops_rounded << ".\n";
  EXPECT_GT(read, 0);
  EXPECT_GE(loaded, .95 * (read - lacking));
}

TEST(Mujoco3FolderLong, LoadsAndAcceleratesAsMujoco) {
  const char* const given = std::getenv("KINETREE_MJCF_FOLDER");
  if (!given) GTEST_SKIP() << "KINETREE_MJCF_FOLDER names no folder";
  const fs::path whole = fs::absolute(given),
                 work = fs::temp_directory_path() / ("kinetree_folder_" + std::to_string(::getpid()));
  fs::create_directories(work);
  const auto run = [&](const std::string& command) {
    return std::system(("cd '" + work.string() + "' && " + command + " 2> log").c_str()) == 0;
  };
  if (!run("node --version > version") || !run("npm install --no-audit --no-fund mujoco-js@0.0.7 > version")) {
    fs::remove_all(work);
    GTEST_SKIP() << "npm has no mujoco-js 0.0.7 here";
  }
  const std::string script = (fs::path(__FILE__).parent_path() / "mujoco3_folder.mjs").string(),
                    program = (work / "node_modules/mujoco-js/dist/mujoco_wasm.js").string();
  std::vector<Case> all;
  for (const auto& [folder, files] : files_by_folder(whole)) {
    std::string command = "node '" + script + "' '" + program + "' '" + (whole / folder).string() + "' .", pairs;
    const auto pair = [](std::size_t k, const fs::path& file) {
      return " " + std::to_string(k) + " '" + file.string() + "'";
    };
    const std::size_t first = all.size();
    for (std::size_t k = 0; k < files.size(); ++k) {
      Case& one = all.emplace_back();
      one.file = folder / files[k];
      read_here(one, whole);
      write_states(one, work / (std::to_string(k) + ".in"));
      pairs += pair(k, files[k]);
    }
    const auto ask = [&](const std::string& these) {
      if (!run(command + these)) ADD_FAILURE() << all.back().file << ": " << std::ifstream(work / "log").rdbuf();
    };
    ask(pairs);
    for (std::size_t k = 0; k < files.size(); ++k) {
      const fs::path out = work / (std::to_string(k) + ".out");
      std::string word;
      if (all[first + k].refusal.empty() && std::ifstream(out) >> word && word == "refused")
        ask(pair(k, files[k]));  // its memory alone may have lacked
      compare(all[first + k], out);
      fs::remove(out), fs::remove(work / (std::to_string(k) + ".in"));
      say(all[first + k]);
      all[first + k].open.reset(), all[first + k].closed.reset();
    }
  }
  fs::remove_all(work);
  check(all);
}

}  // namespace
}  // namespace kinetree::test

#endif
