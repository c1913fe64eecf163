#pragma once
// Followers: the ranks beside rank 0, which take part in a sweep's cases over ranks by its orders, and sleep in
// between.

#include <mpi.h>

#include <cstdint>
#include <kinetree/calibration.hpp>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "bench/ranks/rank_case.hpp"
#include "bench/sweep/prepared_case.hpp"

namespace kinetree::bench {

/// What all ranks do next.
struct Order {
  enum class Kind : int { make, solve, answer, drop, end } kind = Kind::end;
  int number = 0;            ///< of the case
  int ranks = 1;             ///< make: the case is of the first so many ranks,
  int model = 0, batch = 1;  ///< of this model, with so many states per call,
  Eigen::Index states = 0;   ///< of so many random ones
  std::int64_t calls = 0;    ///< solve, answer: how often, or of how many states
};

/// The cases that a rank takes part in. All ranks call the same functions in the same order.
class RankCases {
 public:
  ~RankCases();

  /// All ranks. Throws as RankCase on the ranks of the case.
  void make(const Order& order, const Model& model, const Options& options, std::shared_ptr<const StateSet> states);
  /// Null where this rank takes no part.
  RankCase* find(int number) const;
  void drop(int number) { cases_.erase(number); }

 private:
  MPI_Comm first_ranks(int count);

  std::map<int, MPI_Comm> groups_;  ///< by their sizes; null where this rank is in none
  std::map<int, std::unique_ptr<RankCase>> cases_;
};

/// Where the ranks are, and what messages between them take.
struct Surroundings {
  Messages messages;
  std::vector<int> machines;       ///< over ranks
  nlohmann::ordered_json context;  ///< on rank 0
};
/// All ranks. Warns where a launcher left rank 0 fewer processors than it left the ranks of its machine.
Surroundings look_around();

/// On rank 0, the way to the other ranks, which run `follow` until it is destroyed. One at a time.
class Followers : public OverRanks {
 public:
  Followers();  ///< looks around, as `follow` does
  ~Followers() override;

  std::unique_ptr<PreparedCase> prepare(const Case& c, const Model& model, const StateSet& states) override;
  std::optional<double> predicted_ns(const Model& model, const Case& c, const Plan& plan,
                                     const Calibration& calibration) const override;
  const Messages& messages() const override { return around_.messages; }
  int on_this_machine(int ranks) const override;
  const nlohmann::ordered_json& context() const override { return around_.context; }

 private:
  Surroundings around_;
  RankCases cases_;
  int next_ = 0;
};

/// On the other ranks, with rank 0's models; random states are of the sweep's seed.
void follow(std::uint64_t seed, const std::vector<LoadedModel>& models);

}  // namespace kinetree::bench
