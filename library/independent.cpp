// Independent coordinates, column by column: X_S here, inverse dynamics by its row of the table.
#include <algorithm>
#include <kinetree/function.hpp>
#include <kinetree/independent.hpp>
#include <limits>
#include <utility>

#include "library/loop_tools.hpp"

namespace kinetree {
namespace {

using boundary::OfIndependent;

template <class T>
class IndependentCall {
 public:
  IndependentCall(OfIndependent function, const Model& model, Workspace& workspace,
                  const boundary::IndependentAsked<T>& asked)
      : function_(function),
        model_(model),
        m_(model.data()),
        workspace_(workspace),
        s_(workspace.space()),
        x_(asked),
        n_(asked.q.columns),
        freedoms_(independent_count(m_)) {}

  Status run() {
    const Status whole = fault();
    if (!whole.ok() || n_ == 0) return said(s_, whole);
    LoopTools& tools = loop_tools(s_);
    columns_of(m_, x_.independent, tools.held);
    if (function_ >= OfIndependent::inverse_dynamics) {
      if (const Status refused = find_joint_forces(tools); refused.code == StatusCode::other_model) return refused;
    } else {
      s_.statuses.begin(n_);
    }
    for (std::ptrdiff_t c = 0; c < n_; ++c) {
      const Status status =
          drifts() && tools.has_entries[static_cast<std::size_t>(c)] ? Status{} : find(tools, c, x_.v);
      if (status.ok() && s_.statuses.span()[static_cast<std::size_t>(c)].ok()) {
        write(tools, c);
        continue;
      }
      if (!status.ok()) s_.statuses.fail(static_cast<int>(c), status);
      for (std::ptrdiff_t k = 0; k < columns(); ++k)
        std::fill_n(out(c * columns() + k), x_.result.rows, std::numeric_limits<T>::quiet_NaN());
    }
    return s_.statuses.first_failed();
  }

 private:
  T* out(std::ptrdiff_t column) const { return x_.result.data + column * x_.result.stride; }
  std::ptrdiff_t columns() const {
    return function_ == OfIndependent::matrix || function_ == OfIndependent::mass_matrix ? freedoms_ : 1;
  }

  Status fault() {
    parameters_ = std::exchange(s_.parameters, {});
    if (&m_ != &s_.model.data()) return {StatusCode::other_model};
    const std::ptrdiff_t nv = model_.nv();
    const auto reads = [this](std::initializer_list<OfIndependent> list) {
      return std::find(list.begin(), list.end(), function_) != list.end();
    };
    const auto input = [&](const char* name, const Columns<const T>& c, bool read, std::ptrdiff_t rows) {
      return read ? argument(name, c, rows, n_) : argument(name, c, 0, 0);
    };
    using enum OfIndependent;
    const bool by_x = reads({forces, velocities, accelerations, inverse_dynamics});
    const bool from_all = reads({forces, inverse_dynamics}), to_all = reads({velocities, accelerations, matrix});
    const char* const x = function_ == forces ? "tau" : function_ == velocities ? "v_R" : from_all ? "a" : "a_R";
    const Status sizes =
        fault_of_sizes({argument("q", x_.q, model_.nq(), n_),
                        input("v", x_.v, reads({accelerations, inverse_dynamics, bias_forces, coriolis_forces}), nv),
                        input(x, x_.x, by_x, from_all ? nv : freedoms_),
                        optional_argument("f_ext", x_.f_ext, 6 * std::ptrdiff_t{model_.body_count()}, n_),
                        argument("result", x_.result, to_all ? nv : freedoms_, columns() * n_)});
    if (!sizes.ok()) return sizes;
    if (const Status status = parameters_.fault<T>(s_.own(), n_); !status.ok()) return status;
    if (!stands_apart(x_.result, x_.q, x_.v, x_.x, x_.f_ext) ||
        (parameters_.given && !stands_apart(x_.result, parameters_.in<T>())))
      return {StatusCode::shared_memory};
    return fault_of_choice(loop_tools(s_), x_.independent, "independent");
  }

  /// X_S of a column, and its rate where v is given.
  Status find(LoopTools& tools, std::ptrdiff_t c, const Columns<const T>& v_given) {
    const double *q = in_double(x_.q, c, tools.q), *v = in_double(v_given, c, tools.v);
    Status status = fault_of_positions(s_, q);
    if (status.ok()) status = tools.take(at_column(parameters_.in<T>(), static_cast<int>(c)));
    if (status.ok()) status = fault_of_entries(m_, v, m_.v_index, "v");
    if (status.ok() && x_.x.data != nullptr && x_.x.rows == model_.nv())
      status = fault_of_entries(m_, x_.x.data + c * x_.x.stride, m_.v_index,
                                function_ == OfIndependent::forces ? "tau" : "a");
    if (status.ok() && x_.x.data != nullptr && x_.x.rows != model_.nv())
      status = fault_of_finite(x_.x.data + c * x_.x.stride, static_cast<int>(x_.x.rows), -1,
                               function_ == OfIndependent::velocities ? "v_R" : "a_R");
    return status.ok() ? tools.independent().find(q, v, tools.held) : status;
  }

  void write(LoopTools& tools, std::ptrdiff_t c) {
    const IndependentMap& map = tools.independent();
    const int nv = model_.nv();
    switch (function_) {
      case OfIndependent::matrix:
        for (std::ptrdiff_t k = 0; k < freedoms_; ++k) std::fill_n(out(c * freedoms_ + k), nv, T(0));
        for (int v = 0; v < nv; ++v)
          map.row(v, [&](int r, double entry) { out(c * freedoms_ + r)[v] = static_cast<T>(entry); });
        return;
      case OfIndependent::velocities:
      case OfIndependent::accelerations:
        for (int v = 0; v < nv; ++v) {
          double sum = function_ == OfIndependent::accelerations ? map.rate(v) : 0;
          const T* x = x_.x.data + c * x_.x.stride;
          map.row(v, [&](int r, double entry) { sum += entry * static_cast<double>(x[r]); });
          out(c)[v] = static_cast<T>(sum);
        }
        return;
      case OfIndependent::mass_matrix: {
        const std::vector<double>& H = tools.mass().find(map);
        for (std::ptrdiff_t k = 0; k < freedoms_; ++k)
          for (std::ptrdiff_t r = 0; r < freedoms_; ++r)
            out(c * freedoms_ + k)[r] = static_cast<T>(H[static_cast<std::size_t>(k * freedoms_ + r)]);
        return;
      }
      default: {
        const T* tau = function_ == OfIndependent::forces ? x_.x.data + c * x_.x.stride : joint_forces(tools, c);
        const T* less = function_ == OfIndependent::coriolis_forces ? weights(tools, c) : nullptr;
        const double* X = drifts() ? &tools.entries[static_cast<std::size_t>(c) * entries(map)] : nullptr;
        std::vector<double>& sum = tools.a;
        std::fill(sum.begin(), sum.end(), 0);
        for (int v = 0; v < nv; ++v) {
          const double force = static_cast<double>(tau[v]) - (less != nullptr ? static_cast<double>(less[v]) : 0);
          if (drifts())  // places are those of every column
            map.row(v, [&](int r, double) { sum[at(r)] += *X++ * force; });
          else
            map.row(v, [&](int r, double entry) { sum[at(r)] += entry * force; });
        }
        for (std::ptrdiff_t r = 0; r < freedoms_; ++r) out(c)[r] = static_cast<T>(sum[static_cast<std::size_t>(r)]);
      }
    }
  }

  // Joint forces of the spanning tree on the way: accelerations, forces, weights of all columns.
  std::vector<T>& buffer(LoopTools& tools) { return of_scalar<T>(tools.on_the_way, tools.on_the_way_in_float); }
  T* part(LoopTools& tools, std::ptrdiff_t which, std::ptrdiff_t c) {
    return buffer(tools).data() + (which * n_ + c) * model_.nv();
  }
  const T* joint_forces(LoopTools& tools, std::ptrdiff_t c) { return part(tools, 1, c); }
  const T* weights(LoopTools& tools, std::ptrdiff_t c) { return part(tools, 2, c); }

  /// Whether accelerations of joints are needed on the way, and with them X_S before joint forces are known.
  bool drifts() const { return function_ == OfIndependent::bias_forces || function_ == OfIndependent::coriolis_forces; }
  std::size_t entries(const IndependentMap& map) const {
    std::size_t count = 0;
    for (int v = 0; v < model_.nv(); ++v) map.row(v, [&](int, double) { ++count; });
    return count;
  }
  void find_drifts(LoopTools& tools) {
    tools.has_entries.assign(static_cast<std::size_t>(n_), false);
    const IndependentMap& map = tools.independent();
    for (std::ptrdiff_t c = 0; c < n_; ++c) {
      const bool found = find(tools, c, x_.v).ok();  // where not, told later
      for (int v = 0; v < model_.nv(); ++v) part(tools, 0, c)[v] = found ? static_cast<T>(map.rate(v)) : T(0);
      if (!found) continue;
      tools.has_entries[static_cast<std::size_t>(c)] = true;
      const std::size_t count = entries(map);
      if (tools.entries.size() < count * static_cast<std::size_t>(n_))
        tools.entries.resize(count * static_cast<std::size_t>(n_));
      double* X = &tools.entries[static_cast<std::size_t>(c) * count];
      for (int v = 0; v < model_.nv(); ++v) map.row(v, [&](int, double entry) { *X++ = entry; });
    }
  }

  Status find_joint_forces(LoopTools& tools) {
    const std::ptrdiff_t nv = model_.nv();
    const auto size = static_cast<std::size_t>(3 * nv * n_);
    if (buffer(tools).size() < size) buffer(tools).resize(size);
    if (drifts()) find_drifts(tools);
    boundary::Arguments<T> arguments{.q = x_.q, .v = x_.v, .results = {{part(tools, 1, 0), nv, n_, nv}}};
    if (function_ == OfIndependent::inverse_dynamics) arguments.a = x_.x, arguments.f_ext = x_.f_ext;
    if (drifts()) arguments.a = {part(tools, 0, 0), nv, n_, nv};
    if (function_ == OfIndependent::coriolis_forces) {
      boundary::Arguments<T> rest{.q = x_.q, .results = {{part(tools, 2, 0), nv, n_, nv}}};
      s_.parameters = parameters_;
      static_cast<void>(boundary::evaluate(boundary::Function::inverse_dynamics, model_, workspace_, rest));
    }
    s_.parameters = parameters_;
    return boundary::evaluate(boundary::Function::inverse_dynamics, model_, workspace_, arguments);
  }

  OfIndependent function_;
  const Model& model_;
  const ModelData& m_;
  Workspace& workspace_;
  Workspace::Space& s_;
  const boundary::IndependentAsked<T>& x_;
  std::ptrdiff_t n_, freedoms_;
  Parameters parameters_;
};

}  // namespace

namespace boundary {

Status evaluate(OfIndependent function, const Model& model, Workspace& workspace,
                const IndependentAsked<double>& asked) {
  return IndependentCall<double>(function, model, workspace, asked).run();
}
Status evaluate(OfIndependent function, const Model& model, Workspace& workspace,
                const IndependentAsked<float>& asked) {
  return IndependentCall<float>(function, model, workspace, asked).run();
}

}  // namespace boundary

}  // namespace kinetree
