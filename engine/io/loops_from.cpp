#include <kinetree/finding.hpp>
#include <kinetree/loops_from.hpp>
#include <utility>

#include "engine/io/loops_text.hpp"
#include "engine/model/file_text.hpp"

namespace kinetree {
namespace {

/// Lines of the added file count on from here, so that findings of later checks know whose they are: no other file of
/// the model has so many.
constexpr int lines_before = 1 << 30;

template <class List>
void add(List& to, List& from) {
  for (auto& one : from) to.push_back(std::move(one));
}

template <class List>
void add_with_lines(List& to, List& from) {
  for (auto& one : from) one.line += lines_before;
  add(to, from);
}

}  // namespace

Reading with_loops_from_text(Reading model, const std::string& text, const std::string& name) {
  Reading added = read_loops_text(text, name);
  Description &d = model.description, &a = added.description;
  d.included.push_back({name, lines_before});
  add_with_lines(d.loops, a.loops);
  add_with_lines(d.couplings, a.couplings);
  add_with_lines(d.forces, a.forces);
  add(d.independent, a.independent);
  add_with_lines(d.assembled, a.assembled);
  add(model.findings, added.findings);
  return model;
}

Reading with_loops_from(Reading model, const std::filesystem::path& file) {
  const std::string text =
      file_text(file, {.element = "file", .advice = "give a YAML file of loops and couplings"}, model.findings);
  return has_error(model.findings) ? model : with_loops_from_text(std::move(model), text, file.string());
}

}  // namespace kinetree
