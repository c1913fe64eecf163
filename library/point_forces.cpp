#include <algorithm>
#include <cmath>
#include <kinetree/forces.hpp>
#include <kinetree/kinematics.hpp>
#include <kinetree/point_forces.hpp>
#include <limits>
#include <string_view>
#include <utility>

#include "engine/model/check_point_forces.hpp"
#include "engine/model/model_data.hpp"
#include "library/function_call.hpp"

namespace kinetree {

PointForces::PointForces(const Model& model)
    : model_(model), forces_(model.point_forces().begin(), model.point_forces().end()) {
  place_ends();
}

PointForces::PointForces(const Model& model, std::vector<PointForceDescription> forces, const std::string& file)
    : model_(model), forces_(std::move(forces)) {
  std::vector<std::string> links;
  for (const Frame& frame : model_.data().frames) links.push_back(frame.name);
  std::vector<Finding> findings;
  check_point_forces(forces_, links, file, findings);
  if (has_error(findings)) throw InputError(std::move(findings));
  place_ends();
}

void PointForces::place_ends() {
  for (const PointForceDescription& f : forces_) {
    std::array<End, 2>& ends = ends_.emplace_back();
    for (const auto& [own, given] : {std::pair{&ends[0], &f.first}, {&ends[1], &f.second}}) {
      own->ground = given->xyz;
      if (given->body == "world") continue;
      own->point = static_cast<int>(points_.size());
      points_.push_back({frame_named(model_.data(), given->body), given->xyz});
    }
  }
}

/// The forces of one call, column by column. Numbers are read in double whatever the caller's type is.
template <class T>
class PointForces::Columnwise {
 public:
  Columnwise(const PointForces& forces, Workspace& workspace, Columns<const T> q, Columns<const T> v)
      : f_(forces), space_(workspace.space()), columns_(q.columns) {
    const auto points = static_cast<std::ptrdiff_t>(f_.points_.size());
    // the room of products' directions, which no function of points reads
    std::vector<T>& own = functions<T>(space_).directions;
    own.resize(std::max(own.size(), static_cast<std::size_t>(24 * points * columns_)));
    poses_ = {own.data(), 12 * points, columns_, 12 * points};
    velocities_ = {own.data() + 12 * points * columns_, 6 * points, columns_, 6 * points};
    pulls_ = {own.data() + 18 * points * columns_, 6 * points, columns_, 6 * points};
    whole_ = boundary::evaluate(
        Function::point_velocities, f_.model_, workspace,
        boundary::Arguments<T>{
            .q = q, .v = v, .points = f_.points_, .axes = Axes::world_aligned, .results = {poses_, velocities_}});
  }

  /// What is wrong with the call as a whole; columns are looked at then.
  Status fault() const {
    const auto of_column = [](StatusCode code) {
      return code == StatusCode::ok || code == StatusCode::not_finite || code == StatusCode::not_normalized;
    };
    return of_column(whole_.code) ? Status{} : whole_;
  }

  Status add(Columns<T> f_ext) {
    for (std::ptrdiff_t c = 0; c < columns_; ++c) pull(c);
    const Status first = space_.statuses.first_failed();
    static_cast<void>(
        boundary::add_forces(f_.model_, LinkPoints(f_.points_), as_input(poses_), as_input(pulls_), f_ext));
    return first;
  }

  Status tensions(Columns<T> result) {
    for (std::ptrdiff_t c = 0; c < columns_; ++c) {
      T* to = result.data + c * result.stride;
      const bool solved = space_.statuses.span()[static_cast<std::size_t>(c)].ok();
      for (int k = 0; k < f_.count(); ++k, to += 3) {
        const Line line = line_of(k, c);
        const double nan = std::numeric_limits<double>::quiet_NaN();
        to[0] = static_cast<T>(solved ? line.length : nan);
        to[1] = static_cast<T>(solved && !line.degenerate ? line.rate : nan);
        to[2] = static_cast<T>(solved && !line.degenerate ? line.tension : nan);
        if (solved && line.degenerate) fail(k, c);
      }
    }
    return space_.statuses.first_failed();
  }

 private:
  struct Line {
    double direction[3]{};  ///< from the first point to the second; zero where they coincide
    double length = 0, rate = 0, tension = 0;
    bool degenerate = false;  ///< there is no direction, and the force needs one
  };

  static Columns<const T> as_input(const Columns<T>& x) { return {x.data, x.rows, x.columns, x.stride}; }

  Line line_of(int force, std::ptrdiff_t column) const {
    const PointForceDescription& given = f_[force];
    double at[2][3], moves[2][3]{}, size = 0;
    for (int e = 0; e < 2; ++e) {
      const End& end = f_.ends_[static_cast<std::size_t>(force)][static_cast<std::size_t>(e)];
      for (int k = 0; k < 3; ++k) {
        at[e][k] = end.ground[static_cast<std::size_t>(k)];
        if (end.point >= 0) {
          at[e][k] = static_cast<double>(poses_.data[column * poses_.stride + 12 * end.point + 9 + k]);
          moves[e][k] = static_cast<double>(velocities_.data[column * velocities_.stride + 6 * end.point + 3 + k]);
        }
        size = std::max(size, std::abs(at[e][k]));
      }
    }
    Line line;
    double way[3], square = 0;
    for (int k = 0; k < 3; ++k) way[k] = at[1][k] - at[0][k], square += way[k] * way[k];
    line.length = std::sqrt(square);
    if (line.length <= 4 * static_cast<double>(std::numeric_limits<T>::epsilon()) * size) {
      line.degenerate = given.length != 0 || given.damping != 0 || given.force != 0;
      return line;
    }
    for (int k = 0; k < 3; ++k) {
      line.direction[k] = way[k] / line.length;
      line.rate += line.direction[k] * (moves[1][k] - moves[0][k]);
    }
    line.tension = given.stiffness * (line.length - given.length) + given.damping * line.rate + given.force;
    return line;
  }

  void fail(int force, std::ptrdiff_t column) {
    Status status{StatusCode::not_positive, 0, -1, 0, "length"};
    status.expected = force;
    space_.statuses.fail(static_cast<int>(column), status);
  }

  /// Forces on the points of a column: NaN where it fails.
  void pull(std::ptrdiff_t column) {
    T* const pulls = pulls_.data + column * pulls_.stride;
    std::fill_n(pulls, pulls_.rows, T(0));
    bool failed = !space_.statuses.span()[static_cast<std::size_t>(column)].ok();
    for (int k = 0; k < f_.count() && !failed; ++k) {
      const Line line = line_of(k, column);
      if (line.degenerate) fail(k, column), failed = true;
      const std::array<End, 2>& ends = f_.ends_[static_cast<std::size_t>(k)];
      for (int i = 0; i < 3; ++i) {
        const double share = line.tension * line.direction[i];
        if (ends[0].point >= 0) pulls[6 * ends[0].point + 3 + i] = static_cast<T>(share);
        if (ends[1].point >= 0) pulls[6 * ends[1].point + 3 + i] = static_cast<T>(-share);
      }
    }
    if (failed) std::fill_n(pulls, pulls_.rows, std::numeric_limits<T>::quiet_NaN());
  }

  const PointForces& f_;
  Workspace::Space& space_;
  std::ptrdiff_t columns_;
  Columns<T> poses_, velocities_, pulls_;
  Status whole_;
};

#define KINETREE_POINT_FORCES(T)                                                                                  \
  Status PointForces::add(Workspace& workspace, Columns<const T> q, Columns<const T> v, Columns<T> f_ext) const { \
    Status status =                                                                                               \
        fault_of_sizes({argument("q", q, model_.nq(), q.columns), argument("v", v, model_.nv(), q.columns),       \
                        argument("f_ext", f_ext, 6 * std::ptrdiff_t{model_.body_count()}, q.columns)});           \
    if (status.ok() && !stands_apart(f_ext, q, v)) status.code = StatusCode::shared_memory;                       \
    if (!status.ok() || forces_.empty()) return status;                                                           \
    Columnwise<T> call(*this, workspace, q, v);                                                                   \
    return call.fault().ok() ? call.add(f_ext) : call.fault();                                                    \
  }                                                                                                               \
  Status PointForces::tensions(Workspace& workspace, Columns<const T> q, Columns<const T> v, Columns<T> result)   \
      const {                                                                                                     \
    Status status =                                                                                               \
        fault_of_sizes({argument("q", q, model_.nq(), q.columns), argument("v", v, model_.nv(), q.columns),       \
                        argument("result", result, 3 * std::ptrdiff_t{count()}, q.columns)});                     \
    if (status.ok() && !stands_apart(result, q, v)) status.code = StatusCode::shared_memory;                      \
    if (!status.ok() || forces_.empty()) return status;                                                           \
    Columnwise<T> call(*this, workspace, q, v);                                                                   \
    return call.fault().ok() ? call.tensions(result) : call.fault();                                              \
  }
KINETREE_POINT_FORCES(double)
KINETREE_POINT_FORCES(float)
#undef KINETREE_POINT_FORCES

std::string PointForces::message(const Status& status) const {
  const bool of_force = status.code == StatusCode::not_positive && std::string_view(status.argument) == "length" &&
                        status.expected < count();
  if (!of_force) return status.message(model_);
  return (status.column > 0 ? "column " + std::to_string(status.column) + ": " : "") + "force \"" +
         forces_[static_cast<std::size_t>(status.expected)].name +
         "\": its two points coincide, so that it has no direction; keep them apart, or give a spring whose length at "
         "rest is 0, without damping and force";
}

}  // namespace kinetree
