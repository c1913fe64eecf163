#pragma once
// RankRun: a rank's part in the passes over a state's steps. Steps and passes are those of one process; a step runs
// where its module is swept, and what its kernel reads of another rank's step comes as a message before.

#include <exception>
#include <kinetree/plan.hpp>
#include <memory>
#include <span>
#include <vector>

#include "engine/algorithm/borders.hpp"
#include "engine/algorithm/pass.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/modules.hpp"
#include "mpi/communicator.hpp"
#include "parallel/executor.hpp"
#include "parallel/tasks.hpp"

namespace kinetree::inline inner {

/// What a rank runs. All must outlive the run.
struct RankSteps {
  std::span<const Pass> passes;
  void* space;
  Borders& borders;
  const Modules& modules;
  const ModelData& model;  ///< whose bodies the modules' are
};

/// The rank that sweeps body i.
inline int rank_of_body(const Modules& m, int i) {
  return m.process.empty() ? 0 : m.process[static_cast<std::size_t>(m.module_of[static_cast<std::size_t>(i)])];
}

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
  /// Over all ranks, the most messages along a way from the ground to a tip: a gather waits for no fewer.
  static int rounds(const Modules& modules);

 private:
  struct Message {
    int rank, tag;
    Pieces pieces;
    std::vector<char> buffer{};
    MPI_Request request = MPI_REQUEST_NULL;
  };
  struct Action {
    enum class Kind { run, send, receive } kind;
    int number;  ///< step, or message
  };
  /// What a rank does by itself around a pass over the steps of its own that no other rank's stand below.
  struct Stage {
    std::vector<Action> before, after;
  };

  bool own(int step) const { return process_[static_cast<std::size_t>(step)] == communicator_.rank(); }
  void find_steps();
  void find_joints();
  void check_tags() const;
  Stage stage_of(int pass);
  Stage gather(int pass);
  Stage scatter(int pass);
  Stage each(int pass);
  /// Adds the message that collect(pieces) fills; none where it fills in nothing.
  template <class Collect>
  void add_message(std::vector<Action>& actions, Action::Kind kind, int rank, int tag, Collect&& collect);
  Tasks tasks(int threads) const;

  void perform(const std::vector<Action>& actions, const Pass& pass);
  void send(Message& message);
  void receive(Message& message);
  void turn();

  const Communicator& communicator_;
  RankSteps steps_;
  std::vector<int> process_;  ///< over steps
  int tags_ = 0;  ///< places where shares meet: steps and cut joints, numbered for themselves, alike on all ranks
  std::vector<std::vector<int>> elsewhere_;  ///< over own steps: the children on other ranks, ascending
  std::vector<int> step_tag_,
      joint_tag_;            ///< over steps and cut joints: of the messages across it, the same on all ranks
  std::vector<int> inner_;   ///< own steps below which all are own, ascending
  std::vector<int> border_;  ///< own steps that are not, or whose parent is another rank's, ascending
  std::vector<bool> waits_;  ///< over steps: own, and another rank's stand below
  std::vector<int> outboard_, inboard_;  ///< cut joints with another rank outboard, or inboard

  bool laid_out_ = false, external_ = false;
  std::vector<Stage> stages_;  ///< over passes
  std::vector<Message> messages_;

  // on several threads: before each pass and after it a turn, alone
  std::unique_ptr<Executor> executor_;
  std::vector<Pass> turns_and_passes_;
  Tasks tasks_;
  int turns_ = 0;
  std::exception_ptr error_;
};

}  // namespace kinetree::inline inner
