#pragma once

#include <functional>
#include <kinetree/finding.hpp>
#include <sdf/Joint.hh>
#include <string>

namespace kinetree::inline inner {

/// The pitch of a screw joint in m/rad, positive for a right-handed thread. SDFormat has it in two ways:
/// <screw_thread_pitch>, since 1.10 and before the other, in m a turn, right-handed; <thread_pitch> in rad/m,
/// left-handed. Where both are missing, the default of the file's version counts. `say` is told what is wrong with
/// them.
double screw_pitch(const sdf::Joint& joint, bool newer_than_1_9, const std::function<void(Severity, std::string)>& say);

}  // namespace kinetree::inline inner
