#include "parallel/stages.hpp"

#include <algorithm>
#include <numeric>

#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

namespace {

/// All tasks, by their position in their level over its size. OpenMP and oneTBB distribute them in this order: a thread
/// then has about the same tasks in passes of any order as in passes level by level, and their data in its cache: on
/// two cores far from each other `modular` was 1.03 times as fast as with tasks in the order of their numbers,
/// `cfa` 1.01 times.
std::vector<int> by_position(const Tasks& tasks) {
  std::vector<double> position(at(tasks.count()));
  for (const std::vector<int>& level : tasks.levels)
    for (std::size_t k = 0; k < level.size(); ++k)
      position[at(level[k])] = static_cast<double>(k) / static_cast<double>(level.size());
  std::vector<int> all(position.size());
  std::iota(all.begin(), all.end(), 0);
  std::ranges::stable_sort(all, {}, [&](int task) { return position[at(task)]; });
  return all;
}

}  // namespace

void Stages::PassStage::run(int index) const {
  for (const FusedPasses& fused : all)
    for (const Pass& pass : fused.passes) {
      if (pass.direction == Direction::once)
        pass.kernel(space, -1);
      else
        tasks->run(pass, space, fused.task(index));
    }
}

void Stages::prepare(std::span<const Pass> passes, void* space, const Tasks& tasks) {
  stages_.clear();
  first_ = passes.data();
  const auto of_any_order = [](const Pass& pass) { return pass.direction == Direction::each; };
  if (std::ranges::any_of(passes, of_any_order)) any_order_ = by_position(tasks);
  const auto add = [&](const FusedPasses& fused) {
    if (fused.count() == 1 && !stages_.empty() && stages_.back().count() == 1)
      stages_.back().all.push_back(fused);
    else
      stages_.push_back({&tasks, space, {fused}});
  };
  for (std::size_t p = 0; p < passes.size(); ++p) {
    const Direction direction = passes[p].direction;
    const std::span<const Pass> pass = passes.subspan(p, 1);
    if (direction == Direction::once || direction == Direction::each) {
      add({pass, direction == Direction::each ? &any_order_ : nullptr});
      continue;
    }
    for (int l = 0; l < static_cast<int>(tasks.levels.size()); ++l) {
      const std::vector<int>* level = &tasks.level(direction, l);
      // all its tasks are tips, or all roots: none has a neighbour to wait for
      const bool goes_on =
          l == 0 && p > 0 && stages_.back().all.back().tasks == level && passes[p - 1].direction != direction;
      if (!goes_on) {
        add({pass, level});
        continue;
      }
      std::span<const Pass>& last = stages_.back().all.back().passes;
      last = {last.data(), last.size() + 1};
    }
  }
}

std::vector<Stage> Stages::all() {
  std::vector<Stage> all(stages_.size());
  std::transform(stages_.begin(), stages_.end(), all.begin(), [](PassStage& stage) {
    return Stage{stage.count(), &stage,
                 [](void* context, int index, int) { static_cast<const PassStage*>(context)->run(index); }};
  });
  return all;
}

}  // namespace kinetree::inline inner
