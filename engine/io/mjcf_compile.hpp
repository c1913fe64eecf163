#pragma once
// libmujoco's compiler: MJCF text in, mjModel out.

#include <mujoco/mujoco.h>

#include <memory>
#include <string>
#include <vector>

namespace kinetree::inline inner {

struct DeleteMujoco {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
};

/// What MuJoCo calls the text that it is given: a name that no included file can have.
inline const std::string mjcf_alias = "kinetree_text.xml";

/// The compiled model of a file's text, or null. What the text includes is
/// found in the folder of `name`. `said`: MuJoCo's error, or its last warning; `warnings`: all of them.
std::unique_ptr<mjModel, DeleteMujoco> compile_mjcf(const std::string& text, const std::string& name, std::string& said,
                                                    std::vector<std::string>& warnings);

}  // namespace kinetree::inline inner
