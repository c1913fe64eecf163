#pragma once
// Times of one state of one mechanism over numbers of ranks, predicted.

#include <kinetree/calibration.hpp>
#include <kinetree/model.hpp>
#include <kinetree/plan.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kinetree::bench {

/// How ranks part a mechanism by such a plan: "ab at branches, limbs in lanes", "modular:512".
std::string parting(const Plan& plan);

/// In one process, by the plan that `automatic` takes on at most so many threads.
double predicted_in_one_process(const Model& model, int threads, const Calibration& calibration);

/// Over ranks by the plan that `automatic` takes over so many ranks; on one, in one process on one thread.
struct PredictedRanks {
  int ranks = 1;
  std::optional<double> ns;  ///< nothing where the mechanism has no shares for so many
  std::string plan;          ///< how the mechanism is parted
};
std::vector<PredictedRanks> predicted_ranks(const Model& model, const std::vector<int>& ranks, int on_each_machine,
                                            const Calibration& calibration);

/// From how many bodies on a state takes less time over so many ranks than in one process on one thread.
struct RanksPay {
  int ranks = 2;
  std::optional<int> from;  ///< bodies; nothing: up to `tried` it never does
  int tried = 0;
};
/// Of a family, at sizes that double. `source`: any member, such as "chain:64".
std::vector<RanksPay> from_which_ranks_pay(const std::string& source, const std::vector<int>& ranks,
                                           int on_each_machine, const Calibration& calibration);
/// "One state takes less time over 2 ranks from about 1,000 bodies on, ..."
std::string sentence(const std::vector<RanksPay>& pay);

/// One entry for each number of ranks.
nlohmann::ordered_json predictions_json(const std::vector<PredictedRanks>& predictions);

}  // namespace kinetree::bench
