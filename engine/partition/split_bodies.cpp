#include "engine/partition/split_bodies.hpp"

#include <algorithm>
#include <iterator>
#include <kinetree/finding.hpp>

#include "engine/model/loops.hpp"
#include "engine/model/tree.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {

std::span<const int> outboard_children(const ModelData& m, int p) {
  const int own = aggregate_of(m, p);
  const auto beside = [&](int child) { return own >= 0 && aggregate_of(m, child) == own; };
  const auto uncut = [&](int child) { return !m.may_cut[at(child)] && !beside(child); };
  const std::span<const int> all = m.children_of(p);
  const auto first = std::find_if(all.begin(), all.end(), uncut);
  const auto last = std::find_if(all.rbegin(), std::make_reverse_iterator(first), uncut).base();
  return std::any_of(first, last, beside) ? std::span<const int>{} : std::span<const int>(first, last);
}

namespace {

RigidInertia<double> half(const RigidInertia<double>& a) {
  const auto& I = a.I;
  return {0.5 * a.mass, 0.5 * a.h, {0.5 * I.xx, 0.5 * I.yy, 0.5 * I.zz, 0.5 * I.xy, 0.5 * I.xz, 0.5 * I.yz}};
}

class Splitter {
 public:
  Splitter(const ModelData& from, const std::vector<bool>& split) : from_(from) {
    const std::size_t n = from.parent.size();
    s_.inboard.resize(n), s_.outboard.assign(n, -1);
    run_.resize(n);
    std::vector<int> begins(n, -1);  // the body whose outboard half comes right before this one
    for (std::size_t p = 0; p < n; ++p)
      if (split[p]) {
        run_[p] = outboard_children(from, static_cast<int>(p));
        begins[at(run_[p].front())] = static_cast<int>(p);
      }
    int next = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (begins[i] >= 0) s_.outboard[at(begins[i])] = next++;
      s_.inboard[i] = next++;
    }
    bodies_ = at(next);
  }

  SplitModel run() && {
    auto m = std::make_shared<ModelData>();
    copy_bodies(*m);
    copy_names(*m);
    connect(*m);
    m->loops = from_.loops;
    m->couplings = from_.couplings;
    for (Coupling& coupling : m->couplings)
      for (auto& term : coupling.terms) term.first = s_.inboard[at(term.first)];
    if (!from_.aggregates.empty()) copy_aggregates(*m);
    s_.model = std::move(m);
    return std::move(s_);
  }

 private:
  /// The body that a child hangs from.
  int parent_of(int child) const {
    const int p = from_.parent[at(child)];
    if (p < 0) return -1;
    const bool outboard = s_.outboard[at(p)] >= 0 && run_[at(p)].front() <= child && child <= run_[at(p)].back();
    return outboard ? s_.outboard[at(p)] : s_.inboard[at(p)];
  }

  void copy_bodies(ModelData& m) const {
    m.gravity = from_.gravity;
    m.armature = from_.armature;
    m.assembled = from_.assembled;
    m.parent.resize(bodies_), m.joint_type.resize(bodies_), m.link.resize(bodies_), m.whole.resize(bodies_);
    m.q_index.resize(bodies_ + 1), m.v_index.resize(bodies_ + 1);
    m.allows_cuts.resize(bodies_), m.may_cut.resize(bodies_), m.may_split.assign(bodies_, false);
    for (int i = 0; i < static_cast<int>(from_.parent.size()); ++i) {
      const auto k = at(i), to = at(s_.inboard[k]);
      m.parent[to] = parent_of(i);
      m.joint_type[to] = from_.joint_type[k];
      m.link[to] = from_.link[k];
      m.whole[to] = i;
      m.allows_cuts[to] = from_.allows_cuts[k], m.may_cut[to] = from_.may_cut[k];
      m.q_index[to] = from_.q_index[k], m.v_index[to] = from_.v_index[k];
      if (s_.outboard[k] < 0) continue;
      const auto weld = at(s_.outboard[k]);
      m.parent[weld] = s_.inboard[k];
      m.joint_type[weld] = JointType::fixed;
      m.link[to].I = half(from_.link[k].I);
      m.link[weld].I = m.link[to].I;
      m.link[weld].X_tree = Transform<double>::identity();
      m.whole[weld] = i;
      m.allows_cuts[weld] = m.may_cut[weld] = true;
      const auto next = at(run_[k].front());  // a weld has no numbers of its own
      m.q_index[weld] = from_.q_index[next], m.v_index[weld] = from_.v_index[next];
    }
    m.q_index.back() = from_.q_index.back(), m.v_index.back() = from_.v_index.back();
  }

  void copy_names(ModelData& m) const {
    m.name = from_.name;
    m.frames = from_.frames;
    for (Frame& frame : m.frames)
      if (frame.body >= 0) frame.body = s_.inboard[at(frame.body)];
    m.joint_name.resize(bodies_), m.body_frame.resize(bodies_);
    for (std::size_t i = 0; i < from_.parent.size(); ++i) {
      const auto to = at(s_.inboard[i]);
      m.joint_name[to] = from_.joint_name[i], m.body_frame[to] = from_.body_frame[i];
      if (s_.outboard[i] < 0) continue;
      const auto weld = at(s_.outboard[i]);
      const Frame& own = from_.frames[at(from_.body_frame[i])];
      m.joint_name[weld] = "weld in " + own.name;
      m.body_frame[weld] = static_cast<int>(m.frames.size());
      m.frames.push_back({own.name + " (outboard half)", s_.outboard[i], own.X_frame_body});
    }
  }

  void copy_aggregates(ModelData& m) const {
    m.aggregate_of.assign(bodies_, -1);
    m.aggregate_place.resize(bodies_), m.aggregate_column.resize(bodies_);
    m.aggregates = from_.aggregates;
    for (Aggregate& a : m.aggregates) {
      const int parent = a.parent;
      if (parent >= 0) a.parent = parent_of(a.bodies.front());
      for (int& i : a.bodies) {
        const auto from = at(i), to = at(s_.inboard[at(i)]);
        m.aggregate_of[to] = from_.aggregate_of[from];
        m.aggregate_place[to] = from_.aggregate_place[from];
        m.aggregate_column[to] = from_.aggregate_column[from];
        i = static_cast<int>(to);
      }
      for (const int l : a.loops)
        for (int* end : {&m.loops[at(l)].first, &m.loops[at(l)].second, &m.loops[at(l)].meet})
          if (*end >= 0) *end = *end == parent ? a.parent : s_.inboard[at(*end)];
    }
  }

  const ModelData& from_;
  SplitModel s_;
  std::vector<std::span<const int>> run_;  ///< over the user's bodies that are split: children of the outboard half
  std::size_t bodies_ = 0;
};

}  // namespace

std::vector<bool> bodies_worth_splitting(const ModelData& m) {
  const int n = static_cast<int>(m.parent.size());
  std::vector<bool> split(at(n), false);
  const auto is_tied = [&](int i) { return aggregate_of(m, i) >= 0 || m.has_rotor(i); };
  for (int p = 0; p < n; ++p) {
    if (!m.may_split[at(p)]) continue;
    const int inboard = m.parent[at(p)];
    if (m.may_cut[at(p)] && (inboard < 0 || m.allows_cuts[at(inboard)])) continue;
    for (const int child : outboard_children(m, p)) split[at(p)] = split[at(p)] || is_tied(p) || is_tied(child);
  }
  return split;
}

SplitModel split_bodies(const ModelData& model, const std::vector<bool>& split) { return Splitter(model, split).run(); }

}  // namespace kinetree::inline inner
