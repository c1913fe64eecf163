#include "bench/show/dial_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/quantity.hpp"
#include "bench/show/aggregates.hpp"
#include "bench/show/colours.hpp"
#include "bench/show/matrix_picture.hpp"
#include "bench/show/tree_picture.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::bench {
namespace {

/// The module nearest the ground among those joined by carried cuts, over modules.
std::vector<int> group_roots(const Modules& m) {
  std::vector<int> root(m.modules.size());
  for (std::size_t k = 0; k < root.size(); ++k) root[k] = static_cast<int>(k);
  for (std::size_t k = 0; k < root.size(); ++k)  // by ascending base: a module's own root is known by now
    for (int c = m.modules[k].first_carried; c < m.modules[k].last_carried; ++c)
      root[at(m.module_of[at(m.cuts[at(m.carried[at(c)])].body)])] = root[k];
  return root;
}

/// The tree of modules, in canonical order: module k is node size - 1 - k.
sko::Tree module_tree(const Mechanism& mechanism, const Modules& m) {
  const int count = static_cast<int>(m.modules.size());
  std::vector<int> parent;
  for (int k = count - 1; k >= 0; --k) {
    const int above = mechanism.model.data().parent[at(m.modules[at(k)].base)];
    parent.push_back(above < 0 ? -1 : count - 1 - m.module_of[at(above)]);
  }
  return sko::Tree(std::move(parent));
}

std::string dial_words(const Modules& m, const DialSetting& setting) {
  return fmt::format("{}: {}, {}", setting_words(setting), counted(m.modules.size(), "module"),
                     counted(m.cuts.size(), "cut joint"));
}

std::string about_cut(const Mechanism& mechanism, const CutJoint& cut, int row) {
  const std::string_view name = mechanism.model.joint_name(cut.body);
  if (cut.rows == 0) return fmt::format("cut joint {}: six freedoms, no constraint force", name);
  return fmt::format("cut joint {}: {}, row {} of system.svg\n{}", name, counted(at(cut.rows), "constraint force"),
                     row + 1,
                     cut.carried ? "carried: a block of columns of its parent's module"
                                 : "raked: what hangs from it is folded into its parent body");
}

}  // namespace

std::string setting_words(const DialSetting& s) {
  std::string why;
  if (s.planned > 0 && s.cuts_nothing)
    why = " (planned; no grain cuts a joint)";
  else if (s.planned > 0)
    why = s.planned == s.grain ? " (planned)"
                               : fmt::format(" (the largest that cuts; planned is {}, which does not)", s.planned);
  return fmt::format("grain {}{}, cuts {}", s.grain, why, s.cuts);
}

SystemPattern system_pattern(const Modules& m) {
  const std::vector<int> root = group_roots(m);
  struct Member {
    int root, cut;
  };
  std::vector<Member> members;
  for (int c = 0; c < static_cast<int>(m.cuts.size()); ++c)
    if (m.cuts[at(c)].rows > 0) members.push_back({root[at(m.module_of[at(m.cuts[at(c)].body)])], c});
  std::sort(members.begin(), members.end(),
            [](const Member& a, const Member& b) { return a.root != b.root ? a.root > b.root : a.cut > b.cut; });
  SystemPattern pattern;
  std::vector<int> row_of(m.cuts.size(), -1);
  for (const Member& member : members) {
    const int row = static_cast<int>(pattern.cuts.size());
    if (row == 0 || members[at(row - 1)].root != member.root) pattern.groups.push_back({row, row});
    pattern.groups.back().end = row + 1;
    row_of[at(member.cut)] = row;
    pattern.cuts.push_back(member.cut);
  }
  pattern.block.assign(members.size(), std::vector<SystemBlock>(members.size(), SystemBlock::zero));
  const auto put = [&](int a, int b, SystemBlock kind) {
    const int i = row_of[at(a)], j = row_of[at(b)];
    if (i >= 0 && j >= 0) pattern.block[at(i)][at(j)] = pattern.block[at(j)][at(i)] = kind;
  };
  for (const Module& module : m.modules) {
    if (module.cut >= 0) put(module.cut, module.cut, SystemBlock::own);
    for (int a = module.first_carried; a < module.last_carried; ++a) {
      if (module.cut >= 0) put(module.cut, m.carried[at(a)], SystemBlock::base_child);
      for (int b = module.first_carried; b < a; ++b) put(m.carried[at(a)], m.carried[at(b)], SystemBlock::children);
    }
  }
  return pattern;
}

TreePicture modules_picture(const Mechanism& mechanism, const Modules& m, const DialSetting& setting) {
  const SystemPattern system = system_pattern(m);
  TreePicture picture;
  picture.title = fmt::format("{}: {}", mechanism.model.name(), dial_words(m, setting));
  picture.captions = {
      "One colour is one module, swept by articulated bodies; neighbours differ, and seven colours recur. A badge is a "
      "cut joint, its number the joint's",
      "row in system.svg, \"free\" where it has no constraint force. Filled: carried, its force is a block of columns "
      "of "
      "the parent's module. Open: raked,",
      std::string(
          "what hangs from it is folded into the parent body. The ground is unfilled, edges from it are dashed. ") +
          (m.split ? "Numbers before names count halves too." : "Numbers before names are those of digraph.svg.")};
  for (const std::string& notice : m.notices) picture.captions.push_back(notice);
  picture.tree = &mechanism.tree;
  for (const int k : mechanism.node_of) picture.number.push_back(k + 1);
  const std::vector<std::size_t> colours = tell_apart(module_tree(mechanism, m));
  const std::size_t n = at(mechanism.tree.size());
  picture.mark.assign(n, EdgeMark::none);
  picture.badge.resize(n);
  picture.mark_tooltip.resize(n);
  for (int k = 0; k < mechanism.tree.size(); ++k) {
    const int module = m.module_of[at(mechanism.body(k))];
    picture.colour.push_back(colours[colours.size() - 1 - at(module)]);
    picture.tooltip.push_back(
        fmt::format("{}\nmodule of {}", mechanism.about(k), mechanism.model.body_name(m.modules[at(module)].base)));
  }
  const auto mark = [&](int c, int row) {
    const CutJoint& cut = m.cuts[at(c)];
    const std::size_t k = at(mechanism.number(cut.body));
    picture.mark[k] = cut.carried ? EdgeMark::carried : EdgeMark::raked;
    picture.badge[k] = cut.rows > 0 ? std::to_string(row + 1) : "free";
    picture.mark_tooltip[k] = about_cut(mechanism, cut, row);
  };
  for (int c = 0; c < static_cast<int>(m.cuts.size()); ++c)
    if (m.cuts[at(c)].rows == 0) mark(c, -1);
  for (std::size_t row = 0; row < system.cuts.size(); ++row) mark(system.cuts[row], static_cast<int>(row));
  add_ties(mechanism, picture);
  return picture;
}

std::string system_picture(const Mechanism& mechanism, const Modules& m, const DialSetting& setting) {
  const SystemPattern system = system_pattern(m);
  MatrixPicture picture;
  picture.title = fmt::format("{}: the constraint forces' system", mechanism.model.name());
  picture.captions = {dial_words(m, setting)};
  std::size_t forces = 0;
  for (const int c : system.cuts) {
    forces += at(m.cuts[at(c)].rows);
    picture.rows.emplace_back(mechanism.model.joint_name(m.cuts[at(c)].body));
  }
  if (system.cuts.empty()) {
    picture.captions.push_back(
        std::string("No joint with a constraint force is cut, so there is no system: articulated bodies alone. ") +
        (setting.cuts_nothing ? "No grain cuts one; --cuts all cuts every joint that may be."
                              : "A smaller --grain cuts more."));
    return draw(picture);
  }
  picture.captions.push_back(fmt::format(
      "{} of {}. Rows and columns are cut joints; a block couples two joints that share a module (the dial's A).",
      counted(forces, "constraint force"), counted(system.cuts.size(), "cut joint")));
  if (system.groups.size() > 1)
    picture.captions.push_back(fmt::format(
        "{} systems (framed), solved from the tips on; each is then folded into the body that it hangs from.",
        system.groups.size()));
  picture.kind = [&system](int i, int j) { return static_cast<int>(system.block[at(i)][at(j)]); };
  picture.fill = {palette[0].outline, palette[0].fill, palette[1].fill};
  picture.legend = {{palette[0].outline, "a joint's own block"},
                    {palette[0].fill, "a module's base joint and a child joint"},
                    {palette[1].fill, "two child joints of one module"},
                    {empty, "zero"}};
  for (const SystemPattern::Group& group : system.groups)
    picture.frames.push_back({group.begin, group.end, ink,
                              fmt::format("{} solved together", counted(at(group.end - group.begin), "cut joint"))});
  return draw(picture);
}

}  // namespace kinetree::bench
