#include "parallel/stages.hpp"

#include <algorithm>

namespace kinetree::inline inner {

int Stages::Stage::count() const {
  if (these != nullptr) return static_cast<int>(these->size());
  return passes.front().direction == Direction::once ? 1 : tasks->count();
}

void Stages::Stage::run(int k) const {
  for (const Pass& pass : passes) {
    if (pass.direction == Direction::once)
      pass.kernel(space, -1);
    else
      tasks->run(pass, space, task(k));
  }
}

void Stages::prepare(std::span<const Pass> passes, void* space, const Tasks& tasks) {
  stages_.clear();
  first_ = passes.data();
  for (std::size_t p = 0; p < passes.size(); ++p) {
    const Direction direction = passes[p].direction;
    const std::span<const Pass> this_one = passes.subspan(p, 1);
    if (direction == Direction::once || direction == Direction::each) {
      stages_.push_back({&tasks, space, this_one, nullptr});
      continue;
    }
    for (int l = 0; l < static_cast<int>(tasks.levels.size()); ++l) {
      const std::vector<int>* these = &tasks.level(direction, l);
      // tips, of which none has a child, or roots, of which none has a parent
      const bool goes_on = l == 0 && p > 0 && stages_.back().these == these && passes[p - 1].direction != direction;
      if (!goes_on) {
        stages_.push_back({&tasks, space, this_one, these});
        continue;
      }
      std::span<const Pass>& last = stages_.back().passes;
      last = {last.data(), last.size() + 1};
    }
  }
}

std::vector<Level> Stages::levels() {
  std::vector<Level> levels(stages_.size());
  std::transform(stages_.begin(), stages_.end(), levels.begin(), [](Stage& stage) {
    return Level{stage.count(), &stage,
                 [](void* context, int task, int) { static_cast<const Stage*>(context)->run(task); }};
  });
  return levels;
}

}  // namespace kinetree::inline inner
