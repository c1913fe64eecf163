#pragma once
// Whether forces between points can act: their names, ends and numbers. A Description's are asked, and a caller's own.

#include <kinetree/description.hpp>
#include <kinetree/finding.hpp>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "engine/model/known_names.hpp"
#include "engine/model/number_checks.hpp"

namespace kinetree::inline inner {

class PointForceChecker : NumberChecks {
 public:
  PointForceChecker(const std::vector<std::string>& links, const std::string& file, std::vector<Finding>& findings)
      : NumberChecks(file, findings), links_(links), known_(links.begin(), links.end()), findings_(findings) {}

  void check(const PointForceDescription& f) {
    const std::string element = "force \"" + f.name + "\"";
    if (f.name.empty()) say(Severity::error, f.line, "force", "has no name; give every force one");
    if (!names_.insert(f.name).second && !f.name.empty())
      say(Severity::error, f.line, element, "the name is taken by another force; names must be unique");
    check_end(f, element, "first", f.first);
    check_end(f, element, "second", f.second);
    if (f.first.body == f.second.body)
      say(Severity::error, f.line, element,
          "both ends are on \"" + f.first.body + "\"; a force acts between points of two links");
    bool numbers = not_negative(f, element, "stiffness", f.stiffness, " N/m");  // all are told
    numbers = not_negative(f, element, "length", f.length, " m") && numbers;
    numbers = not_negative(f, element, "damping", f.damping, " N s/m") && numbers;
    numbers = finite(f.line, element, "force", &f.force, 1) && numbers;
    if (!numbers) return;
    if (f.stiffness == 0 && f.damping == 0 && f.force == 0)
      say(Severity::error, f.line, element, "is always zero; give stiffness, damping or force");
    else if (f.stiffness == 0 && f.length != 0)
      say(Severity::warning, f.line, element,
          "length " + number(f.length) + " does nothing, since the stiffness is 0; give stiffness, or leave it out");
  }

 private:
  void check_end(const PointForceDescription& f, const std::string& element, const std::string& which,
                 const PointForceDescription::End& end) {
    if (end.body != "world" && known_.count(end.body) == 0)
      say(Severity::error, f.line, element,
          "\"" + end.body + "\" is no link of this model; give a link's name, or world" +
              nearest_of(
                  end.body, links_, [](const std::string& name) { return name; }, findings_.size()));
    finite(f.line, element, (which + " point").c_str(), end.xyz.data(), 3);
  }

  bool not_negative(const PointForceDescription& f, const std::string& element, const char* field, double x,
                    const char* unit) {
    if (!finite(f.line, element, field, &x, 1)) return false;
    if (x < 0)
      say(Severity::error, f.line, element,
          std::string(field) + " " + number(x) + unit + " is negative; give a number >= 0");
    return x >= 0;
  }

  const std::vector<std::string>& links_;
  std::unordered_set<std::string_view> known_, names_;
  std::vector<Finding>& findings_;
};

/// Adds a finding for every fault. `links`: the names of all links but `world`.
inline void check_point_forces(const std::vector<PointForceDescription>& forces, const std::vector<std::string>& links,
                               const std::string& file, std::vector<Finding>& findings) {
  PointForceChecker checker(links, file, findings);
  for (const PointForceDescription& f : forces) checker.check(f);
}

}  // namespace kinetree::inline inner
