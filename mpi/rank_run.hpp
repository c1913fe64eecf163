#pragma once
// RankRun: runs a rank's part in the passes over a state's steps, as its layout says.

#include <exception>
#include <kinetree/plan.hpp>
#include <memory>
#include <vector>

#include "mpi/communicator.hpp"
#include "mpi/rank_layout.hpp"
#include "parallel/executor.hpp"
#include "parallel/tasks.hpp"

namespace kinetree::inline inner {

class RankRun {
 public:
  /// By the plan's executor and `one_threads`: several threads call MPI from any of them, one at a time.
  RankRun(const Communicator& communicator, const RankSteps& steps, const Plan& plan);
  ~RankRun();
  RankRun(const RankRun&) = delete;
  RankRun& operator=(const RankRun&) = delete;

  /// Whether messages are to be laid out before a run of a state with external forces, or without.
  bool is_new(bool external) const { return !laid_out_ || external != external_; }
  /// Lays out the messages, once such a state is set.
  void lay_out(bool external);
  /// All ranks, once the state is set: runs the passes.
  void run();

  /// Messages that one run sends.
  int messages();

 private:
  using Action = RankLayout::Action;
  using Stage = RankLayout::Stage;
  /// A message on its way.
  struct Buffer {
    std::vector<char> bytes{};
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void check_tags() const;
  Tasks tasks(int threads) const;
  void perform(const std::vector<Action>& actions, const Pass& pass);
  void send(int message);
  void receive(int message);
  void turn();

  const Communicator& communicator_;
  RankSteps steps_;
  RankLayout layout_;
  bool laid_out_ = false, external_ = false;
  std::vector<Buffer> buffers_;  ///< over messages

  // on several threads: before each pass and after it a turn, alone
  std::unique_ptr<Executor> executor_;
  std::vector<Pass> turns_and_passes_;
  Tasks tasks_;
  int turns_ = 0;
  std::exception_ptr error_;
};

}  // namespace kinetree::inline inner
