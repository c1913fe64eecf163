// The free functions, all by one call: the row of the table says what is checked, solved and written.
#include <algorithm>
#include <iterator>
#include <kinetree/function.hpp>
#include <kinetree/workspace.hpp>
#include <optional>
#include <vector>

#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "library/argument.hpp"
#include "library/function_call.hpp"
#include "library/function_table.hpp"

namespace kinetree {
namespace {

template <class T>
class Evaluation {
 public:
  Evaluation(const FunctionRow& row, const Model& model, Workspace::Space& space,
             const boundary::Arguments<T>& arguments)
      : row_(row), model_(model), space_(space), given_(arguments) {
    const ModelData& m = model.data();
    columns_ = row.columns.of(m, given_.points.size(), given_.coordinates);
    states_ = columns_ == 1 ? given_.results[0].columns : given_.q.columns;
    for (int k = 0; k < most_results && row.results[k].name != nullptr; ++k)
      rows_ += height_[k] = row.results[k].rows.of(m, given_.points.size(), given_.coordinates);
  }

  Status run() {
    if (const Status whole = fault(); !whole.ok() || states_ == 0) return said(space_, whole);
    const Columns<T>& first = given_.results[0];
    if (writes_in_place()) return solve(first.data, columns_ == 1 ? first.stride : rows_ * columns_);
    std::vector<T>& own = functions<T>(space_).results;
    const std::ptrdiff_t apart = rows_ * columns_;
    own.resize(std::max(own.size(), static_cast<std::size_t>(apart * states_)));
    const Status status = solve(own.data(), apart);
    if (!row_.several())
      write_column_by_column(own.data());
    else
      row_.points ? write_point_by_point(own.data()) : write_one_by_one(own.data());
    return status;
  }

 private:
  static constexpr int most_results = static_cast<int>(std::size(decltype(FunctionRow::results){}));

  /// Whether the solver's numbers lie in the caller's memory as they come.
  bool writes_in_place() const {
    return !row_.several() && (columns_ == 1 || given_.results[0].stride == given_.results[0].rows);
  }

  /// What is wrong with the call as a whole.
  Status fault() const {
    if (&model_.data() != &space_.model.data()) return {StatusCode::other_model};
    const std::ptrdiff_t nv = model_.nv();
    const auto input = [&](Reads reads, const char* name, const Columns<const T>& x, std::ptrdiff_t rows) {
      if (reads == Reads::must) return argument(name, x, rows, states_);
      return reads == Reads::may ? optional_argument(name, x, rows, states_) : argument(name, x, 0, 0);
    };
    const auto output = [&](int k) {
      const char* const name = row_.results[k].name;
      return argument(name, given_.results[k], height_[k], name == nullptr ? 0 : columns_ * states_);
    };
    const Status sizes =
        fault_of_sizes(argument("q", given_.q, model_.nq(), states_), input(row_.v, "v", given_.v, nv),
                       input(row_.a, "a", given_.a, nv), input(row_.tau, "tau", given_.tau, nv),
                       input(row_.f_ext, "f_ext", given_.f_ext, 6 * std::ptrdiff_t{model_.body_count()}), output(0),
                       output(1), output(2));
    if (!sizes.ok()) return sizes;
    for (int k = 0; k < most_results && row_.results[k].name != nullptr; ++k) {
      bool apart = stands_apart(given_.results[k], given_.q, given_.v, given_.a, given_.tau, given_.f_ext);
      for (int j = 0; j < k; ++j) apart = apart && stands_apart(given_.results[k], given_.results[j]);
      if (!apart) return {StatusCode::shared_memory};
    }
    if (row_.constant_maps)
      for (const Aggregate& a : model_.data().aggregates)
        if (!a.constant()) return {StatusCode::state_dependent_loop, 0, a.bodies.front(), 0};
    return row_.points ? fault_of_points(model_.data(), given_.points) : Status{};
  }

  /// `apart`: how far results of states are from each other. Every member of the call is named: those left out would be
  /// filled with zeros as a block, which took a fifth of a call on one body.
  Status solve(T* result, std::ptrdiff_t apart) {
    std::optional<Batch<T>>& batch =
        functions<T>(space_)
            .batch[static_cast<std::size_t>(row_.function)][static_cast<std::size_t>(given_.coordinates)];
    if (!batch) {
      Method method;
      method.function = row_.function, method.coordinates = given_.coordinates;
      BatchOptions options = space_.options;
      if (row_.one_by_one && has_aggregates(model_.data())) options.lanes = 1;
      batch.emplace(&make_function_lane_solver<T>, space_.model, method, options);
    }
    batch->ask(given_.points, given_.axes);
    space_.statuses.begin(states_);
    FunctionCall<T> call{.q = given_.q,
                         .v = given_.v,
                         .a = given_.a,
                         .f = given_.f_ext,
                         .tau = given_.tau,
                         .result = result,
                         .apart = apart,
                         .model = &space_.model.data(),
                         .quaternions = &space_.quaternions,
                         .statuses = &space_.statuses};
    batch->solve(static_cast<int>(states_), call.f.data != nullptr, call, *space_.executor);
    return space_.statuses.first_failed();
  }

  /// One result, whose columns the caller has apart from each other.
  void write_column_by_column(const T* from) const {
    const Columns<T>& result = given_.results[0];
    for (std::ptrdiff_t c = 0; c < result.columns; ++c, from += rows_)
      std::copy_n(from, rows_, result.data + c * result.stride);
  }

  /// Several results, of which the solver gives all rows of a point together.
  void write_point_by_point(const T* from) const {
    const auto points = static_cast<std::ptrdiff_t>(given_.points.size());
    for (std::ptrdiff_t c = 0; c < states_; ++c)
      for (std::ptrdiff_t p = 0; p < points; ++p)
        for (int k = 0; k < most_results; ++k) {
          const std::ptrdiff_t rows = height_[k] / points;
          if (rows > 0) std::copy_n(from, rows, given_.results[k].data + c * given_.results[k].stride + p * rows);
          from += rows;
        }
  }

  /// Several matrices, of which the solver gives one after the other, column by column.
  void write_one_by_one(const T* from) const {
    for (std::ptrdiff_t s = 0; s < states_; ++s)
      for (int k = 0; k < most_results; ++k)
        for (std::ptrdiff_t c = s * columns_; c < (s + 1) * columns_ && height_[k] > 0; ++c, from += height_[k])
          std::copy_n(from, height_[k], given_.results[k].data + c * given_.results[k].stride);
  }

  const FunctionRow& row_;
  const Model& model_;
  Workspace::Space& space_;
  const boundary::Arguments<T>& given_;
  std::ptrdiff_t states_ = 0;
  std::ptrdiff_t columns_ = 0, rows_ = 0;  ///< of a state's results, all below each other
  std::ptrdiff_t height_[most_results]{};  ///< rows of each result
};

}  // namespace

namespace boundary {

Status evaluate(Function function, const Model& model, Workspace& workspace, const Arguments<double>& arguments) {
  return Evaluation<double>(row_of(function), model, workspace.space(), arguments).run();
}
Status evaluate(Function function, const Model& model, Workspace& workspace, const Arguments<float>& arguments) {
  return Evaluation<float>(row_of(function), model, workspace.space(), arguments).run();
}

}  // namespace boundary

}  // namespace kinetree
