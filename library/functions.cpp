// The free functions, all by one call: the row of the table says what is checked, solved and written.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <kinetree/function.hpp>
#include <kinetree/workspace.hpp>
#include <limits>
#include <optional>
#include <utility>
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
      : row_(row),
        model_(model),
        space_(space),
        given_(arguments),
        product_(arguments.product == nullptr ? none : *arguments.product) {
    const ModelData& m = model.data();
    counts_ = {given_.points.size(), row.columns.of_path ? moving() : 0};
    columns_ = row.columns.of(m, counts_, given_.coordinates);
    states_ = columns_ == 1 && !row.is_product() ? given_.results[0].columns : given_.q.columns;
    if (row.is_product()) columns_ = states_ == 0 ? 0 : product_.directions[0].columns / states_;
    for (int k = 0; k < most_results && row.results[k].name != nullptr; ++k)
      rows_ += height_[k] = rows_of(row.results[k].rows);
    for (int k = 0; k < most_results && row.directions[k].name != nullptr; ++k)
      one_ += depth_[k] = rows_of(row.directions[k].rows);
  }

  Status run() {
    parameters_ = std::exchange(space_.parameters, {});
    if (const Status whole = fault(); !whole.ok() || states_ == 0) return said(space_, whole);
    if (row_.is_product()) return take_products();
    const Columns<T>& result = given_.results[0];
    if (writes_in_place()) {
      begin().solve(result.data, columns_ == 1 ? result.stride : rows_ * columns_, {0, states_});
      return space_.statuses.first_failed();
    }
    // some states at a time, so that the caller gets their results from the nearest caches; but kept numbers belong to
    // packs that are counted from the first state
    const std::ptrdiff_t apart = rows_ * columns_, room = std::max(near_numbers, lanes() * apart),
                         turn = space_.options.threads > 1 || apart == 0 || parameters_.kept_numbers<T>() != nullptr
                                    ? states_
                                    : room / apart / lanes() * lanes();
    std::vector<T>& own = functions<T>(space_).results;
    const std::ptrdiff_t most = turn < states_ ? std::min(room + apart, apart * states_) : apart * states_;
    own.resize(std::max(own.size(), static_cast<std::size_t>(most)));
    Solving solving = begin();
    for (Turn some{0, 0}; some.first < states_; some.first += some.count) {
      const std::ptrdiff_t left = states_ - some.first;
      some.count = left == turn + 1 ? left : std::min(turn, left);  // none alone at the end: lanes round otherwise
      solving.solve(own.data(), apart, some);
      if (!row_.several())
        write_column_by_column(own.data(), some);
      else
        row_.points ? write_point_by_point(own.data(), some) : write_one_by_one(own.data(), some);
    }
    return space_.statuses.first_failed();
  }

 private:
  /// States that are solved by one go.
  struct Turn {
    std::ptrdiff_t first, count;
  };
  static constexpr std::ptrdiff_t near_numbers =
      65536 / sizeof(T);  ///< that a core's own caches hold beside a solver's
  /// States side by side.
  std::ptrdiff_t lanes() const {
    return space_.options.lanes <= 1 ? 1 : space_.options.lanes * (std::is_same_v<T, float> ? 2 : 1);
  }

  static constexpr boundary::ProductArguments<T> none{};  ///< of calls that are no products
  static constexpr int most_results = static_cast<int>(std::size(decltype(FunctionRow::results){}));

  /// Velocities that move the call's points; of links that there are not, none: fault_of_points refuses those.
  std::size_t moving() const {
    std::size_t all = 0;
    for (std::size_t k = 0; k < given_.points.size(); ++k)
      if (const auto link = static_cast<std::size_t>(given_.points[k].link); link < space_.path_lengths.size())
        all += static_cast<std::size_t>(space_.path_lengths[link]);
    return all;
  }
  /// Of an argument or result, in this call.
  std::ptrdiff_t rows_of(const Extent& extent) const {
    const std::ptrdiff_t rows = extent.of(model_.data(), counts_, given_.coordinates);
    return product_.linear && extent.of_point > 0 ? rows / 2 : rows;
  }
  /// Whether the solver's numbers lie in the caller's memory as they come.
  bool writes_in_place() const {
    return !row_.several() && (columns_ == 1 || given_.results[0].stride == given_.results[0].rows);
  }

  /// A call without directions has no columns, and asks for nothing.
  Status fault_of_directions() const {
    const std::ptrdiff_t all =
        product_.directions[0].columns == 0 ? 0 : std::max<std::ptrdiff_t>(columns_, states_ == 0 ? 0 : 1) * states_;
    const auto direction = [&](int k) {
      const char* const name = row_.directions[k].name;
      return argument(name, product_.directions[k], depth_[k], name == nullptr ? 0 : all);
    };
    return fault_of_sizes(direction(0), direction(1), direction(2));
  }

  /// What is wrong with the call as a whole.
  Status fault() const {
    if (&model_.data() != &space_.model.data()) return {StatusCode::other_model};
    if (row_.points)  // before sizes, which may depend on them
      if (const Status status = fault_of_points(model_.data(), given_.points); !status.ok()) return status;
    const std::ptrdiff_t nv = model_.nv();
    const auto input = [&](Reads reads, const char* name, const Columns<const T>& x, std::ptrdiff_t rows) {
      if (reads == Reads::must) return argument(name, x, rows, states_);
      return reads == Reads::may ? optional_argument(name, x, rows, states_) : argument(name, x, 0, 0);
    };
    const auto output = [&](int k) {
      const char* const name = row_.results[k].name;
      return argument(name, given_.results[k], height_[k], name == nullptr ? 0 : columns_ * states_);
    };
    if (row_.is_product())
      if (const Status status = fault_of_directions(); !status.ok()) return status;
    const Status sizes =
        fault_of_sizes(argument("q", given_.q, model_.nq(), states_), input(row_.v, "v", given_.v, nv),
                       input(row_.a, "a", given_.a, nv), input(row_.tau, "tau", given_.tau, nv),
                       input(row_.f_ext, "f_ext", given_.f_ext, 6 * std::ptrdiff_t{model_.body_count()}), output(0),
                       output(1), output(2));
    if (!sizes.ok()) return sizes;
    if (const Status status = parameters_.fault<T>(space_.own(), states_); !status.ok()) return status;
    for (int k = 0; k < most_results && row_.results[k].name != nullptr; ++k) {
      const auto& [first, second, third] = product_.directions;
      bool apart = stands_apart(given_.results[k], given_.q, given_.v, given_.a, given_.tau, given_.f_ext);
      if (parameters_.given) apart = apart && stands_apart(given_.results[k], parameters_.in<T>());
      if (row_.is_product()) apart = apart && stands_apart(given_.results[k], first, second, third);
      for (int j = 0; j < k; ++j) apart = apart && stands_apart(given_.results[k], given_.results[j]);
      if (!apart) return {StatusCode::shared_memory};
    }
    if (!std::isfinite(product_.damping)) return {StatusCode::not_finite, 0, -1, product_.damping, "damping"};
    if (row_.constant_maps)
      for (const Aggregate& a : model_.data().aggregates)
        if (!a.constant()) return {StatusCode::state_dependent_loop, 0, a.bodies.front(), 0};
    return {};
  }

  /// Directions are taken from the caller's columns, and results written to them, one after another: both are few
  /// beside what a sweep reads. The directions of one state are shared out among the lanes of a pack, which then all
  /// hold this state.
  Status take_products() {
    if (columns_ == 0) return space_.statuses.begin(states_), Status{};
    const std::ptrdiff_t per_share = states_ == 1 ? (columns_ + lanes() - 1) / lanes() : columns_;
    const int shares = states_ == 1 ? static_cast<int>((columns_ + per_share - 1) / per_share) : 1;
    const std::ptrdiff_t all = states_ * shares * per_share;
    std::vector<T>&in = functions<T>(space_).directions, &own = functions<T>(space_).results;
    in.resize(std::max(in.size(), static_cast<std::size_t>(all * one_)));
    own.resize(std::max(own.size(), static_cast<std::size_t>(all * rows_)));
    T* to = in.data();
    for (std::ptrdiff_t d = 0; d < states_ * columns_; ++d)
      for (int k = 0; k < most_results; ++k)
        if (depth_[k] > 0)
          to = std::copy_n(product_.directions[k].data + d * product_.directions[k].stride, depth_[k], to);
    std::fill(to, in.data() + all * one_, T(0));  // of shares that are not full
    const Directions<T> directions{row_, in.data(), one_, static_cast<int>(per_share), shares};
    begin(&directions).solve(own.data(), per_share * rows_, {0, states_ * shares});
    const Status status = space_.statuses.first_failed();
    write_products(own.data(), status);
    return status;
  }

  /// A state that failed has no direction that has not.
  void write_products(T* own, const Status& status) const {
    const T* direction = functions<T>(space_).directions.data();
    for (std::ptrdiff_t c = 0; c < states_; ++c) {
      if (!status.ok() && !space_.statuses.span()[static_cast<std::size_t>(c)].ok())
        std::fill_n(own, columns_ * rows_, std::numeric_limits<T>::quiet_NaN());
      for (std::ptrdiff_t d = c * columns_; d < (c + 1) * columns_; ++d, direction += one_) {
        if (product_.damping != T(0))
          for (std::ptrdiff_t r = 0; r < rows_; ++r) own[r] += product_.damping * direction[r];
        for (int k = 0; k < most_results; own += height_[k++])
          if (height_[k] > 0) std::copy_n(own, height_[k], given_.results[k].data + d * given_.results[k].stride);
      }
    }
  }

  Batch<T>& batch() {
    typename Workspace::Space::Functions<T>& all = functions<T>(space_);
    const std::shared_ptr<const OwnNumbers> own = space_.varying ? space_.varying->own : nullptr;
    if (all.planned && states_ == 1)
      return all.planned->of_one(space_.batch_model(), row_.function, space_.options, own);
    std::optional<Batch<T>>& batch =
        all.batch[static_cast<std::size_t>(row_.function)][static_cast<std::size_t>(given_.coordinates)];
    if (batch) return *batch;
    Method method = all.planned ? all.planned->many() : Method{};
    method.function = row_.function, method.coordinates = given_.coordinates;
    BatchOptions options = space_.options;
    if (row_.one_by_one && has_aggregates(model_.data())) options.lanes = 1;
    return batch.emplace(&make_function_lane_solver<T>, space_.batch_model(), method, options, own);
  }

  /// The solvers of a call, told what it asks.
  struct Solving {
    Batch<T>& batch;
    FunctionCall<T> call;
    Executor& executor;

    /// `apart`: how far results of states are from each other.
    void solve(T* result, std::ptrdiff_t apart, const Turn& some) {
      call.result = result, call.apart = apart, call.first = static_cast<int>(some.first);
      batch.solve(static_cast<int>(some.count), call.f.data != nullptr, call, executor);
    }
  };
  /// Every member of the call is named: those left out would be filled with zeros as a block, which took a fifth of a
  /// call on one body.
  Solving begin(const Directions<T>* directions = nullptr) {
    Batch<T>& solvers = batch();
    solvers.ask(given_.points, given_.axes, directions == nullptr ? 0 : directions->count, product_.linear);
    space_.statuses.begin(states_);
    return {solvers,
            {.q = given_.q,
             .v = given_.v,
             .a = given_.a,
             .f = given_.f_ext,
             .tau = given_.tau,
             .result = nullptr,
             .apart = 0,
             .first = 0,
             .directions = directions,
             .model = &space_.model.data(),
             .quaternions = &space_.quaternions,
             .statuses = &space_.statuses,
             .own_numbers = parameters_.in<T>(),
             .kept_numbers = parameters_.kept_numbers<T>()},
            *space_.executor};
  }

  /// One result, whose columns the caller has apart from each other.
  void write_column_by_column(const T* from, const Turn& some) const {
    const Columns<T>& result = given_.results[0];
    for (std::ptrdiff_t c = some.first * columns_; c < (some.first + some.count) * columns_; ++c, from += rows_)
      std::copy_n(from, rows_, result.data + c * result.stride);
  }

  /// Several results, of which the solver gives all rows of a point together.
  void write_point_by_point(const T* from, const Turn& some) const {
    const auto points = static_cast<std::ptrdiff_t>(given_.points.size());
    for (std::ptrdiff_t c = some.first; c < some.first + some.count; ++c)
      for (std::ptrdiff_t p = 0; p < points; ++p)
        for (int k = 0; k < most_results; ++k) {
          const std::ptrdiff_t rows = height_[k] / points;
          if (rows > 0) std::copy_n(from, rows, given_.results[k].data + c * given_.results[k].stride + p * rows);
          from += rows;
        }
  }

  /// Several matrices, of which the solver gives one after the other, column by column.
  void write_one_by_one(const T* from, const Turn& some) const {
    for (std::ptrdiff_t s = some.first; s < some.first + some.count; ++s)
      for (int k = 0; k < most_results; ++k)
        for (std::ptrdiff_t c = s * columns_; c < (s + 1) * columns_ && height_[k] > 0; ++c, from += height_[k])
          std::copy_n(from, height_[k], given_.results[k].data + c * given_.results[k].stride);
  }

  const FunctionRow& row_;
  const Model& model_;
  Workspace::Space& space_;
  const boundary::Arguments<T>& given_;
  const boundary::ProductArguments<T>& product_;
  Parameters parameters_;
  PointCounts counts_;
  std::ptrdiff_t states_ = 0;
  std::ptrdiff_t columns_ = 0, rows_ = 0;  ///< of a state's results, all below each other
  std::ptrdiff_t height_[most_results]{};  ///< rows of each result
  std::ptrdiff_t one_ = 0;                 ///< of a product's direction, all below each other
  std::ptrdiff_t depth_[most_results]{};   ///< rows of each of its arguments
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
