// A gripper whose right finger mimics the left one, as the plugin of a simulator would drive it: it is loaded once, closed
// to a width that is asked for, told the motor's force, and stepped; then it says how hard each finger presses and what
// the mechanism between them carries.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <kinetree/closing.hpp>
#include <kinetree/configuration.hpp>
#include <kinetree/constraint_forces.hpp>
#include <kinetree/independent.hpp>
#include <kinetree/load_model.hpp>
#include <kinetree/simulation/simulation.hpp>
#include <optional>
#include <stdexcept>
#include <string>

using Eigen::VectorXd;

namespace {

const char* const urdf = R"(<robot name="gripper">
  <link name="palm"><inertial><mass value="0.5"/><inertia ixx="1e-3" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="left"><inertial><mass value="0.05"/><inertia ixx="1e-5" iyy="1e-5" izz="1e-5" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="right"><inertial><mass value="0.05"/><inertia ixx="1e-5" iyy="1e-5" izz="1e-5" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="left_finger" type="prismatic">
    <parent link="palm"/><child link="left"/><axis xyz="0 1 0"/><limit lower="0" upper="0.05" effort="50" velocity="1"/>
  </joint>
  <joint name="right_finger" type="prismatic">
    <parent link="palm"/><child link="right"/><axis xyz="0 -1 0"/><limit lower="0" upper="0.05" effort="50" velocity="1"/>
    <mimic joint="left_finger"/>
  </joint>
</robot>
)";

/// What a simulator would call. One object per gripper and thread.
class GripperPlugin {
 public:
  explicit GripperPlugin(const std::string& text)
      : model_(model_of(text)),
        workspace_(model_),
        // steps of one length, as contacts by stiff springs want them
        simulation_(model_, {}, {.integrator = kinetree::Integrator::rk4, .step = 1e-4}),
        motor_(kinetree::velocities_of(model_, {"left_finger"})),
        left_(model_.q_index("left_finger")),
        right_(model_.q_index("right_finger")) {}

  /// The motor's finger at a position, the other where the coupling wants it.
  void open_to(double position) {
    VectorXd q = kinetree::neutral(model_), v = VectorXd::Zero(model_.nv());
    q[left_] = position;
    check(kinetree::close(model_, workspace_, q, v, motor_));
    check(simulation_.reset(q, v));
  }

  /// A step under the motor's force (N), between jaws of an object so wide; fingers press on it as on stiff springs.
  void step(double dt, double force, double width) {
    check(simulation_.advance_to(simulation_.time() + dt, [&](double, const VectorXd& q, const VectorXd& v, VectorXd& tau) {
      tau = forces(q, v, force, width);
    }));
  }

  /// How hard the fingers press (N), and what the mechanism gives to the right one.
  struct Grip {
    double left, right, carried, on_motor;
  };
  Grip grip(double force, double width) {
    const VectorXd &q = simulation_.q(), &v = simulation_.v(), pressed = forces(q, v, 0, width);
    VectorXd tau = forces(q, v, force, width), rest = VectorXd::Zero(model_.nv()), carried(1), at_motor(1);
    check(kinetree::coupling_forces(model_, workspace_, q, v, rest, tau, carried));  // at rest
    // what the object does to the motor, as a controller of its force wants to know
    check(kinetree::independent_forces(model_, workspace_, q, pressed, at_motor, motor_));
    return {pressed[left_], pressed[right_], std::abs(carried[0]), at_motor[0]};
  }
  double position() const { return simulation_.q()[left_]; }

 private:
  static kinetree::Model model_of(const std::string& text) {
    kinetree::Reading reading = kinetree::read_urdf_text(text, "gripper.urdf");
    return kinetree::make_model(reading.description, {}, std::move(reading.findings));
  }
  VectorXd forces(const VectorXd& q, const VectorXd& v, double force, double width) const {
    VectorXd tau = VectorXd::Zero(model_.nv());
    for (const int finger : {left_, right_})
      if (q[finger] < width / 2) tau[finger] = 2e4 * (width / 2 - q[finger]) - 100 * v[finger];
    tau[left_] += force;
    return tau;
  }
  void check(const kinetree::Status& status) const {
    if (!status.ok()) throw std::runtime_error(status.message(model_));
  }

  kinetree::Model model_;
  kinetree::Workspace workspace_;
  kinetree::Simulation simulation_;
  std::vector<int> motor_;
  int left_, right_;
};

}  // namespace

int main() {
  try {
    GripperPlugin gripper(urdf);
    gripper.open_to(0.03);
    for (int k = 1; k <= 50; ++k) {
      gripper.step(0.01, -10, 0.04);
      if (k % 10 == 0) std::printf("%.2f s: fingers at %.5f m\n", 0.01 * k, gripper.position());
    }
    const GripperPlugin::Grip grip = gripper.grip(-10, 0.04);
    std::printf("motor -10 N: fingers press with %.4f and %.4f N; the mechanism carries %.4f N; the motor feels %.4f N\n",
                grip.left, grip.right, grip.carried, grip.on_motor);
    const double off = std::max({std::abs(grip.left - 5), std::abs(grip.right - 5), std::abs(grip.carried - 5),
                                 std::abs(grip.on_motor - 10)});
    return off < 1e-3 ? 0 : 1;
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "%s\n", error.what()), 1;
  }
}
