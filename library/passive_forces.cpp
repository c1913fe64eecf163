#include <cmath>
#include <kinetree/forces.hpp>
#include <limits>

#include "engine/joint/spring.hpp"
#include "library/argument.hpp"
#include "library/quaternion_check.hpp"

namespace kinetree {
namespace {

/// Numbers are read in double whatever the caller's type is, so that float is rounded once, at the end.
template <class T>
class PassiveColumn {
 public:
  PassiveColumn(const ModelData& m, const T* q, const T* v, T* tau, double slow)
      : m_(m), q_(q), v_(v), tau_(tau), slow_(slow) {}

  Status add() {
    for (std::size_t i = 0; i < m_.parent.size(); ++i) {
      const int quaternion = quaternion_at(m_.joint_type[i]);
      if (quaternion < 0) continue;
      const Status status = fault_of_quaternion(q_ + m_.q_index[i] + quaternion, static_cast<int>(i));
      if (!status.ok()) return status;
    }
    if (!all_finite(q_, at(m_.q_index.back())) || !all_finite(v_, at(m_.v_index.back())))
      for (std::size_t i = 0; i < m_.parent.size(); ++i)
        for (const Status& status :
             {fault_of_finite(q_ + m_.q_index[i], m_.q_index[i + 1] - m_.q_index[i], static_cast<int>(i), "q"),
              fault_of_finite(v_ + m_.v_index[i], m_.v_index[i + 1] - m_.v_index[i], static_cast<int>(i), "v")})
          if (!status.ok()) return status;
    for (std::size_t i = 0; m_.passive.any && i < m_.parent.size(); ++i) add_joint(i);
    return {};
  }

 private:
  void add_joint(std::size_t i) {
    const JointType type = m_.joint_type[i];
    const auto first = at(m_.v_index[i]), count = static_cast<std::size_t>(velocity_count(type));
    double displacement[6]{};
    bool springs = false;
    for (std::size_t k = first; k < first + count; ++k) springs = springs || m_.passive.stiffness[k] != 0;
    if (springs) {
      double q[7];
      std::copy_n(q_ + m_.q_index[i], position_count(type), q);
      spring_displacement(type, m_.passive.reference.data() + m_.q_index[i], q, displacement);
    }
    for (std::size_t k = first; k < first + count; ++k) {
      const double v = static_cast<double>(v_[k]);
      const double force = m_.passive.damping[k] * v + m_.passive.friction[k] * direction(v) +
                           (springs ? m_.passive.stiffness[k] * displacement[k - first] : 0);
      tau_[k] = static_cast<T>(static_cast<double>(tau_[k]) - force);
    }
  }
  double direction(double v) const { return slow_ > 0 ? std::tanh(v / slow_) : v > 0 ? 1 : v < 0 ? -1 : 0; }

  const ModelData& m_;
  const T *q_, *v_;
  T* tau_;
  double slow_;
};

template <class T>
Status add_passive_forces_(const Model& model, Columns<const T> q, Columns<const T> v, Columns<T> tau, double slow) {
  const std::ptrdiff_t n = q.columns;
  if (const Status status = fault_of_sizes(
          {argument("q", q, model.nq(), n), argument("v", v, model.nv(), n), argument("tau", tau, model.nv(), n)});
      !status.ok())
    return status;
  if (!stands_apart(tau, q, v)) return {StatusCode::shared_memory};
  Status first;
  for (std::ptrdiff_t c = 0; c < n; ++c) {
    T* out = tau.data + c * tau.stride;
    Status status = PassiveColumn<T>(model.data(), q.data + c * q.stride, v.data + c * v.stride, out, slow).add();
    if (status.ok()) continue;
    std::fill_n(out, tau.rows, std::numeric_limits<T>::quiet_NaN());
    if (first.ok()) first = status, first.column = static_cast<int>(c);
  }
  return first;
}

}  // namespace

namespace boundary {

Status add_passive_forces(const Model& model, Columns<const double> q, Columns<const double> v, Columns<double> tau,
                          double slow) {
  return add_passive_forces_(model, q, v, tau, slow);
}
Status add_passive_forces(const Model& model, Columns<const float> q, Columns<const float> v, Columns<float> tau,
                          double slow) {
  return add_passive_forces_(model, q, v, tau, slow);
}

}  // namespace boundary

}  // namespace kinetree
