#include <algorithm>
#include <functional>
#include <kinetree/finding.hpp>
#include <kinetree/model.hpp>
#include <limits>
#include <stdexcept>

#include "engine/model/appearance.hpp"
#include "engine/model/closure.hpp"
#include "engine/model/known_names.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/tree.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree {

inline namespace inner {
namespace {

/// The index of a name; throws std::invalid_argument with the names there are.
template <class Named, class Name>
int index_of(std::string_view name, const char* kind, const std::vector<Named>& all, Name&& name_of,
             const std::string& model) {
  const auto found = std::ranges::find(all, name, name_of);
  if (found != all.end()) return static_cast<int>(found - all.begin());
  std::vector<std::string> names;
  for (const Named& one : all) names.push_back(name_of(one));
  throw std::invalid_argument("model '" + model + "' has no " + kind + " '" + std::string(name) + "'" +
                              (names.empty() ? "" : "; there are " + some_of(nearest_first(names, name), '\'')));
}

}  // namespace

int frame_named(const ModelData& model, std::string_view link) {
  return index_of(
      link, "link", model.frames, [](const Frame& f) -> const std::string& { return f.name; }, model.name);
}

}  // namespace inner

Model::Model(std::shared_ptr<const ModelData> data)
    : data_(std::move(data)),
      body_count_(static_cast<int>(data_->parent.size())),
      nq_(data_->q_index.back()),
      nv_(data_->v_index.back()) {}

const std::string& Model::name() const { return data_->name; }

std::string_view Model::joint_name(int body) const { return data_->joint_name[at(body)]; }

std::string_view Model::body_name(int body) const { return data_->frames[at(data_->body_frame[at(body)])].name; }

JointType Model::joint_type(int body) const { return data_->joint_type[at(body)]; }

int Model::parent(int body) const { return data_->parent[at(body)]; }

int Model::q_index(int body) const { return data_->q_index[at(body)]; }

int Model::v_index(int body) const { return data_->v_index[at(body)]; }

int Model::body_of_position(int index) const { return body_of_entry(data_->q_index, index); }

int Model::body_of_velocity(int index) const { return body_of_entry(data_->v_index, index); }

int Model::frame_count() const { return static_cast<int>(data_->frames.size()); }

std::string_view Model::frame_name(int frame) const { return data_->frames[at(frame)].name; }

std::span<const ShapeDescription> Model::visuals(int frame) const {
  const std::vector<LinkShapes>& links = data_->appearance->links;
  return links.empty() ? std::span<const ShapeDescription>() : links[at(frame)].visuals;
}
std::span<const ShapeDescription> Model::collisions(int frame) const {
  const std::vector<LinkShapes>& links = data_->appearance->links;
  return links.empty() ? std::span<const ShapeDescription>() : links[at(frame)].collisions;
}
std::span<const SensorDescription> Model::sensors() const { return data_->appearance->sensors; }

std::span<const PointForceDescription> Model::point_forces() const { return data_->appearance->forces; }

int Model::body_of_joint(std::string_view joint) const {
  return index_of(joint, "moving joint", data_->joint_name, std::identity(), data_->name);
}

int Model::body_of_link(std::string_view link) const { return data_->frames[at(frame_named(*data_, link))].body; }

namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

/// An array of the model's, or what stands for one that is empty. A partition's model has neither.
template <class Make>
std::span<const double> numbers_or(const std::vector<double>& own, const ModelData& m,
                                   UnstatedNumbers Appearance::*unstated, Make&& make) {
  return own.empty() && m.appearance ? ((*m.appearance).*unstated).of(make) : own;
}
/// The same, of one number for all.
std::span<const double> numbers_or(const std::vector<double>& own, const ModelData& m,
                                   UnstatedNumbers Appearance::*unstated, int count, double number) {
  return numbers_or(own, m, unstated, [&] { return std::vector<double>(at(count), number); });
}

}  // namespace

std::span<const double> Model::damping() const {
  return numbers_or(data_->passive.damping, *data_, &Appearance::zeros, nv_, 0);
}
std::span<const double> Model::friction() const {
  return numbers_or(data_->passive.friction, *data_, &Appearance::zeros, nv_, 0);
}
std::span<const double> Model::stiffness() const {
  return numbers_or(data_->passive.stiffness, *data_, &Appearance::zeros, nv_, 0);
}
std::span<const double> Model::spring_reference() const {
  return numbers_or(data_->passive.reference, *data_, &Appearance::reference,
                    [&] { return zero_configuration(*data_); });
}
std::span<const double> Model::lower_limits() const {
  return numbers_or(data_->limits.lower, *data_, &Appearance::no_lower, nq_, -no_limit);
}
std::span<const double> Model::upper_limits() const {
  return numbers_or(data_->limits.upper, *data_, &Appearance::no_upper, nq_, no_limit);
}
std::span<const double> Model::velocity_limits() const {
  return numbers_or(data_->limits.velocity, *data_, &Appearance::no_magnitude, nv_, no_limit);
}
std::span<const double> Model::effort_limits() const {
  return numbers_or(data_->limits.effort, *data_, &Appearance::no_magnitude, nv_, no_limit);
}

std::span<const Finding> Model::findings() const { return data_->findings; }

}  // namespace kinetree
