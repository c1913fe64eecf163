#pragma once
// Kinematic modules: a tree of links read as a tree of serial chains (Shah, Saha & Dutt 2018, Sec. 2, App. A.1, A.2).
//
// The paper numbers modules and links base first, here both stand tips first: module i is its M_{s-i}, and the links of
// a module ascend from its last link, #n^i, to its first, #1^i. Its parent beta_i is ℘(i).

#include <kinetree/export.hpp>
#include <kinetree/sko/tree.hpp>
#include <stdexcept>

namespace kinetree::sko {

/// Thrown where a choice of modules is none; the message holds every finding, one a line.
class KINETREE_EXPORT InvalidModules : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A module by the names of its links, in any order.
struct ChosenModule {
  std::string name;
  std::vector<std::string> links;
};

/// A partition of a tree's links into serial modules: the links of one are a path, and child modules leave its last
/// link, the one farthest from the base. So a link that branches ends its module.
class KINETREE_EXPORT KinematicModules {
 public:
  /// The fewest modules: one per serial-chain segment. Named M1, M2, ..., as the paper would number them.
  static KinematicModules segments(const Tree& links);
  /// The most: every link is a module.
  static KinematicModules single_links(const Tree& links);
  /// The user's: any further split of the segments is one. Throws InvalidModules: no links, unknown or repeated names,
  /// links in no module or in two, modules that are not connected, that branch, or whose child leaves another link.
  static KinematicModules chosen(const Tree& links, const std::vector<ChosenModule>& choice);

  /// The tree of links that is partitioned.
  const Tree& links() const { return links_; }
  /// The tree of modules; ℘(i) is the module that holds the parent of i's first link.
  const Tree& tree() const { return tree_; }
  int size() const { return tree_.size(); }
  int module_of(int link) const { return module_of_[static_cast<std::size_t>(link)]; }
  /// Links of module i, ascending: the last link (`#n^i`) first.
  std::span<const int> links_of(int i) const { return members_[static_cast<std::size_t>(i)]; }
  /// `#1^i`, the link nearest the base.
  int first_link(int i) const { return links_of(i).back(); }
  /// `#n^i`, the link that child modules leave.
  int last_link(int i) const { return links_of(i).front(); }

 private:
  /// label[k]: any number that the links of one module share; name[label].
  KinematicModules(const Tree& links, const std::vector<int>& label, const std::vector<std::string>& name);

  Tree links_, tree_;
  std::vector<int> module_of_;
  std::vector<std::vector<int>> members_;
};

/// Throws InvalidModules unless the modules are of a tree with the same edges.
KINETREE_EXPORT void expect_modules_of(const KinematicModules& modules, const Tree& links);

}  // namespace kinetree::sko
