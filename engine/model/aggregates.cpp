// The smallest aggregation subgraph of every constraint; those that share a body are merged, others kept apart
// (Jain 2012 II, Sec. 4.2, Fig. 2, 4). Then ranks and independent coordinates, at configurations that close.
#include "engine/model/aggregates.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <kinetree/description.hpp>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "engine/joint/advance.hpp"
#include "engine/model/assembly.hpp"
#include "engine/model/joint_frames.hpp"
#include "engine/model/loop_findings.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/mobility.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/placement.hpp"
#include "engine/model/random.hpp"
#include "engine/model/rounding.hpp"
#include "engine/model/tree.hpp"
#include "engine/scalar/index.hpp"
#include "engine/scalar/number_text.hpp"
#include "engine/scalar/worst.hpp"

namespace kinetree::inline inner {
namespace {

/// The first start is the user's hint. Without one Newton's method finds a closed configuration of a few loops from the
/// first start or two; of ten that are wound together, seldom from fewer than a hundred.
constexpr int most_starts = 300;
constexpr int usual_starts = 12, most_usual_starts = 100;
constexpr double work_of_starts = 3e5;  ///< that more than the usual may take: solutions of K, in multiplications
constexpr double closed = 1e-9;         ///< m or rad
constexpr double least_margin = 1e-3;   ///< relative pivot where a model may stand, unless its user says so

class AggregateBuilder {
 public:
  AggregateBuilder(const Description& d, ModelData& m) : d_(d), m_(m), findings_(d, m) {
    for (std::size_t k = 0; k < m_.frames.size(); ++k) frame_.emplace(m_.frames[k].name, static_cast<int>(k));
    for (std::size_t i = 0; i < m_.joint_name.size(); ++i) joint_.emplace(m_.joint_name[i], static_cast<int>(i));
  }

  void run() {
    for (const LoopDescription& loop : d_.loops) take(loop);
    for (const CouplingDescription& coupling : d_.couplings) take(coupling);
    if (has_error(m_.findings) || (m_.loops.empty() && m_.couplings.empty())) return;
    gather_bodies();
    for (Aggregate& a : m_.aggregates) count(a);
    if (!has_error(m_.findings)) count_freedoms();
  }

 private:
  // ---- constraints in the Model's terms
  /// A loop's end: its body, and the transform from the body's frame to the loop joint's.
  std::pair<int, Transform<double>> end_of(const LoopDescription::End& end, const Matrix3<double>& turn) const {
    Transform<double> X = transform_of(end.frame);
    int body = -1;
    if (end.body != "world") {
      const Frame& frame = m_.frames[at(frame_.at(end.body))];
      X = X * frame.X_frame_body;
      body = frame.body;
    }
    return {body, {turn * X.E, X.r}};
  }

  void take(const LoopDescription& l) {
    Loop loop;
    loop.name = l.name;
    loop.type = *loop_type_named(l.type);
    const LoopFrames frames = loop_frames(loop.type, l);
    loop.cosine = frames.cosine;
    std::tie(loop.first, loop.X_first) = end_of(l.first, frames.first);
    std::tie(loop.second, loop.X_second) = end_of(l.second, frames.second);
    if (loop.first == loop.second)
      return findings_.say(Severity::error, l.line, "loop \"" + l.name + "\"",
                           "\"" + l.first.body + "\" and \"" + l.second.body +
                               "\" are one rigid body by fixed joints; a loop closes between two bodies");
    loop.meet = meet(loop.first, loop.second);
    nodes_.push_back({loop.first, loop.second});
    findings_.line.push_back(l.line);
    m_.loops.push_back(std::move(loop));
  }

  void take(const CouplingDescription& c) {
    Coupling coupling{c.name, {}, c.offset};
    std::vector<int> nodes;
    for (const CouplingDescription::Term& term : c.terms) {
      const auto found = joint_.find(term.joint);
      if (found == joint_.end())
        return findings_.say(Severity::error, c.line, "coupling \"" + c.name + "\"",
                             "joint \"" + term.joint + "\" is fixed; a coupling takes joints that move");
      coupling.terms.emplace_back(found->second, term.coefficient);
      coupling.powers.push_back(term.powers);
      nodes.push_back(found->second);
      nodes.push_back(m_.parent[at(found->second)]);
    }
    if (c.linear()) coupling.powers.clear();
    nodes_.push_back(std::move(nodes));
    findings_.line.push_back(c.line);
    m_.couplings.push_back(std::move(coupling));
  }

  // ---- aggregation
  int meet(int a, int b) const {
    while (a != b) {
      int& lower = a > b ? a : b;  // the larger number is not above the other
      lower = m_.parent[at(lower)];
    }
    return a;
  }

  int group(int i) {
    while (group_[at(i)] != i) i = group_[at(i)] = group_[at(group_[at(i)])];
    return i;
  }

  void gather_bodies() {
    const int n = static_cast<int>(m_.parent.size());
    group_.resize(at(n));
    std::iota(group_.begin(), group_.end(), 0);
    std::vector<bool> member(at(n), false);
    std::vector<int> first(nodes_.size(), -1);  // over constraints: one of its bodies
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      int root = nodes_[k].front();
      for (const int node : nodes_[k]) root = meet(root, node);
      for (const int node : nodes_[k])
        for (int i = node; i != root; i = m_.parent[at(i)]) {
          member[at(i)] = true;
          if (first[k] < 0) first[k] = i;
          group_[at(group(i))] = group(first[k]);
        }
    }
    m_.aggregate_of.assign(at(n), -1);
    m_.aggregate_place.assign(at(n), -1);
    m_.aggregate_column.assign(at(n), -1);
    std::vector<int> index(at(n), -1);
    for (int i = 0; i < n; ++i) {
      if (!member[at(i)]) continue;
      int& which = index[at(group(i))];
      if (which < 0) {
        which = static_cast<int>(m_.aggregates.size());
        m_.aggregates.emplace_back();
        m_.aggregates.back().parent = m_.parent[at(i)];
      }
      Aggregate& a = m_.aggregates[at(which)];
      m_.aggregate_of[at(i)] = which;
      m_.aggregate_place[at(i)] = static_cast<int>(a.bodies.size());
      m_.aggregate_column[at(i)] = a.velocities;
      a.column.push_back(a.velocities);
      a.bodies.push_back(i);
      a.velocities += velocity_count(m_.joint_type[at(i)]);
    }
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      Aggregate& a = m_.aggregates[at(m_.aggregate_of[at(first[k])])];
      if (k < m_.loops.size()) {
        a.loops.push_back(static_cast<int>(k));
        a.rows += constraint_count(m_.loops[k].type);
      } else {
        a.couplings.push_back(static_cast<int>(k - m_.loops.size()));
        a.curved = a.curved || !m_.couplings[k - m_.loops.size()].linear();
        ++a.rows;
      }
    }
  }

  // ---- ranks and coordinates
  /// Closes loop after loop, each from where those before are closed: farther than all at once in many cases.
  void close_one_by_one(Closure& closure, const Aggregate& a, double* q) {
    Aggregate part = a;
    part.loops.clear();
    part.rows = static_cast<int>(a.couplings.size());
    for (const int l : a.loops) {
      part.loops.push_back(l);
      part.rows += row_count(m_.loops[at(l)]);
      closure.project(part, q);
    }
  }

  /// The start of Newton's method: where joints stand as the user says (else at zero), or somewhere around.
  std::vector<double> start_of(const Aggregate& a, int start, Random& random) const {
    std::vector<double> q = m_.assembled;
    for (const int i : a.bodies) {
      double x[6];
      for (double& value : x) value = (start < 8 ? 0.1 * start : 3) * random.uniform(-1, 1);
      advance(m_.joint_type[at(i)], &q[at(m_.q_index[at(i)])], x);
    }
    return q;
  }

  /// The aggregate's columns of the joints that the user names as independent.
  std::vector<int> named(const Aggregate& a) const {
    std::vector<int> columns;
    for (const std::string& name : d_.independent) {
      const auto found = joint_.find(name);
      if (found == joint_.end() || m_.aggregate_of[at(found->second)] != static_cast<int>(&a - m_.aggregates.data()))
        continue;
      for (int k = 0; k < velocity_count(m_.joint_type[at(found->second)]); ++k)
        columns.push_back(m_.aggregate_column[at(found->second)] + k);
    }
    return columns;
  }

  /// A closed configuration in which the joints named as independent stand where the user says (else at zero), the
  /// nearest to where all joints are to stand that is found; null: none is.
  std::optional<std::vector<double>> close_held(const Aggregate& a, std::vector<int> held) {
    std::ranges::sort(held);
    std::vector<double> q = m_.assembled;
    if (Assembly(m_).close(a, q.data(), held).end != Assembled::End::closed) return {};
    return q;
  }

  /// Branches are looked for from that many starts: fewer where there are many aggregates, or a large one.
  int starts_of(const Aggregate& a) const {
    const double work = static_cast<double>(a.rows) * a.velocities * a.velocities;
    const double affordable = work_of_starts / (work * static_cast<double>(m_.aggregates.size()));
    return std::max(usual_starts, static_cast<int>(std::min<double>(most_usual_starts, affordable)));
  }

  /// Whether constraints have less there than their branch's rank, or almost: a mechanism that stands there can't move.
  bool loses_rank(Closure& closure, const Aggregate& a, const Branch& branch, const std::vector<double>& q) const {
    const Rank here = rank_at(m_, closure, a, q.data());
    return here.rank < branch.rank.rank || here.margin < least_margin;
  }

  static bool closes(Closure& closure, const Aggregate& a, const std::vector<double>& q) {
    return closure.opening(a, q.data()) <= closed;
  }

  static double largest_error(Closure& closure, const Aggregate& a, const std::vector<double>& q) {
    double worst = 0;
    for (const double e : closure.errors(a, q.data())) keep_worst(worst, std::abs(e));
    return worst;
  }

  /// Freedoms near the configuration that the user gives, else near the first that is found to close; where a model is
  /// found rather than given, near the first that moves. The others tell whether branches differ.
  void count(Aggregate& a) {
    Closure closure(m_);
    Random random(1);
    std::vector<Branch> all;                    // one per rank; the first counts
    std::vector<Branch> lock;                   // the same where constraints lose rank at the first configuration found
    std::vector<double> locked;                 // then: there
    double nearest = INFINITY, off = INFINITY;  // how far open; the same in the constraints' own units
    bool given = false;                         // where it closes
    const auto known = [&](int rank) {
      return std::ranges::any_of(all, [&](const Branch& b) { return b.rank.rank == rank; });
    };
    const auto rigid = [&](const Branch& b) { return b.rank.rank == a.velocities; };
    const int usual = starts_of(a);
    const std::vector<int> held = named(a);
    const auto honoured = held.empty() ? std::nullopt : close_held(a, held);
    FoundRounding found;
    bool looked = a.rounding.any();
    const auto is_rounded = [&] {  // once; then constraints are counted as they are held
      if (looked) return false;
      looked = true;
      Random own(1);
      found = find_rounding(m_, a, [&](int start) { return start_of(a, start, own); });
      off = std::min(off, found.off);
      return found.rounded;
    };
    const auto again = [&] {
      findings_.say_rounded(a, found);
      count(a);
    };
    for (int start = 0; start < (a.constant() ? 1 : most_starts) && (start < usual || all.empty()); ++start) {
      std::vector<double> q = start_of(a, start, random);
      if (start == 0) given = closes(closure, a, m_.assembled);
      if (start == usual_starts && all.empty() && is_rounded()) return again();
      if (start >= usual_starts && all.empty() && start % 2 == 1) close_one_by_one(closure, a, q.data());
      if (start == 0 && honoured) q = *honoured;
      const double error = start == 0 && honoured ? 0 : closure.project(a, q.data());
      if (error < nearest) nearest = error, off = largest_error(closure, a, q);
      if (!(error <= closed)) continue;
      if (start == 0 && given) q = m_.assembled;  // to the digit
      if (all.empty() && may_be_rounding(m_, closure, a, q.data(), error) && is_rounded()) return again();
      if (all.empty()) {
        given = given || (start == 0 && !d_.assembled.empty());
        if (start > 0 && !d_.assembled.empty() && !a.constant())
          findings_.say(Severity::warning, a,
                        "no closed configuration is found from the positions under `assembled`; taken is " +
                            findings_.positions(a, q) + "; say where joints stand when it is closed");
        all = branches_near(m_, closure, a, q);
        if (!given && start + 1 < usual && lock.empty() && loses_rank(closure, a, all.front(), q)) {
          lock.swap(all), locked = std::move(q);
          continue;
        }
        found_ = std::move(q);
      } else if (!known(rank_at(m_, closure, a, q.data()).rank)) {
        for (Branch& other : branches_near(m_, closure, a, q)) {
          if (known(other.rank.rank)) continue;
          all.push_back(std::move(other));
          if (given || !rigid(all.front()) || rigid(all.back())) continue;
          std::swap(all.front(), all.back());
          found_ = q;
        }
      }
    }
    if (all.empty() && !lock.empty())
      all.swap(lock), found_ = std::move(locked);
    else if (!lock.empty())
      findings_.say_lock(a, locked, found_);
    if (all.empty() && is_rounded()) return again();
    if (all.empty()) return findings_.say_cant_close(a, most_starts, off, found);
    if (!held.empty() && !honoured)
      findings_.say(Severity::notice, a,
                    "does not close where the joints named under `independent` stand as the model says, at " +
                        findings_.positions(a, m_.assembled) + "; taken is " + findings_.positions(a, found_) +
                        ": say under `assembled` where they stand when it is closed");
    m_.assembled = std::move(found_);
    a.freedoms = a.velocities - all.front().rank.rank;
    keep_regular(a, all);
    if (all.size() > 1) findings_.say_other_branch(a, all[0], all[1]);
    choose(a, closure, all.front().q, held);
  }

  /// The ranks that hold around where they were found. Where that of the first does not, as of a shaky linkage, it
  /// alone counts.
  void keep_regular(Aggregate& a, std::vector<Branch>& all) {
    const auto no = [&](const Branch& b) { return !regular(m_, a, b); };
    const bool first_alone = a.constant() || a.rounding.nearest || no(all.front());
    if (first_alone && !a.constant() && !a.rounding.nearest && shaky(m_, a, all.front()))
      findings_.say(Severity::notice, a,
                    "is shaky near " + findings_.positions(a, all.front().q) + ": to first order it leaves " +
                        count_of(a.freedoms, "freedom") +
                        ", of which not all go on; accelerations are those that constraints of first order determine");
    if (!first_alone) all.erase(std::remove_if(all.begin() + 1, all.end(), no), all.end());
    for (const Branch& b : all) {
      if (first_alone && &b != &all.front()) break;
      RegularRank& found = a.ranks.emplace_back();
      found.rank = b.rank.rank;
      for (const int i : a.bodies)
        found.q.insert(found.q.end(), b.q.begin() + m_.q_index[at(i)], b.q.begin() + m_.q_index[at(i + 1)]);
    }
    std::ranges::stable_sort(a.ranks, std::greater{}, &RegularRank::rank);
  }

  /// Independent coordinates, at a configuration where they show well.
  void choose(Aggregate& a, Closure& closure, const std::vector<double>& q, const std::vector<int>& fixed) {
    CoordinateMap<double> map(a);
    choose_coordinates(a, fixed, closure.rows(a, q.data()), map);
    if (!map.rank().regular()) {
      findings_.say(Severity::error, a,
                    "leaves " + count_of(a.freedoms, "freedom") +
                        (fixed.empty() ? ", but constraints are too close to losing rank there (smallest pivot " +
                                             number_text(map.pivot, 3) + "); say under `assembled` where joints stand"
                                       : ", and the joints named under `independent` can't be its independent "
                                         "coordinates; name others, or none"));
      return;
    }
    a.chosen_by_user = !fixed.empty();
    for (std::size_t b = 0; b < a.bodies.size(); ++b)
      for (int k = 0; k < velocity_count(m_.joint_type[at(a.bodies[b])]); ++k)
        if (std::count(map.independent.begin(), map.independent.end(), a.column[b] + k) > 0)
          a.independent.push_back(m_.v_index[at(a.bodies[b])] + k);
  }

  void count_freedoms() {
    if (independent_count(m_) == 0)
      findings_.say(
          Severity::error, 0, "model",
          "its loops and couplings leave no freedom, so nothing moves; take a constraint out, or say under `assembled` "
          "where it is closed and moves");
  }

  const Description& d_;
  ModelData& m_;
  LoopFindings findings_;
  std::unordered_map<std::string_view, int> frame_, joint_;
  std::vector<std::vector<int>> nodes_;  ///< over loops, then couplings
  std::vector<int> group_;               ///< union-find over bodies
  std::vector<double> found_;            ///< positions of a closed configuration
};

}  // namespace

void make_aggregates(const Description& description, ModelData& model) { AggregateBuilder(description, model).run(); }

}  // namespace kinetree::inline inner
