#pragma once
// MJCF, MuJoCo's models, in the words of MuJoCo 3.

#include <kinetree/export.hpp>
#include <kinetree/load_model.hpp>

namespace kinetree {

/// Reads MJCF (.xml) as MuJoCo 3.3 does: includes, default classes, frames, replicas, attached models, angles, inertia
/// from geoms. What has dynamics becomes the description: bodies with their frames; free, ball, slide and hinge joints,
/// several on a body too; armature; gravity; the equalities `connect` (spherical loop), `weld` (weld loop), `joint` and
/// `tendon` (of fixed tendons: couplings, polynomials of one joint too).
///
/// q is MuJoCo's qpos in MuJoCo's order, `ref` included, but for quaternions: [x y z w] here. v is not qvel for a free
/// joint: its linear part stands in body axes here and in world axes there. Equalities hold exactly here.
///
/// A joint off its body's origin, and all but the last of several on one body, carry a massless link of their own,
/// `<joint>_link`. Unnamed bodies and joints get names.
///
/// Inertias are those of the file to the digit; those of several geoms are summed in the body's axes. Masses of meshes
/// are by MuJoCo 3's rules; a notice says which bodies have one.
///
/// Findings have the file and line of the element, included files' too: errors on what MuJoCo 3.3 would refuse and on
/// what has no counterpart, notices on what is left out, the forces that kinetree does not apply among it.
KINETREE_EXPORT Reading read_mjcf(const std::filesystem::path& file);
/// Reads MJCF from `text`; findings call it `name`, and files that it includes are looked for beside `name`.
KINETREE_EXPORT Reading read_mjcf_text(const std::string& text, const std::string& name);

}  // namespace kinetree
