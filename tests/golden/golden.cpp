// Digests of accelerations, operation counts and errors, a line each, for two commits to be compared by (`compare`).
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <kinetree/scalar/counted.hpp>
#include <kinetree/scalar/reference.hpp>
#include <limits>

#include "bench/sweep/random_states.hpp"
#include "engine/algorithm/solver/solver.hpp"
#include "engine/scalar/worst.hpp"
#include "library/planner.hpp"
#include "mechanisms.hpp"

namespace kinetree::golden {
namespace {

using bench::random_states;
using bench::StateSet;

/// 64-bit FNV-1a (Fowler, Noll & Vo) of the bits of all numbers.
class Digest {
 public:
  template <class S>
  void add(S number) {
    unsigned char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    for (const unsigned char byte : bytes) state_ = (state_ ^ byte) * 1099511628211ULL;
  }
  /// NaN's bits differ by compiler; the line says that there is one.
  template <class Numbers>
  void add_all(const Numbers& numbers) {
    for (Eigen::Index c = 0; c < numbers.cols(); ++c)
      for (Eigen::Index r = 0; r < numbers.rows(); ++r) {
        const auto x = numbers(r, c);
        nan_ = nan_ || std::isnan(x);
        add(std::isnan(x) ? std::numeric_limits<std::decay_t<decltype(x)>>::quiet_NaN() : x);
      }
  }
  void print() const { std::printf("%016llx%s\n", static_cast<unsigned long long>(state_), nan_ ? " nan" : ""); }

 private:
  unsigned long long state_ = 14695981039346656037ULL;
  bool nan_ = false;
};

template <class S>
using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;

/// One state after the other, then all as a batch, without and with external forces.
template <class S>
void digest(ForwardDynamics& dynamics, const StateSet& states, const std::string& label) {
  const Matrix<S> q = states.q.cast<S>(), v = states.v.cast<S>(), tau = states.tau.cast<S>();
  Matrix<S> f_ext(6 * dynamics.model().body_count(), q.cols());
  for (Eigen::Index k = 0; k < f_ext.size(); ++k) f_ext.data()[k] = S(0.25) * static_cast<S>(k % 7 - 3);
  const char* word = sizeof(S) == 8 ? "double" : "float";
  for (const bool pushed : {false, true}) {
    Digest one, batch;
    Matrix<S> a(v.rows(), v.cols());
    for (Eigen::Index k = 0; k < q.cols(); ++k) {
      Eigen::Matrix<S, Eigen::Dynamic, 1> column(v.rows());
      if (pushed)
        (void)dynamics.solve(q.col(k), v.col(k), tau.col(k), f_ext.col(k), column);
      else
        (void)dynamics.solve(q.col(k), v.col(k), tau.col(k), column);
      one.add_all(column);
    }
    if (pushed)
      (void)dynamics.solve(q, v, tau, f_ext, a);
    else
      (void)dynamics.solve(q, v, tau, a);
    batch.add_all(a);
    std::printf("%s|%s|%s|one|", label.c_str(), word, pushed ? "pushed" : "free"), one.print();
    std::printf("%s|%s|%s|batch|", label.c_str(), word, pushed ? "pushed" : "free"), batch.print();
  }
}

void digests() {
  for (const Mechanism& m : mechanisms()) {
    const StateSet states = random_states(m.model, 19, 7);  // no whole number of packs
    Digest asked;
    asked.add_all(states.q), asked.add_all(states.v), asked.add_all(states.tau);
    std::printf("%s|states|", m.name.c_str()), asked.print();
    for (const Choice& choice : choices(m.model))
      for (const auto& [name, executor, threads] :
           {std::tuple{"serial", ExecutorKind::serial, 1}, std::tuple{"tbb 2", ExecutorKind::tbb, 2},
            std::tuple{"openmp 2", ExecutorKind::openmp, 2}, std::tuple{"team 2", ExecutorKind::team, 2}}) {
        Options options = choice.options;
        options.executor = executor, options.threads = threads;
        const std::string label = m.name + "|" + choice.name + "|" + name;
        try {
          ForwardDynamics dynamics(m.model, options);
          digest<double>(dynamics, states, label);
          digest<float>(dynamics, states, label);
        } catch (const std::exception& refused) {
          std::printf("%s|refused\n", label.c_str());
        }
      }
  }
}

void counts() {
  for (const Mechanism& m : mechanisms())
    for (const Choice& choice : choices(m.model)) {
      if (choice.name == "automatic" || choice.options.limbs > 0) continue;  // not this scalar's to run
      Method method;
      try {
        method = one_method(make_plan(m.model, choice.options).plan);
      } catch (const std::exception& refused) {
        std::printf("%s|%s|refused\n", m.name.c_str(), choice.name.c_str());
        continue;
      }
      const auto solver = make_solver<Counted>(m.model, method);
      const StateSet state = random_states(m.model, 1, 7);
      const auto counted = [](const auto& x) { return std::vector<Counted>(x.begin(), x.end()); };
      const auto q = counted(state.q.col(0)), v = counted(state.v.col(0)), tau = counted(state.tau.col(0));
      std::vector<Counted> a(v.size());
      const auto solve = [&] { solver->solve({q.data(), v.data(), nullptr, tau.data(), nullptr, a.data()}); };
      solve();  // finds the maps of couplings, which stay
      Counted::counts() = {};
      solve();
      std::uint32_t depth = 0;
      for (const Counted& x : a) depth = std::max(depth, x.depth());
      std::printf("%s|%s|work %llu|depth %u\n", m.name.c_str(), choice.name.c_str(),
                  static_cast<unsigned long long>(Counted::counts().total()), depth);
    }
}

/// The geometric mean over states of the largest error relative to the largest acceleration, against 60 digits.
void errors() {
  constexpr Eigen::Index count = 200;
  for (const Mechanism& m : mechanisms()) {
    const StateSet states = random_states(m.model, count, 11);
    const auto reference = make_solver<Reference>(m.model, {});
    Matrix<double> truth(m.model.nv(), count), a(m.model.nv(), count);
    for (Eigen::Index k = 0; k < count; ++k) {
      const auto lifted = [&](const auto& x) { return std::vector<Reference>(x.begin(), x.end()); };
      const auto q = lifted(states.q.col(k)), v = lifted(states.v.col(k)), tau = lifted(states.tau.col(k));
      std::vector<Reference> result(v.size());
      reference->solve({q.data(), v.data(), nullptr, tau.data(), nullptr, result.data()});
      for (Eigen::Index r = 0; r < truth.rows(); ++r)
        truth(r, k) = static_cast<double>(result[static_cast<std::size_t>(r)]);
    }
    for (const Choice& choice : choices(m.model)) {
      try {
        ForwardDynamics dynamics(m.model, choice.options);
        if (!dynamics.solve(states.q, states.v, states.tau, a).ok()) throw std::runtime_error("status");
      } catch (const std::exception& refused) {
        std::printf("%s|%s|refused\n", m.name.c_str(), choice.name.c_str());
        continue;
      }
      double sum = 0;
      for (Eigen::Index k = 0; k < count; ++k) {
        const double largest = largest_of(truth.col(k));
        const double error = largest_of((a - truth).col(k)) / (largest > 0 ? largest : 1);
        sum += std::log(std::max(error, 0x1p-54));  // half a last digit: no result in double is better
      }
      std::printf("%s|%s|error %.4g\n", m.name.c_str(), choice.name.c_str(), std::exp(sum / count));
    }
  }
}

}  // namespace
}  // namespace kinetree::golden

int main(int count, char** arguments) try {
  using namespace kinetree::golden;
  const std::string word = count == 2 ? arguments[1] : "";
  if (word == "digests")
    digests();
  else if (word == "counts")
    counts();
  else if (word == "errors")
    errors();
  else
    return std::cerr << "usage: kinetree_golden digests|counts|errors\n", 2;
} catch (const std::exception& error) {
  return std::cerr << "kinetree_golden: " << error.what() << "\n", 2;
}
