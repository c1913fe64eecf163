#include "bench/peers/contenders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "bench/peers/own.hpp"
#include "bench/peers/peer.hpp"
#include "engine/scalar/worst.hpp"

namespace kinetree::peers {

std::vector<PeerKind>& peer_kinds() {
  static std::vector<PeerKind> kinds;
  return kinds;
}

namespace {

using bench::StateSet;
using Eigen::Index;

/// A peer, one state at a time.
class OneByOne : public Solver {
 public:
  OneByOne(std::unique_ptr<Peer> peer, const StateSet& states, Index rows)
      : peer_(std::move(peer)), states_(&states), rows_(rows) {}

  void solve(Index first) override {
    last_ = state(first);
    peer_->compute(last_);
  }

  Eigen::MatrixXd results() override {
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(rows_, 1);
    peer_->read(last_, result.data());
    return result;
  }

 private:
  State state(Index k) const {
    return {states_->q.col(k).data(), states_->v.col(k).data(), states_->tau.col(k).data()};
  }

  std::unique_ptr<Peer> peer_;
  const StateSet* states_;
  Index rows_;
  State last_{};
};

/// Largest difference, relative to the largest of a state's numbers. NaN where there is one.
double difference_of(const Eigen::VectorXd& result, const Eigen::VectorXd& reference) {
  return largest_of(result - reference) / largest_of(reference);
}

/// Results of a call that takes many states are at most as large as this: no more memory than a machine has.
constexpr Index most_bytes = Index{1} << 26;

class Gathering {
 public:
  Gathering(const Case& test, const StateSet& states, Function function, Counts counts)
      : test_(test), states_(states), function_(function), counts_(counts) {
    const Index bytes = result_size(function, test) * static_cast<Index>(sizeof(double));
    if (2 * bytes > most_bytes)
      throw std::runtime_error(
          fmt::format("the result of a state takes {} MB, of which two are to fit in {}; name other "
                      "functions with --function, or a smaller model",
                      bytes >> 20, most_bytes >> 20));
    counts_.per_call = std::min(most_bytes / bytes, counts_.per_call);
  }

  std::vector<Contender> run(const std::vector<std::string>& libraries) {
    all_ = own_contenders(test_, states_, function_, counts_);
    own_ = all_.front().solver.get();
    for (Contender& contender : all_) check(contender);
    std::vector<PeerKind> kinds = peer_kinds();
    std::sort(kinds.begin(), kinds.end(), [](const PeerKind& x, const PeerKind& y) { return x.name < y.name; });
    for (const PeerKind& kind : kinds)
      if (libraries.empty() || std::find(libraries.begin(), libraries.end(), kind.name) != libraries.end())
        add_peer(kind);
    return std::move(all_);
  }

 private:
  void add_peer(const PeerKind& kind) {
    const Offer& offer = kind.offers.at(function_);
    Contender& contender = all_.emplace_back();
    contender.name = kind.name;
    contender.version = kind.version;
    contender.package = kind.package;
    contender.path = offer.path;
    contender.tolerance = kind.tolerance;
    contender.states = counts_.cycled;
    contender.refusal = offer.refusal;
    if (!offer.make) return;
    try {
      contender.solver =
          std::make_unique<OneByOne>(offer.make(test_.mechanism), states_, result_size(function_, test_));
    } catch (const std::exception& error) {
      contender.refusal = error.what();
      return;
    }
    check(contender);
  }

  /// All its states once, before they are timed.
  void check(Contender& contender) const {
    try {
      for (Index first = 0; first < contender.states; first += contender.per_call) {
        contender.solver->solve(first);
        const Eigen::MatrixXd results = contender.solver->results();
        for (Index k = 0; k < results.cols(); ++k)
          keep_worst(contender.difference, difference_of(results.col(k), reference(first + k)));
      }
    } catch (const std::exception& error) {
      contender.refusal = error.what();
      return;
    }
    if (!(contender.difference <= contender.tolerance))
      contender.refusal = fmt::format("its {} differ by {:.1e}, allowed {:.0e}", words_of(function_).result,
                                      contender.difference, contender.tolerance);
  }

  /// Found anew for everybody: Jacobians of many states are larger than a machine's memory.
  Eigen::VectorXd reference(Index state) const {
    own_->solve(state);
    return own_->results();
  }

  const Case& test_;
  const StateSet& states_;
  Function function_;
  Counts counts_;
  std::vector<Contender> all_;
  Solver* own_ = nullptr;  ///< what the others are compared with
};

}  // namespace

std::vector<Contender> contenders(const Case& test, const StateSet& states, Function function, Counts counts,
                                  const std::vector<std::string>& libraries) {
  return Gathering(test, states, function, counts).run(libraries);
}

}  // namespace kinetree::peers
