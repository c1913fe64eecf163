#include "engine/io/sdf_screw.hpp"

#include <cmath>
#include <numbers>
#include <sdf/Element.hh>

#include "engine/io/sdf_user_text.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree::inline inner {

double screw_pitch(const sdf::Joint& joint, bool newer_than_1_9,
                   const std::function<void(Severity, std::string)>& say) {
  const bool older = is_given(joint.Element(), "thread_pitch");
  const double turns = joint.ThreadPitch();
  if (!joint.Element()->HasElement("screw_thread_pitch")) {
    if (!older)
      say(Severity::warning,
          std::string("has no <screw_thread_pitch> and no <thread_pitch>; SDFormat's default counts, ") +
              (newer_than_1_9 ? "1 m a turn of a right-handed thread"
                              : "up to version 1.9 that of 1 rad/m of a left-handed thread"));
    if (!older && newer_than_1_9) return 1 / (2 * std::numbers::pi);
    if (turns != 0 && std::isfinite(turns)) return -1 / turns;
    say(Severity::error,
        "<thread_pitch> is " + number_text(turns) + " rad/m; give another, or make the joint prismatic");
    return 1;
  }
  bool sound = true;
  const double pitch = user_number(joint.Element(), "screw_thread_pitch", 0,
                                   [&](std::string message) {
                                     sound = false;
                                     say(Severity::error, std::move(message));
                                   }) /
                       (2 * std::numbers::pi);
  if (!sound) return 1;
  if (pitch == 0 || !std::isfinite(pitch)) {
    say(Severity::error,
        "<screw_thread_pitch> is " + number_text(pitch) + " m a turn; give another, or make the joint revolute");
    return 1;
  }
  if (older && !(std::abs(pitch * turns + 1) <= 1e-6))
    say(Severity::warning, "<screw_thread_pitch>, which counts, is " + number_text(pitch) +
                               " m/rad, and <thread_pitch> " + number_text(-1 / turns) + " m/rad; give one of them");
  return pitch;
}

}  // namespace kinetree::inline inner
