#pragma once
// A URDF's <gazebo> elements, which libsdformat takes into the SDFormat that Gazebo runs ("SDFormat extensions to
// URDF", sdformat.org): springs of joints, joints that close loops, plugins that make joints follow others. The rest is
// named: once for all what has no part in the dynamics, and apart what has one and is not read.

#include <map>

#include "engine/io/urdf_extension.hpp"

namespace kinetree::inline inner {

class UrdfGazebo : public UrdfExtension {
 public:
  using UrdfExtension::UrdfExtension;

 private:
  void read(const XMLElement& e) override;
  void finish() override;
  void read_of_robot(const XMLElement& e);
  void read_of_link(const XMLElement& e);
  void read_word_of_link(const XMLElement& e);
  void read_of_joint(const XMLElement& e, const std::string& joint);
  void read_plugin(const XMLElement& e);
  /// A joint beside those of the tree.
  void read_loop(const XMLElement& e);
  bool read_loop_axis(const XMLElement& e, const char* tag, const std::string& element, const Placement& frame,
                      Numbers3& axis);
  /// What is none of the words that are known there.
  void read_other(const XMLElement& e, const std::vector<std::string_view>& known, const std::string& in);

  /// Where a link's frame is in the model's where every joint is at zero; a joint's is that of its link. Null: there is
  /// no such link or joint.
  const Placement* place_of(const std::string& name);
  std::map<std::string, Placement> places_;

  struct Spring {
    const XMLElement *stiffness = nullptr, *reference = nullptr;
  };
  std::map<std::string, Spring> springs_;  ///< by joint: several elements may be of one
};

}  // namespace kinetree::inline inner
