#include "simulation/step_path.hpp"

#include "engine/joint/advance.hpp"
#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

void StepPath::begin(const Stepper& stepper) {
  m_ = &stepper.model();
  start_ = stepper.time();
  q0_ = stepper.q(), v0_ = stepper.v();
}

void StepPath::end(const Stepper& stepper) {
  length_ = stepper.time() - start_;
  v1_ = stepper.v();
  way_.resize(v1_.size());
  for (std::size_t i = 0; i < m_->parent.size(); ++i)
    difference(m_->joint_type[i], q0_.data() + m_->q_index[i], stepper.q().data() + m_->q_index[i],
               way_.data() + m_->v_index[i]);
}

void StepPath::look(double share) {
  share_ = share;
  const double s = share, s2 = s * s, s3 = s2 * s;
  part_ = (3 * s2 - 2 * s3) * way_ + length_ * ((s - 2 * s2 + s3) * v0_ + (s3 - s2) * v1_);
  v_ = (6 * (s - s2) / length_) * way_ + (1 - 4 * s + 3 * s2) * v0_ + (3 * s2 - 2 * s) * v1_;
  q_ = q0_;
  for (std::size_t i = 0; i < m_->parent.size(); ++i)
    advance(m_->joint_type[i], q_.data() + m_->q_index[i], part_.data() + m_->v_index[i]);
}

}  // namespace kinetree::inline inner
