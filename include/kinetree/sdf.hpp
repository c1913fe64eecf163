#pragma once
// SDFormat up to version 1.12, read by libsdformat 12 in words of 1.9.

#include <kinetree/export.hpp>
#include <kinetree/load_model.hpp>

namespace kinetree {

/// Reads SDFormat (.sdf): a <model>, or the models of a <world> that are not static, and the world's gravity. Where
/// there are several, or nested ones, links and joints are named model::name; includes are looked for beside the file,
/// in the folder above it, and in those of SDF_PATH, GZ_SIM_RESOURCE_PATH and IGN_GAZEBO_RESOURCE_PATH.
///
/// Links keep their frames. Joints: revolute, continuous, prismatic, universal and revolute2 (universal), ball
/// (spherical), fixed, screw (helical; `thread_pitch` is in rad/m and positive for left-handed threads, so `pitch` =
/// -1/thread_pitch m/rad; `screw_thread_pitch` is in m a turn and positive for right-handed ones) and gearbox, which is
/// no joint here but a coupling of the two joints between its links and its reference body:
/// theta_child = -ratio * theta_parent. q = 0 is the pose in the file. A link that several joints
/// name as child hangs from the first of them; the others close loops, as does one that would close a cycle of parents.
/// A joint off its link's origin carries a massless link of its own, `<joint>_link`.
///
/// A link that no joint holds floats, as SDFormat has it: by `floating_base` (`<link>_floating` where there are
/// several), whose position is the link's pose in the world, so that 0 is not the file's pose but the world's origin.
///
/// <mimic> of an axis becomes the joint's mimic element; <inertial auto="true"> is summed up from the link's
/// collisions; meshes among these are opened, and one that encloses nothing is an error.
///
/// Versions after 1.12, joints of a <world>, screws that close loops and several worlds are errors. Elements
/// without a counterpart are told once per kind; a link without <inertial> has SDFormat's default, 1 kg and unit
/// moments.
///
/// Findings name the file and the line of the element, in included files too, but for URDFs, whose lines are unknown.
/// Among them are libsdformat's own, each fault once; it prints nothing, but keeps its log in ~/.sdformat as it always
/// does.
KINETREE_EXPORT Reading read_sdf(const std::filesystem::path& file);
/// Reads SDFormat from `text`; findings call it `name`.
KINETREE_EXPORT Reading read_sdf_text(const std::string& text, const std::string& name);

}  // namespace kinetree
