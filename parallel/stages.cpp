#include "parallel/stages.hpp"

#include <algorithm>

namespace kinetree::inline inner {

int Stages::Stretch::count(const Tasks& tasks) const {
  if (these != nullptr) return static_cast<int>(these->size());
  return passes.front().direction == Direction::once ? 1 : tasks.count();
}

void Stages::Stage::run(int k) const {
  for (const Stretch& stretch : stretches)
    for (const Pass& pass : stretch.passes) {
      if (pass.direction == Direction::once)
        pass.kernel(space, -1);
      else
        tasks->run(pass, space, stretch.task(k));
    }
}

void Stages::prepare(std::span<const Pass> passes, void* space, const Tasks& tasks) {
  stages_.clear();
  first_ = passes.data();
  const auto add = [&](const Stretch& stretch) {
    if (stretch.count(tasks) == 1 && !stages_.empty() && stages_.back().count() == 1)
      stages_.back().stretches.push_back(stretch);
    else
      stages_.push_back({&tasks, space, {stretch}});
  };
  for (std::size_t p = 0; p < passes.size(); ++p) {
    const Direction direction = passes[p].direction;
    const std::span<const Pass> this_one = passes.subspan(p, 1);
    if (direction == Direction::once || direction == Direction::each) {
      add({this_one, nullptr});
      continue;
    }
    for (int l = 0; l < static_cast<int>(tasks.levels.size()); ++l) {
      const std::vector<int>* these = &tasks.level(direction, l);
      // tips, of which none has a child, or roots, of which none has a parent
      const bool goes_on =
          l == 0 && p > 0 && stages_.back().stretches.back().these == these && passes[p - 1].direction != direction;
      if (!goes_on) {
        add({this_one, these});
        continue;
      }
      std::span<const Pass>& last = stages_.back().stretches.back().passes;
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
