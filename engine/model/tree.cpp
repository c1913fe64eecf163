#include "engine/model/tree.hpp"

#include <algorithm>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
void connect(ModelData& m) {
  const int n = static_cast<int>(m.parent.size());
  m.subtree_end.resize(at(n));
  m.children_begin.assign(at(n + 1), 0);
  for (int i = 0; i < n; ++i) m.subtree_end[at(i)] = i + 1;
  for (int i = n - 1; i >= 0; --i) {
    const int p = m.parent[at(i)];
    if (p < 0) continue;
    m.subtree_end[at(p)] = std::max(m.subtree_end[at(p)], m.subtree_end[at(i)]);
    ++m.children_begin[at(p + 1)];
  }
  for (int i = 0; i < n; ++i) m.children_begin[at(i + 1)] += m.children_begin[at(i)];
  m.children.resize(at(m.children_begin[at(n)]));
  std::vector<int> next(m.children_begin.begin(), m.children_begin.end() - 1);
  for (int i = 0; i < n; ++i) {
    const int p = m.parent[at(i)];
    if (p < 0)
      m.roots.push_back(i);
    else
      m.children[at(next[at(p)]++)] = i;
  }
}

int body_of_entry(const std::vector<int>& index, int entry) {
  return static_cast<int>(std::upper_bound(index.begin(), index.end(), entry) - index.begin()) - 1;
}

int body_of_velocity(const ModelData& m, int v) { return body_of_entry(m.v_index, v); }

void append_path(const ModelData& m, int body, std::vector<int>& velocities) {
  const auto begin = static_cast<std::ptrdiff_t>(velocities.size());
  for (int i = body; i >= 0; i = m.parent[at(i)])
    for (int v = m.v_index[at(i + 1)] - 1; v >= m.v_index[at(i)]; --v) velocities.push_back(v);
  std::reverse(velocities.begin() + begin, velocities.end());
}

std::vector<int> path_lengths(const ModelData& m) {
  std::vector<int> of_body(m.parent.size()), of_link;
  for (std::size_t i = 0; i < of_body.size(); ++i) {
    const int p = m.parent[i];
    of_body[i] = m.v_index[i + 1] - m.v_index[i] + (p < 0 ? 0 : of_body[at(p)]);
  }
  for (const Frame& frame : m.frames) of_link.push_back(frame.body < 0 ? 0 : of_body[at(frame.body)]);
  return of_link;
}

}  // namespace kinetree::inline inner
