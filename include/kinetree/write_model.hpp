#pragma once
// From a description to kinetree's own YAML. The function stands in the component io (target kinetree::io).

#include <kinetree/description.hpp>
#include <kinetree/export.hpp>
#include <kinetree/model.hpp>
#include <string>

namespace kinetree {

/// The description as a YAML model (docs/using.md), which read_yaml_text reads back: number for number, links, joints,
/// loops and couplings in their order. Mimic joints become couplings, named `mimic of JOINT`, as make_model has them;
/// with options.ignore_mimic they are left out. Bases are freed and joints locked as options ask (as_loaded of
/// <kinetree/compose.hpp>). Lines of the file that it came from are not kept. Throws InputError where make_model would,
/// so that no broken file is written.
KINETREE_EXPORT std::string yaml_text(const Description& description, const LoadOptions& options = {});

}  // namespace kinetree
