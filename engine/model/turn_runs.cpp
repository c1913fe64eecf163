#include "engine/model/turn_runs.hpp"

#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

std::vector<Range> turn_runs(const ModelData& m) {
  const int bodies = static_cast<int>(m.parent.size());
  std::vector<Range> runs(m.parent.size());
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const auto turns = [&](int i) {
    const bool alone = m.aggregate_of.empty() || m.aggregate_of[at(i)] < 0;
    return alone && m.link[at(i)].axial && only_turns(m.joint_type[at(i)]);
  };
  const auto goes_on = [&](int i) {  // to body i, from the one before
    return turns(i) && !m.link[at(i)].placement.has_inner() && m.parent[at(i)] == i - 1 &&
           m.nodes_of(i - 1).size() == 1 && m.nodes_of(i - 1).front() == i;
  };
  for (int begin = 0; begin < bodies;) {
    int end = begin + 1;
    if (turns(begin)) {
      while (end < bodies && goes_on(end)) ++end;
      for (int i = begin; i < end; ++i) runs[at(i)] = {begin, end};
    }
    begin = end;
  }
  return runs;
}

}  // namespace kinetree::inline inner
