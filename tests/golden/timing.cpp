// Times of single cells (mechanism, algorithm, shape, scalar, instruction set), and what two commits' times say of each
// other. `time` runs the programs of both commits in turn.
//   kinetree_timing cells short|full       the names of the cells, a line each
//   kinetree_timing sample CELL            nanoseconds a state takes: the median of short runs
//   kinetree_timing judge < lines          lines: base ns|head ns|CELL. Exit status 1 where a mechanism's geometric
//                                          mean of base/head is below 0.99, or a cell's interval lies wholly below 0.98
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <kinetree/kinetree.hpp>
#include <kinetree/load_model.hpp>
#include <map>
#include <sstream>

#include "bench/sweep/random_states.hpp"
#include "bench/sweep/statistics.hpp"

namespace kinetree::golden {
namespace {

std::vector<std::string> split(const std::string& line, char at) {
  std::vector<std::string> parts;
  std::stringstream stream(line);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  return parts;
}

void print_cells(bool full) {
  const std::vector<std::string> few{"arm7",      "quadruped floating", "chain:1024",
                                     "tree:2x12", "geared:12",          "fourbars:8"},
      all{"arm7",
          "quadruped floating",
          "humanoid floating",
          "chain:100",
          "chain:1024",
          "tree:2x12",
          "star:64x3",
          "comb:32",
          "geared:12",
          "fourbars:8",
          "geared_humanoid",
          "humanoid_with_hands",
          "four_bar_quadruped"};
  const std::vector<std::string> few_sets{"baseline", "avx512"}, all_sets{"baseline", "avx2", "avx512"};
  for (const std::string& mechanism : full ? all : few)
    for (const char* algorithm : {"ab", "automatic"})
      for (const char* shape : {"one", "batch"})
        for (const char* scalar : {"double", "float"})
          for (const std::string& set : full ? all_sets : few_sets) {
            if (!full && std::string(scalar) == "float") continue;
            std::printf("%s|%s|%s|%s|%s\n", mechanism.c_str(), algorithm, shape, scalar, set.c_str());
          }
}

Model model_named(const std::string& name) {
  if (name.find(':') != std::string::npos) return make_model(name);
  const std::vector<std::string> words = split(name, ' ');
  return load_model(std::string(KINETREE_MODELS) + "/" + words[0] + ".yaml", {.floating_base = words.size() > 1});
}

/// Median of runs of about a millisecond for 60 ms, after 10 ms that don't count.
template <class Run>
double nanoseconds(Run&& run) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
  };
  const Clock::time_point start = Clock::now();
  int calls = 0;
  while (since(start) < 1e7) run(), ++calls;
  const int each = std::max(1, calls / 10);
  std::vector<double> samples;
  while (since(start) < 7e7 || samples.size() < 5) {
    const Clock::time_point begun = Clock::now();
    for (int k = 0; k < each; ++k) run();
    samples.push_back(since(begun) / each);
  }
  std::nth_element(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2), samples.end());
  return samples[samples.size() / 2];
}

template <class S>
double sample(const Model& model, const Options& options, bool batch) {
  using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
  const Eigen::Index count = std::max<Eigen::Index>(16, std::min<Eigen::Index>(256, 65536 / model.nv()));
  const bench::StateSet states = bench::random_states(model, count, 5);
  const Matrix q = states.q.cast<S>(), v = states.v.cast<S>(), tau = states.tau.cast<S>();
  Matrix a(model.nv(), count);
  ForwardDynamics dynamics(model, options);
  if (batch)
    return nanoseconds([&] {
             if (!dynamics.solve(q, v, tau, a).ok()) throw std::runtime_error("a state failed");
           }) /
           static_cast<double>(count);
  Eigen::Index k = 0;
  return nanoseconds([&] {
    k = k + 1 == count ? 0 : k + 1;
    if (!dynamics.solve(q.col(k), v.col(k), tau.col(k), a.col(k)).ok()) throw std::runtime_error("a state failed");
  });
}

void print_sample(const std::string& cell) {
  const std::vector<std::string> part = split(cell, '|');
  if (part.size() != 5) throw std::invalid_argument("a cell is MECHANISM|ALGORITHM|SHAPE|SCALAR|SET, not " + cell);
  setenv("KINETREE_ISA", part[4].c_str(), 1);
  Options options;
  options.algorithm = part[1] == "ab" ? Algorithm::ab : Algorithm::automatic;
  const Model model = model_named(part[0]);
  const bool batch = part[2] == "batch";
  std::printf("%.6g\n",
              part[3] == "float" ? sample<float>(model, options, batch) : sample<double>(model, options, batch));
}

int judge() {
  std::map<std::string, std::vector<double>> ratios;
  for (std::string line; std::getline(std::cin, line);) {
    const auto cut = line.find('|', line.find('|') + 1);
    const std::vector<std::string> part = split(line, '|');
    if (cut == std::string::npos || part.size() < 3) throw std::invalid_argument("no line of times: " + line);
    ratios[line.substr(cut + 1)].push_back(std::stod(part[0]) / std::stod(part[1]));
  }
  std::map<std::string, std::vector<double>> logarithms;
  int slower = 0;
  for (const auto& [cell, samples] : ratios) {
    const bench::MedianInterval ratio = bench::median_interval(samples);
    logarithms[split(cell, '|')[0]].push_back(std::log(ratio.median));
    const bool below = ratio.high < 0.98;
    slower += below;
    std::printf("%-52s %.3f [%.3f, %.3f]%s\n", cell.c_str(), ratio.median, ratio.low, ratio.high,
                below ? "  slower" : "");
  }
  for (const auto& [mechanism, values] : logarithms) {
    double sum = 0;
    for (const double x : values) sum += x;
    const double mean = std::exp(sum / static_cast<double>(values.size()));
    slower += mean < 0.99;
    std::printf("%-52s %.3f geometric mean of %zu cells%s\n", mechanism.c_str(), mean, values.size(),
                mean < 0.99 ? "  slower" : "");
  }
  return slower > 0;
}

}  // namespace
}  // namespace kinetree::golden

int main(int count, char** arguments) try {
  using namespace kinetree::golden;
  const std::string word = count > 1 ? arguments[1] : "", what = count > 2 ? arguments[2] : "";
  if (word == "cells" && (what == "short" || what == "full")) return print_cells(what == "full"), 0;
  if (word == "sample" && count == 3) return print_sample(what), 0;
  if (word == "judge" && count == 2) return judge();
  return std::cerr << "usage: kinetree_timing cells short|full, sample CELL, or judge < lines\n", 2;
} catch (const std::exception& error) {
  return std::cerr << "kinetree_timing: " << error.what() << "\n", 2;
}
