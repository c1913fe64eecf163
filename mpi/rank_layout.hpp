#pragma once
// RankLayout: which steps of a state a rank runs in each pass, and which messages it sends and receives around them.
// Steps and passes are those of one process; a step runs where its module is swept, and what its kernel reads of
// another rank's step comes as a message before. Found without MPI, so that predictions can ask it of ranks that are
// not there.

#include <span>
#include <vector>

#include "engine/algorithm/borders.hpp"
#include "engine/algorithm/pass.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/modules.hpp"

namespace kinetree::inline inner {

/// What ranks share out. All must outlive who has it.
struct RankSteps {
  std::span<const Pass> passes;
  void* space;
  Borders& borders;
  const Modules& modules;
  const ModelData& model;      ///< whose bodies the modules' are
  std::vector<double> work{};  ///< over steps (Work::all); empty where one thread runs all
};

/// The rank that sweeps body i.
inline int rank_of_body(const Modules& m, int i) {
  return m.process.empty() ? 0 : m.process[static_cast<std::size_t>(m.module_of[static_cast<std::size_t>(i)])];
}

/// Over all ranks, the most messages along a way from the ground to a tip: a gather waits for no fewer.
int rounds(const Modules& modules);

class RankLayout {
 public:
  struct Message {
    int rank, tag;
    Pieces pieces;
    std::size_t bytes;
  };
  struct Action {
    enum class Kind { run, send, receive } kind;
    int number;  ///< step, or message
  };
  /// What a rank does by itself around a pass over its inner steps.
  struct Stage {
    std::vector<Action> before, after;
  };

  RankLayout(int rank, const RankSteps& steps);
  /// Finds stages and messages, of the numbers that the workspace then has.
  void lay_out();

  const std::vector<Stage>& stages() const { return stages_; }        ///< over passes
  const std::vector<Message>& messages() const { return messages_; }  ///< as actions number them
  const std::vector<int>& inner() const { return inner_; }            ///< own steps below which all are own, ascending
  const std::vector<int>& outboard() const { return outboard_; }      ///< cut joints with another rank outboard
  bool own(int step) const { return process_[static_cast<std::size_t>(step)] == rank_; }
  /// Places where shares meet: steps and cut joints, numbered for themselves, alike on all ranks.
  int tags() const { return tags_; }

 private:
  void find_steps();
  void find_joints();
  Stage stage_of(int pass);
  Stage gather(int pass);
  Stage scatter(int pass);
  Stage each(int pass);
  /// Adds the message that collect(pieces) fills; none where it fills in nothing.
  template <class Collect>
  void add_message(std::vector<Action>& actions, Action::Kind kind, int rank, int tag, Collect&& collect);

  int rank_;
  RankSteps steps_;
  std::vector<int> process_;  ///< over steps
  int tags_ = 0;
  std::vector<std::vector<int>> elsewhere_;  ///< over own steps: the children on other ranks, ascending
  std::vector<int> step_tag_, joint_tag_;    ///< over steps and cut joints: of the messages across it
  std::vector<int> inner_;
  std::vector<int> border_;              ///< own steps that are not inner, or whose parent is another rank's, ascending
  std::vector<bool> waits_;              ///< over steps: own, and another rank's stand below
  std::vector<int> outboard_, inboard_;  ///< cut joints with another rank outboard, or inboard
  std::vector<Stage> stages_;
  std::vector<Message> messages_;
};

}  // namespace kinetree::inline inner
