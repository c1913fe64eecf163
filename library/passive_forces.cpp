#include <cmath>
#include <kinetree/forces.hpp>
#include <limits>

#include "engine/joint/spring.hpp"
#include "library/argument.hpp"
#include "library/quaternion_check.hpp"
#include "library/varying_data.hpp"

namespace kinetree {
namespace {

/// Numbers are read in double whatever the caller's type is, so that float is rounded once, at the end.
template <class T>
class PassiveColumn {
 public:
  /// `own`: the column's own numbers of `varying`; both null where there are none.
  PassiveColumn(const ModelData& m, const Varying::Data* varying, const T* own, const T* q, const T* v, T* tau,
                double slow)
      : m_(m), varying_(varying), own_(own), q_(q), v_(v), tau_(tau), slow_(slow) {}

  Status add() {
    for (std::size_t i = 0; i < m_.parent.size(); ++i) {
      const int quaternion = quaternion_at(m_.joint_type[i]);
      if (quaternion < 0) continue;
      const Status status = fault_of_quaternion(q_ + m_.q_index[i] + quaternion, static_cast<int>(i));
      if (!status.ok()) return status;
    }
    if (!all_finite(q_, at(m_.q_index.back())) || !all_finite(v_, at(m_.v_index.back())))
      return fault_of_state(m_, q_, v_);
    if (const Status status = fault_of_own(); !status.ok()) return status;
    const bool any = m_.passive.any || varying_ != nullptr;
    for (std::size_t i = 0; any && i < m_.parent.size(); ++i) add_joint(i);
    return {};
  }

 private:
  static constexpr Parameter kinds[]{Parameter::damping, Parameter::friction, Parameter::stiffness};

  Status fault_of_own() const {
    if (varying_ == nullptr) return {};
    for (const Parameter kind : kinds)
      for (const int r : varying_->row_of[static_cast<std::size_t>(kind)]) {
        if (r < 0) continue;
        const OwnNumbers::Row& row = varying_->rows[at(r)];
        const auto x = static_cast<double>(own_[r]);
        if (!std::isfinite(x)) return {StatusCode::not_finite, 0, row.body, x, row.name};
        if (own_[r] < static_cast<T>(row.least) || own_[r] > static_cast<T>(row.most))
          return {StatusCode::out_of_bounds, 0, row.body, x, row.name};
      }
    return {};
  }
  /// The number of velocity k: the column's own where it has one, else the model's.
  double number(Parameter kind, const std::vector<double>& of_model, std::size_t k) const {
    const int row = varying_ == nullptr ? -1 : varying_->row_of_velocity(kind, static_cast<int>(k));
    return row >= 0 ? static_cast<double>(own_[row]) : of_model.empty() ? 0 : of_model[k];
  }
  void add_joint(std::size_t i) {
    const JointType type = m_.joint_type[i];
    const auto first = at(m_.v_index[i]), count = static_cast<std::size_t>(velocity_count(type));
    double displacement[6]{};
    bool springs = false;
    for (std::size_t k = first; k < first + count; ++k) springs = springs || stiffness(k) != 0;
    if (springs) {
      double q[7];
      std::copy_n(q_ + m_.q_index[i], position_count(type), q);
      constexpr double rest[7]{0, 0, 0, 0, 0, 0, 0};
      const int quaternion = quaternion_at(type);
      double reference[7];
      std::copy_n(m_.passive.reference.empty() ? rest : m_.passive.reference.data() + m_.q_index[i],
                  position_count(type), reference);
      if (m_.passive.reference.empty() && quaternion >= 0) reference[quaternion + 3] = 1;
      spring_displacement(type, reference, q, displacement);
    }
    for (std::size_t k = first; k < first + count; ++k) {
      const double v = static_cast<double>(v_[k]);
      const double force = number(Parameter::damping, m_.passive.damping, k) * v +
                           number(Parameter::friction, m_.passive.friction, k) * direction(v) +
                           (springs ? stiffness(k) * displacement[k - first] : 0);
      tau_[k] = static_cast<T>(static_cast<double>(tau_[k]) - force);
    }
  }
  double stiffness(std::size_t k) const { return number(Parameter::stiffness, m_.passive.stiffness, k); }
  double direction(double v) const { return slow_ > 0 ? std::tanh(v / slow_) : v > 0 ? 1 : v < 0 ? -1 : 0; }

  const ModelData& m_;
  const Varying::Data* varying_;
  const T *own_, *q_, *v_;
  T* tau_;
  double slow_;
};

template <class T>
Status add_passive_forces_(const Model& model, Columns<const T> q, Columns<const T> v, Columns<T> tau, double slow,
                           const Varying::Data* varying = nullptr, Columns<const T> own = {}) {
  const std::ptrdiff_t n = q.columns;
  if (const Status status = fault_of_sizes(
          {argument("q", q, model.nq(), n), argument("v", v, model.nv(), n), argument("tau", tau, model.nv(), n)});
      !status.ok())
    return status;
  if (varying != nullptr)
    if (const Status status =
            fault_of_size(argument("parameters", own, static_cast<std::ptrdiff_t>(varying->rows.size()), n));
        !status.ok())
      return status;
  if (!stands_apart(tau, q, v, own)) return {StatusCode::shared_memory};
  Status first;
  for (std::ptrdiff_t c = 0; c < n; ++c) {
    T* out = tau.data + c * tau.stride;
    const T* numbers = own.data == nullptr ? nullptr : own.data + c * own.stride;
    Status status =
        PassiveColumn<T>(model.data(), varying, numbers, q.data + c * q.stride, v.data + c * v.stride, out, slow).add();
    if (status.ok()) continue;
    std::fill_n(out, tau.rows, std::numeric_limits<T>::quiet_NaN());
    if (first.ok()) first = status, first.column = static_cast<int>(c);
  }
  return first;
}

}  // namespace

namespace boundary {

#define KINETREE_PASSIVE(T)                                                                                            \
  Status add_passive_forces(const Model& model, Columns<const T> q, Columns<const T> v, Columns<T> tau, double slow) { \
    return add_passive_forces_(model, q, v, tau, slow);                                                                \
  }                                                                                                                    \
  Status add_passive_forces(const Varying& varying, Columns<const T> parameters, Columns<const T> q,                   \
                            Columns<const T> v, Columns<T> tau, double slow) {                                         \
    return add_passive_forces_(varying.model(), q, v, tau, slow, &varying.data(), parameters);                         \
  }
KINETREE_PASSIVE(double)
KINETREE_PASSIVE(float)
#undef KINETREE_PASSIVE

}  // namespace boundary

}  // namespace kinetree
