#include <algorithm>
#include <kinetree/sko/kinematic_modules.hpp>
#include <kinetree/sko/segments.hpp>
#include <map>

#include "engine/scalar/index.hpp"

namespace kinetree::sko {

namespace {

std::string listed(const Tree& links, const std::vector<int>& some) {
  std::string text;
  for (const int k : some) text += (text.empty() ? "'" : ", '") + links.name(k) + "'";
  return text;
}

/// What is wrong with a choice of modules, in sentences.
struct Findings {
  std::string text;

  void say(const std::string& sentence) { text += "\n  " + sentence; }
  void module(const std::string& name, const std::string& sentence) { say("module '" + name + "': " + sentence); }
};

/// label[k] = index of the chosen module that holds link k, -1: none.
std::vector<int> labels_of(const Tree& links, const std::vector<ChosenModule>& choice, Findings& findings) {
  std::map<std::string, int> link_named, module_named;
  for (int k = 0; k < links.size(); ++k)
    if (!link_named.emplace(links.name(k), k).second)
      findings.say("two links of the tree are named '" + links.name(k) + "'; name links apart to choose modules");
  std::vector<int> label(at(links.size()), -1);
  for (std::size_t m = 0; m < choice.size(); ++m) {
    const std::string& name = choice[m].name;
    if (!module_named.emplace(name, m).second) findings.module(name, "two modules have this name; rename one");
    if (choice[m].links.empty()) findings.module(name, "has no links; give it one or leave it out");
    for (const std::string& link : choice[m].links) {
      const auto found = link_named.find(link);
      if (found == link_named.end()) {
        findings.module(name, "'" + link + "' is no link of this tree");
      } else if (int& l = label[at(found->second)]; l >= 0) {
        findings.module(name, "link '" + link + "' is in module '" + choice[at(l)].name +
                                  "' already; every link is in one module, once");
      } else {
        l = static_cast<int>(m);
      }
    }
  }
  for (int k = 0; k < links.size(); ++k)
    if (label[at(k)] < 0)
      findings.say("link '" + links.name(k) + "' is in no module; every link is in one: add it to one, or as its own");
  return label;
}

/// Rules of a serial module: connected, without branches, children at its last link only (Shah et al. 2018, A.1, A.2).
void check_serial(const Tree& links, const std::vector<int>& label, const std::vector<ChosenModule>& choice,
                  Findings& findings) {
  std::vector<std::vector<int>> first(choice.size());
  gather(links, [&](int k) {
    const int m = label[at(k)];
    if (m < 0) return;
    if (const int p = links.parent(k); p < 0 || label[at(p)] != m) first[at(m)].push_back(k);
    std::vector<int> inside, outside;
    for (const int c : links.children(k)) (label[at(c)] == m ? inside : outside).push_back(c);
    if (inside.size() > 1)
      findings.module(choice[at(m)].name, "links " + listed(links, inside) + " both hang from '" + links.name(k) +
                                              "'; a module is a serial chain: end it at '" + links.name(k) + "'");
    else if (inside.size() == 1 && !outside.empty())
      findings.module(choice[at(m)].name,
                      "link " + listed(links, outside) + " of another module leaves '" + links.name(k) +
                          "', which is not its last link (" + listed(links, inside) +
                          " follows); child modules leave the last link: end it at '" + links.name(k) + "'");
  });
  for (std::size_t m = 0; m < choice.size(); ++m)
    if (first[m].size() > 1)
      findings.module(choice[m].name, "its links are not connected: " + listed(links, first[m]) +
                                          " hang from links outside it; a module is one serial chain");
}

}  // namespace

KinematicModules::KinematicModules(const Tree& links, const std::vector<int>& label,
                                   const std::vector<std::string>& name)
    : links_(links), module_of_(at(links.size()), -1) {
  // modules ascend with their first links: a child's first link is below its parent's
  std::vector<int> first;
  for (int k = 0; k < links.size(); ++k)
    if (const int p = links.parent(k); p < 0 || label[at(p)] != label[at(k)]) first.push_back(k);
  members_.resize(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) module_of_[at(first[i])] = static_cast<int>(i);
  scatter(links, [&](int k) {
    if (module_of_[at(k)] < 0) module_of_[at(k)] = module_of_[at(links.parent(k))];
  });
  for (int k = 0; k < links.size(); ++k) members_[at(module_of(k))].push_back(k);
  std::vector<int> parent;
  std::vector<std::string> names;
  for (const int k : first) {
    parent.push_back(links.parent(k) < 0 ? -1 : module_of(links.parent(k)));
    names.push_back(name.empty() ? "M" + std::to_string(first.size() - names.size()) : name[at(label[at(k)])]);
  }
  tree_ = Tree(std::move(parent), std::move(names));
}

KinematicModules KinematicModules::segments(const Tree& links) {
  return {links, serial_chain_segments(links).segment_of, {}};
}

KinematicModules KinematicModules::single_links(const Tree& links) {
  std::vector<int> label;
  std::vector<std::string> name;
  for (int k = 0; k < links.size(); ++k) {
    label.push_back(k);
    name.push_back(links.name(k));
  }
  return {links, label, name};
}

KinematicModules KinematicModules::chosen(const Tree& links, const std::vector<ChosenModule>& choice) {
  Findings findings;
  const std::vector<int> label = labels_of(links, choice, findings);
  check_serial(links, label, choice, findings);
  if (!findings.text.empty()) throw InvalidModules("these are no serial modules of the tree:" + findings.text);
  std::vector<std::string> name;
  for (const ChosenModule& m : choice) name.push_back(m.name);
  return {links, label, name};
}

void expect_modules_of(const KinematicModules& modules, const Tree& links) {
  if (!std::ranges::equal(modules.links().parents(), links.parents()))
    throw InvalidModules("modules of a tree of " + std::to_string(modules.links().size()) + " links meet a model of " +
                         std::to_string(links.size()) + " nodes on another tree; decompose the model's own tree()");
}

}  // namespace kinetree::sko
