#pragma once
// MJCF, MuJoCo's models, read and compiled by libmujoco.

#include <kinetree/export.hpp>
#include <kinetree/load_model.hpp>

namespace kinetree {

/// Reads MJCF (.xml). MuJoCo compiles the file (defaults, includes, inertia from geoms, angles in degrees), and what it
/// compiled becomes the description: bodies with their frames; free, ball, slide and hinge joints, several on a body
/// too; armature; gravity; the equalities `connect` (spherical loop), `weld` (weld loop), `joint` and `tendon` (of
/// fixed tendons, both linear: couplings).
///
/// q is MuJoCo's qpos in MuJoCo's order, `ref` included, but for quaternions: [x y z w] here. v is not qvel for a free
/// joint: its linear part stands in body axes here and in world axes there. Equalities hold exactly here.
///
/// A joint off its body's origin, and all but the last of several on one body, carry a massless link of their own,
/// `<joint>_link`. Unnamed bodies and joints get names.
///
/// Inertias are compiled to principal axes, which costs about 7 digits where the axes are not the file's: a
/// `fullinertia` in the file itself is taken as it stands there; inertias from several geoms are MuJoCo's.
///
/// Findings: MuJoCo stops at the first fault it sees; ours, on what has no counterpart, come all together.
KINETREE_EXPORT Reading read_mjcf(const std::filesystem::path& file);
/// Reads MJCF from `text`; findings call it `name`, and files that it includes are looked for beside `name`.
KINETREE_EXPORT Reading read_mjcf_text(const std::string& text, const std::string& name);

}  // namespace kinetree
