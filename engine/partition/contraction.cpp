// Modules joined by carried cuts form a group. A group is contracted path by path (Strahler order), each path by a
// binary tree of merges balanced by when its modules are ready, so that depth stays O(log N) on trees of bounded
// branching: rake and compress (Miller & Reif 1985) with the schedule worked out beforehand.
#include "engine/partition/contraction.hpp"

#include <algorithm>
#include <cmath>

#include "engine/model/model_data.hpp"
#include "engine/partition/cutting.hpp"
#include "engine/partition/module_offsets.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::inline inner {
namespace {

class Contraction {
 public:
  Contraction(const ModelData& model, Elimination elimination, Modules& m)
      : model_(model), elimination_(elimination), m_(m) {}

  void run() {
    const int n = static_cast<int>(model_.parent.size());
    std::vector<double> waits(at(n), 0);              // when the last contribution from below arrives, in body steps
    std::vector<int> inboard(m_.modules.size(), -1);  // over modules: what its bodies hang from; -1: the ground
    for (int i = n - 1; i >= 0; --i) {
      const double ready = waits[at(i)] + 1;
      const int p = model_.parent[at(i)];
      const int k = m_.module_of[at(i)];
      if (k < 0) continue;
      if (p >= 0 && m_.module_of[at(p)] != k) inboard[at(k)] = m_.module_of[at(p)];
      Module& module = m_.modules[at(k)];
      double result = ready;
      if (module.base == i) {
        module.step = add_step({.module = k, .top_module = k}, ready);
        const bool carried = module.cut >= 0 && m_.cuts[at(module.cut)].carried;
        if (carried) continue;
        int root = module.step;
        if (module.cut >= 0 || module.columns > 0) {
          root = contract_group(k);
          result = ready_[at(root)] + 1;
          m_.steps[at(root)].closes = module.cut;
        }
        user_[at(root)] = inboard[at(k)];
      }
      if (p >= 0) waits[at(p)] = std::max(waits[at(p)], result);
    }
    for (std::size_t s = 0; s < m_.steps.size(); ++s) {
      Step& step = m_.steps[s];
      if (step.parent < 0 && user_[s] >= 0) step.parent = m_.modules[at(user_[s])].step;
    }
    number_children_first();
    for (Step& step : m_.steps) lay_out(step);
  }

 private:
  int add_step(Step step, double ready) {
    const int s = static_cast<int>(m_.steps.size());
    m_.steps.push_back(step);
    ready_.push_back(ready);
    user_.push_back(-1);
    return s;
  }

  int merge(int upper, int lower, int cut) {
    const int s = add_step({.top_module = m_.steps[at(upper)].top_module, .upper = upper, .lower = lower, .cut = cut},
                           std::max(ready_[at(upper)], ready_[at(lower)]) + 1);
    m_.steps[at(upper)].parent = m_.steps[at(lower)].parent = s;
    return s;
  }

  int contract_group(int root) {
    // the group's modules, parents first, and each one's parent among them
    std::vector<int> group{root}, parent{-1};
    for (std::size_t k = 0; k < group.size(); ++k) {
      const Module& module = m_.modules[at(group[k])];
      for (int c = module.first_carried; c < module.last_carried; ++c) {
        const int outboard = m_.module_of[at(m_.cuts[at(m_.carried[at(c)])].body)];
        if (outboard < 0) continue;
        group.push_back(outboard);
        parent.push_back(static_cast<int>(k));
      }
    }
    const std::vector<int> next = strahler_paths(parent);
    std::vector<int> result(group.size(), -1);  // step of a module with its side branches, later of the whole path
    for (int k = static_cast<int>(group.size()) - 1; k >= 0; --k) {
      if (result[at(k)] < 0) result[at(k)] = m_.modules[at(group[at(k)])].step;
      const bool top = parent[at(k)] < 0 || next[at(parent[at(k)])] != k;
      if (!top) continue;
      path_.clear(), joints_.clear();
      for (int j = k; j >= 0; j = next[at(j)]) {
        path_.push_back(result[at(j)]);
        joints_.push_back(m_.modules[at(group[at(j)])].cut);
      }
      const int whole = merge_path();
      if (parent[at(k)] < 0) return whole;
      int& above = result[at(parent[at(k)])];
      if (above < 0) above = m_.modules[at(group[at(parent[at(k)])])].step;
      above = merge(above, whole, m_.modules[at(group[at(k)])].cut);
    }
    return result[0];
  }

  /// Merges path_[0..] over joints_[1..] into one step.
  int merge_path() {
    const int count = static_cast<int>(path_.size());
    // split where half the weight 2^ready has passed: no step then lies deeper than log(weight of all / its own) + 2
    double last = 0;
    for (int s : path_) last = std::max(last, ready_[at(s)]);
    std::vector<double> passed(at(count + 1), 0);
    for (int k = 0; k < count; ++k) passed[at(k + 1)] = passed[at(k)] + std::exp2(ready_[at(path_[at(k)])] - last);
    struct Frame {
      int begin, end, middle, upper;
    };
    std::vector<Frame> stack{{0, count, -1, -1}};
    int result = -1;
    while (!stack.empty()) {
      Frame& f = stack.back();
      if (f.end - f.begin == 1) {
        result = path_[at(f.begin)];
        stack.pop_back();
        continue;
      }
      if (f.middle < 0) {
        const int border = middle_border(f.begin, f.end);
        f.middle = border >= 0 ? border : half_way(f.begin, f.end, passed);
        stack.push_back({f.begin, f.middle, -1, -1});
      } else if (f.upper < 0) {
        f.upper = result;
        stack.push_back({f.middle, f.end, -1, -1});
      } else {
        result = merge(f.upper, result, joints_[at(f.middle)]);
        stack.pop_back();
      }
    }
    return result;
  }

  /// The place between these two of the path at which half of the weight between them has passed.
  static int half_way(int begin, int end, const std::vector<double>& passed) {
    const double half = 0.5 * (passed[at(begin)] + passed[at(end)]);
    const auto first = passed.begin() + begin + 1, last = passed.begin() + end;
    int middle = static_cast<int>(std::lower_bound(first, last, half) - passed.begin());
    // the nearer of the two places around the half
    if (middle > begin + 1 && half - passed[at(middle - 1)] <= passed[at(middle)] - half) --middle;
    if (!(passed[at(end)] > passed[at(begin)])) middle = (begin + end) / 2;
    return std::clamp(middle, begin + 1, end - 1);
  }

  /// The middle one of the places where the modules of two processes meet; -1: there is none. So a process first merges
  /// its own modules, and processes then merge theirs in as few rounds as may be. With leaves first: the place behind
  /// the first module, since all modules further out are merged before it.
  int middle_border(int begin, int end) {
    if (elimination_ == Elimination::leaves_first) return begin + 1;
    if (m_.process.empty()) return -1;
    borders_.clear();
    for (int k = begin + 1; k < end; ++k)
      if (m_.process_of(m_.steps[at(path_[at(k - 1)])]) != m_.process_of(m_.steps[at(path_[at(k)])]))
        borders_.push_back(k);
    return borders_.empty() ? -1 : borders_[borders_.size() / 2];
  }

  void number_children_first() {
    const int count = static_cast<int>(m_.steps.size());
    // a depth-first walk from the ground that numbers downwards visits parents before children
    std::vector<std::vector<int>> children(at(count));
    std::vector<int> stack, number(at(count), -1);
    for (int s = 0; s < count; ++s) {
      const int p = m_.steps[at(s)].parent;
      (p >= 0 ? children[at(p)] : stack).push_back(s);
    }
    int next = count;
    while (!stack.empty()) {
      const int s = stack.back();
      stack.pop_back();
      number[at(s)] = --next;
      stack.insert(stack.end(), children[at(s)].begin(), children[at(s)].end());
    }
    const auto renumber = [&](int& s) {
      if (s >= 0) s = number[at(s)];
    };
    std::vector<Step> ordered(at(count));
    for (int s = 0; s < count; ++s) {
      Step& step = m_.steps[at(s)];
      renumber(step.parent), renumber(step.upper), renumber(step.lower);
      ordered[at(number[at(s)])] = step;
    }
    m_.steps = std::move(ordered);
    for (Module& module : m_.modules) renumber(module.step);
  }

  void lay_out(Step& step) {
    const auto put = [&](int cut) { m_.boundary.push_back(cut), step.size += m_.cuts[at(cut)].rows; };
    step.first_boundary = static_cast<int>(m_.boundary.size());
    if (step.module >= 0) {
      const Module& module = m_.modules[at(step.module)];
      if (module.cut >= 0) put(module.cut);
      for (int c = module.first_carried; c < module.last_carried; ++c) put(m_.carried[at(c)]);
    } else {
      for (int from : {step.upper, step.lower})
        for (int o = m_.steps[at(from)].first_boundary; o < m_.steps[at(from)].last_boundary; ++o)
          if (m_.boundary[at(o)] != step.cut) put(m_.boundary[at(o)]);
    }
    step.last_boundary = static_cast<int>(m_.boundary.size());
    give_offsets(m_, step);
  }

  const ModelData& model_;
  const Elimination elimination_;
  Modules& m_;
  std::vector<double> ready_;
  std::vector<int> user_;  // over steps: the module that takes the step's result in; -1: a merge does, or the ground
  std::vector<int> path_, joints_, borders_;
};

}  // namespace

void make_steps(const ModelData& model, Elimination elimination, Modules& modules) {
  Contraction(model, elimination, modules).run();
}

}  // namespace kinetree::inline inner
