#include <kinetree/sko/space.hpp>

namespace kinetree::sko {

namespace {

std::vector<int> offsets(const std::string& name, const Tree& tree, const std::vector<int>& size, const char* what) {
  if (size.size() != static_cast<std::size_t>(tree.size()))
    throw std::invalid_argument("SKO model " + name + ": " + std::to_string(size.size()) + " " + what + " sizes for " +
                                std::to_string(tree.size()) + " nodes");
  std::vector<int> offset{0};
  for (std::size_t k = 0; k < size.size(); ++k) {
    if (size[k] < 0)
      throw std::invalid_argument("SKO model " + name + ": node " + tree.name(static_cast<int>(k)) + " has a " + what +
                                  " of size " + std::to_string(size[k]));
    offset.push_back(offset.back() + size[k]);
  }
  return offset;
}

}  // namespace

Space::Space(std::string name, Tree tree, const std::vector<int>& node_size, const std::vector<int>& joint_size)
    : name_(std::move(name)),
      tree_(std::move(tree)),
      node_offset_(offsets(name_, tree_, node_size, "node velocity")),
      joint_offset_(offsets(name_, tree_, joint_size, "joint velocity")) {}

void expect_same(const SpaceRef& a, const SpaceRef& b, const char* doing) {
  if (a != b)
    throw IncompatibleOperators(std::string(doing) + ": operators of two SKO models, '" + a->name() + "' and '" +
                                b->name() + "', do not combine (Jain 2011, Sec. 2.3)");
}

void expect_same(Kind a, Kind b, const char* doing) {
  const auto word = [](Kind kind) { return kind == Kind::node ? "node" : "joint"; };
  if (a != b) throw IncompatibleOperators(std::string(doing) + ": " + word(a) + " rows meet " + word(b) + " rows");
}

}  // namespace kinetree::sko
