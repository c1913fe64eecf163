// MJCF in MuJoCo 3's words: what has dynamics becomes the description, and all else is said once per kind.
#include <kinetree/description.hpp>
#include <kinetree/mjcf.hpp>

#include "engine/io/mjcf_bodies.hpp"
#include "engine/io/mjcf_check.hpp"
#include "engine/io/mjcf_equalities.hpp"
#include "engine/io/mjcf_left_out.hpp"
#include "engine/io/mjcf_shapes.hpp"
#include "engine/io/mjcf_tendons.hpp"
#include "engine/io/mjcf_walk.hpp"
#include "engine/model/included_lines.hpp"

namespace kinetree {
namespace {

/// Gravity, and what the flags of <option> turn off.
MjcfOptions read_options(MjcfReading& r, const MjcfElement& root) {
  MjcfOptions options;
  for (const MjcfElement& e : root.children) {
    if (e.tag() != "option") continue;
    r.numbers({e}, "gravity", r.reading.description.gravity.data(), 3, 3);
    for (const MjcfElement& flag : e.children) {
      if (flag.tag() != "flag") continue;
      const auto off = [&](const char* name, bool& on) { on = r.word({flag}, name, {"disable", "enable"}, on) == 1; };
      bool passive = true;
      if (options.line == 0) options.line = flag.line();
      off("gravity", options.gravity);
      off("equality", options.equality);
      off("constraint", options.constraint);
      off("passive", passive);
      off("spring", options.spring);
      off("damper", options.damper);
      off("frictionloss", options.friction);
      off("limit", options.limit);
      if (!passive) options.spring = options.damper = false;
    }
  }
  if (!options.gravity) r.reading.description.gravity = {0, 0, 0};
  return options;
}

void read(MjcfReading& r, const std::string& text) {
  Description& d = r.reading.description;
  IncludeGuard guard(d.file, r.reading.findings);
  int lines = 0;
  std::vector<std::unique_ptr<MjcfSource>> sources;
  sources.push_back(std::make_unique<MjcfSource>());
  MjcfSource& file = *sources.front();
  if (!file.document.read(text, d.file, guard, d, lines, r.reading.findings)) return;
  file.folder = std::filesystem::path(d.file).parent_path();
  const MjcfElement& root = file.document.root();
  check_words(r, root);
  if (const char* name = root.attribute("model")) d.name = name;
  const MjcfOptions options = read_options(r, root);
  file.read(r);
  MjcfModel model;
  read_bodies(r, model, sources, guard, lines);
  const MjcfNames names = add_bodies(r, model, options);
  read_shapes(r, model, names);
  read_sensors(r, model, names);
  read_equalities(r, model, names, options);
  say_what_was_left_out(r, model, read_tendons(r, model, names, options));
}

}  // namespace

Reading read_mjcf_text(const std::string& text, const std::string& name) {
  MjcfReading r;
  r.reading.description.file = name;
  read(r, text);
  place_lines(r.reading.findings, r.reading.description);
  return std::move(r.reading);
}

}  // namespace kinetree
