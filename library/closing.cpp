// Closing, constraint errors and assembly modes, column by column.
#include <algorithm>
#include <cmath>
#include <kinetree/closing.hpp>
#include <kinetree/configuration.hpp>
#include <limits>
#include <numbers>

#include "engine/joint/advance.hpp"
#include "engine/model/random.hpp"
#include "engine/model/row_words.hpp"
#include "library/loop_tools.hpp"

namespace kinetree {
namespace {

/// The entry of v that is a column of an aggregate.
int entry_of(const ModelData& m, const Aggregate& a, int column) {
  const auto b =
      static_cast<std::size_t>(std::upper_bound(a.column.begin(), a.column.end(), column) - a.column.begin() - 1);
  return m.v_index[at(a.bodies[b])] + column - a.column[b];
}

/// Held coordinates that moved by more than 1e-8, in `contradicting`: the nearest closing of constraints that a file's
/// rounding leaves open asks for no held columns. Returns the largest way.
double moved_though_held(const ModelData& m, Closer& closer, const Aggregate& a, const std::vector<int>& held) {
  double most = 0;
  for (const int column : held) {
    const int v = entry_of(m, a, column), i = body_of_velocity(m, v);
    double way[6]{};
    difference(m.joint_type[at(i)], &closer.before[at(m.q_index[at(i)])], &closer.q[at(m.q_index[at(i)])], way);
    const double moved = std::abs(way[v - m.v_index[at(i)]]);
    if (moved > 1e-8) closer.contradicting.push_back(v);
    most = std::max(most, moved);
  }
  return most;
}

/// Of the state in `closer`, which is that column's.
Status close_state(const LoopTools& tools, Closer& closer, int column) {
  const ModelData& m = tools.model;
  Assembly& assembly = closer.assembly;
  closer.before = closer.q;
  for (std::size_t k = 0; k < m.aggregates.size(); ++k) {
    const Aggregate& a = m.aggregates[k];
    const Assembled end = assembly.close(a, closer.q.data(), tools.held[k]);
    const auto contradict = [&](double by) {
      closer.column = column;
      return Status{StatusCode::not_closed, 0, body_of_velocity(m, closer.contradicting.front()), by, "held"};
    };
    if (end.end == Assembled::End::contradicts) {
      closer.contradicting.clear();
      for (const int c : assembly.contradicting()) closer.contradicting.push_back(entry_of(m, a, c));
      return contradict(end.error);
    }
    if (end.end == Assembled::End::not_reached) return {StatusCode::not_closed, 0, a.bodies.front(), end.error};
    if (!a.rounding.nearest) continue;
    std::vector<int>& list = closer.contradicting;
    const std::size_t earlier = list.size();
    const double moved = moved_though_held(m, closer, a, tools.held[k]);
    if (list.size() == earlier) continue;
    list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(earlier));
    return contradict(moved);
  }
  for (std::size_t k = 0; k < m.aggregates.size(); ++k) {
    const Aggregate& a = m.aggregates[k];
    const double left = assembly.close_velocities(a, closer.q.data(), closer.v.data(), tools.held[k]);
    if (!(left <= 1e-8)) return {StatusCode::not_closed, 0, a.bodies.front(), left, "v"};
  }
  return {};
}

/// Calls work(column, closer) for every column: on this thread, or on the workspace's, each with a closer of its own.
template <class Work>
void each_column(Workspace::Space& s, LoopTools& tools, std::ptrdiff_t columns, Work work) {
  const int threads = columns == 1 ? 1 : std::max(1, s.options.threads);
  auto& closers = tools.closers(threads);
  // now, since which thread meets which column is chance
  for (int t = 0; t < threads; ++t) closers[at(t)]->assembly.prepare(), closers[at(t)]->column = -1;
  auto one = [&](int column, int worker) { work(column, *closers[at(worker)]); };
  if (threads == 1) {
    for (int c = 0; c < columns; ++c) one(c, 0);
    return;
  }
  s.executor->for_columns(static_cast<int>(columns), &one, [](void* context, int column, int worker) {
    (*static_cast<decltype(one)*>(context))(column, worker);
  });
}

template <class T>
Status close_(const Model& model, Workspace& workspace, Columns<T> q, Columns<T> v, const std::span<const int>* held) {
  Workspace::Space& s = workspace.space();
  s.parameters = {};  // no mass plays a part
  const ModelData& m = model.data();
  const std::ptrdiff_t n = q.columns;
  Status whole = &m == &s.model.data()
                     ? fault_of_sizes({argument("q", q, model.nq(), n), argument("v", v, model.nv(), n)})
                     : Status{StatusCode::other_model};
  if (whole.ok() && (columns_overlap(q) || !stands_apart(v, q))) whole.code = StatusCode::shared_memory;
  if (whole.ok() && held != nullptr) whole = fault_of_entries_of_v(m, *held, "held");
  if (!whole.ok() || n == 0) return said(s, whole);
  LoopTools& tools = loop_tools(s);
  tools.told = nullptr;
  if (held != nullptr)
    columns_of(m, *held, tools.held);
  else
    tools.held = tools.models;
  s.statuses.begin(n);
  each_column(s, tools, n, [&](int c, Closer& closer) {
    in_double(q, c, closer.q);
    in_double(v, c, closer.v);
    Status status = fault_of_positions(s, closer.q.data());
    if (status.ok()) status = fault_of_entries(m, closer.v.data(), m.v_index, "v");
    if (status.ok()) status = close_state(tools, closer, c);
    if (!status.ok()) return s.statuses.fail(c, status);
    for (std::size_t k = 0; k < closer.q.size(); ++k)
      q.data[c * q.stride + static_cast<std::ptrdiff_t>(k)] = static_cast<T>(closer.q[k]);
    for (std::size_t k = 0; k < closer.v.size(); ++k)
      v.data[c * v.stride + static_cast<std::ptrdiff_t>(k)] = static_cast<T>(closer.v[k]);
  });
  for (const std::unique_ptr<Closer>& closer : tools.closers(1))
    if (closer->column > (tools.told == nullptr ? -1 : tools.told->column)) tools.told = closer.get();
  return s.statuses.first_failed();
}

/// Errors, and rates where they are asked for, of the state in `tools`.
template <class T>
void write_errors(LoopTools& tools, T* errors, T* rates) {
  const ModelData& m = tools.model;
  Closure& closure = tools.assembly().closure();
  for (const Aggregate& a : m.aggregates) {
    const auto each_row = [&](auto&& use) {  // use(row of the aggregate, row of all)
      int row = 0;
      for (const int l : a.loops)
        for (int r = tools.first_row[at(l)]; r < tools.first_row[at(l) + 1]; ++r) use(row++, r);
      for (const int c : a.couplings) use(row++, tools.first_row[m.loops.size() + at(c)]);
    };
    const std::vector<double>& e = closure.errors(a, tools.q.data());
    each_row([&](int row, int of_all) { errors[of_all] = static_cast<T>(e[at(row)]); });
    if (rates == nullptr) continue;
    const ConstraintRows<double>& rows = closure.rows(a, tools.q.data());
    each_row([&](int row, int of_all) {
      double sum = 0;
      for (std::size_t b = 0; b < a.bodies.size(); ++b)
        for (int k = 0; k < velocity_count(m.joint_type[at(a.bodies[b])]); ++k)
          sum += rows.K[at(row * a.velocities + a.column[b] + k)] * tools.v[at(m.v_index[at(a.bodies[b])] + k)];
      rates[of_all] = static_cast<T>(sum);
    });
  }
}

template <class T>
Status constraint_errors_(const Model& model, Workspace& workspace, Columns<const T> q, Columns<const T> v,
                          Columns<T> errors, Columns<T> rates) {
  Workspace::Space& s = workspace.space();
  s.parameters = {};
  const ModelData& m = model.data();
  if (&m != &s.model.data()) return said(s, {StatusCode::other_model});
  LoopTools& tools = loop_tools(s);
  const std::ptrdiff_t n = q.columns, rows = tools.rows();
  Status whole = fault_of_sizes({argument("q", q, model.nq(), n), optional_argument("v", v, model.nv(), n),
                                 argument("errors", errors, rows, n), optional_argument("rates", rates, rows, n)});
  if (whole.ok() && (!stands_apart(errors, q, v, rates) || !stands_apart(rates, q, v)))
    whole.code = StatusCode::shared_memory;
  if (!whole.ok() || n == 0) return said(s, whole);
  s.statuses.begin(n);
  for (std::ptrdiff_t c = 0; c < n; ++c) {
    T* const e = errors.data + c * errors.stride;
    T* const e_rates = rates.data == nullptr ? nullptr : rates.data + c * rates.stride;
    in_double(q, c, tools.q);
    in_double(v, c, tools.v);
    Status status = fault_of_positions(s, tools.q.data());
    if (status.ok() && v.data != nullptr) status = fault_of_entries(m, tools.v.data(), m.v_index, "v");
    if (status.ok()) {
      write_errors(tools, e, e_rates);
      continue;
    }
    s.statuses.fail(static_cast<int>(c), status);
    for (T* list : {e, e_rates})
      if (list != nullptr) std::fill_n(list, rows, std::numeric_limits<T>::quiet_NaN());
  }
  return s.statuses.first_failed();
}

/// Whether two configurations differ by more than whole turns of joints that turn.
bool differ(const ModelData& m, const std::vector<double>& one, const std::vector<double>& other) {
  using std::numbers::pi;
  for (std::size_t i = 0; i < m.parent.size(); ++i) {
    double way[6]{};
    difference(m.joint_type[i], &one[at(m.q_index[i])], &other[at(m.q_index[i])], way);
    for (int k = 0; k < velocity_count(m.joint_type[i]); ++k) {
      const bool turns = !slides(m.joint_type[i], k) && facts_of(m.joint_type[i]).whole_turns;
      if (std::abs(turns ? std::remainder(way[k], 2 * pi) : way[k]) > 1e-6) return true;
    }
  }
  return false;
}

/// Takes whole turns that lead away from `from` out of q: of joints that turn and are in no coupling, which would count
/// them.
void turn_back(const ModelData& m, const Aggregate& a, const double* from, double* q) {
  using std::numbers::pi;
  for (const int i : a.bodies) {
    const JointType type = m.joint_type[at(i)];
    const auto has = [i](const auto& term) { return term.first == i; };
    if (!facts_of(type).whole_turns || quaternion_at(type) >= 0 ||
        std::ranges::any_of(a.couplings, [&](int c) { return std::ranges::any_of(m.couplings[at(c)].terms, has); }))
      continue;
    for (int k = 0; k < velocity_count(type); ++k) {
      const int n = m.q_index[at(i)] + k;
      if (!slides(type, k)) q[n] -= 2 * pi * std::round((q[n] - from[n]) / (2 * pi));
    }
  }
}

}  // namespace

std::span<const int> contradicting(Workspace& workspace) {
  const Closer* const told = loop_tools(workspace.space()).told;
  return told == nullptr ? std::span<const int>{} : told->contradicting;
}

std::vector<ConstraintRow> constraint_rows(const Model& model) {
  const ModelData& m = model.data();
  const std::vector<int> first = LoopTools(m).first_row;
  std::vector<ConstraintRow> rows;
  for (const Loop& loop : m.loops) {
    const std::array<RowKind, 6> kinds = row_kinds(loop.type);
    for (int r = 0; r < row_count(loop); ++r) {
      if (!loop.rounded) {
        rows.push_back({loop.name, false, words_of(kinds[at(r)]), is_length(kinds[at(r)])});
        continue;
      }
      const HeldRow& held = loop.held[at(r)];  // one of its rows, or several mixed
      const auto is_zero = [](double x) { return x == 0; };
      const bool one = std::count_if(held.of.begin(), held.of.end(), is_zero) == 5;
      const auto which =
          static_cast<std::size_t>(std::find_if_not(held.of.begin(), held.of.end(), is_zero) - held.of.begin());
      rows.push_back({loop.name, false, one ? words_of(kinds[which]) : "a combination of its rows", held.length});
    }
  }
  for (std::size_t c = 0; c < m.couplings.size(); ++c)
    if (first[m.loops.size() + c] < first[m.loops.size() + c + 1])
      rows.push_back(
          {m.couplings[c].name, true, "its sum", slides(m.joint_type[at(m.couplings[c].terms[0].first)], 0)});
  return rows;
}

namespace boundary {

std::vector<int> velocities_of(const Model& model, std::span<const std::string_view> joints) {
  std::vector<int> list;
  for (const std::string_view joint : joints) {
    const int body = model.body_of_joint(joint);
    for (int k = 0; k < velocity_count(model.joint_type(body)); ++k) list.push_back(model.v_index(body) + k);
  }
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

std::vector<std::vector<double>> assembly_modes(const Model& model, std::span<const double> q,
                                                std::span<const int> held, int most, int starts) {
  const ModelData& m = model.data();
  LoopTools tools(m);
  if (q.size() != tools.q.size()) throw std::invalid_argument("assembly_modes: q has another size than the model's");
  columns_of(m, held, tools.held);
  Assembly& assembly = tools.assembly();
  std::vector<std::vector<double>> modes;
  Random random(1);
  for (int start = 0; start <= starts && static_cast<int>(modes.size()) < most; ++start) {
    std::vector<double> found(q.begin(), q.end());
    bool closes = true;
    for (std::size_t k = 0; closes && k < m.aggregates.size(); ++k) {
      const Aggregate& a = m.aggregates[k];
      for (std::size_t b = 0; start > 0 && b < a.bodies.size(); ++b) {
        const auto i = at(a.bodies[b]);
        double x[6]{};
        for (int n = 0; n < velocity_count(m.joint_type[i]); ++n) {
          x[n] = std::numbers::pi * random.uniform(-1, 1) * (slides(m.joint_type[i], n) ? assembly.lever(a) : 1);
          if (std::binary_search(tools.held[k].begin(), tools.held[k].end(), a.column[b] + n)) x[n] = 0;
        }
        advance(m.joint_type[i], &found[at(m.q_index[i])], x);
      }
      const Assembled end = start == 0 ? assembly.close(a, found.data(), tools.held[k])
                                       : assembly.close_near(a, found.data(), tools.held[k]);
      closes = end.end == Assembled::End::closed;
    }
    for (std::size_t k = 0; closes && k < m.aggregates.size(); ++k)
      turn_back(m, m.aggregates[k], q.data(), found.data());
    const auto same = [&](const std::vector<double>& mode) { return !differ(m, mode, found); };
    if (closes && std::ranges::none_of(modes, same)) modes.push_back(std::move(found));
  }
  return modes;
}

#define KINETREE_CLOSING(T)                                                                                  \
  Status close(const Model& model, Workspace& workspace, Columns<T> q, Columns<T> v,                         \
               const std::span<const int>* held) {                                                           \
    return close_(model, workspace, q, v, held);                                                             \
  }                                                                                                          \
  Status constraint_errors(const Model& model, Workspace& workspace, Columns<const T> q, Columns<const T> v, \
                           Columns<T> errors, Columns<T> rates) {                                            \
    return constraint_errors_(model, workspace, q, v, errors, rates);                                        \
  }
KINETREE_CLOSING(double)
KINETREE_CLOSING(float)
#undef KINETREE_CLOSING

}  // namespace boundary

}  // namespace kinetree
