#pragma once
// Default classes of MJCF.

#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/mjcf_reading.hpp"

namespace kinetree::inline inner {

class MjcfDefaults {
 public:
  /// A class: each kind of element's attributes, its own and those of the classes around it.
  class Class {
   public:
    /// Null: nothing is said of such elements.
    const MjcfAttributes* of(std::string_view tag) const;

   private:
    friend class MjcfDefaults;
    std::array<std::shared_ptr<const MjcfAttributes>, 8> said_;
  };

  /// Reads the <default> sections of a file. Errors: a class without a name or named twice.
  void read(MjcfReading& r, const MjcfElement& root);

  const Class& main() const { return main_; }
  /// Null: there is none of that name.
  const Class* named(std::string_view name) const;
  /// The class of an element: its own, else `around`; with an error where there is none of that name.
  const Class& of(MjcfReading& r, const MjcfElement& e, const char* attribute, const Class& around) const;

 private:
  void take(MjcfReading& r, const MjcfElement& e, Class& into);

  std::map<std::string_view, std::unique_ptr<Class>> classes_;
  std::set<std::string_view> names_of_main_;
  Class main_;
};

}  // namespace kinetree::inline inner
