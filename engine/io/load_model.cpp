#include <kinetree/finding.hpp>
#include <kinetree/load_model.hpp>
#include <kinetree/mjcf.hpp>
#include <kinetree/sdf.hpp>

#include "engine/model/file_text.hpp"
#include "engine/scalar/lower.hpp"

namespace kinetree {

namespace {

/// The text of a file, or a finding why there is none.
std::string read_text(const std::filesystem::path& file, std::vector<Finding>& findings) {
  return file_text(
      file, {.element = "file", .advice = "give the path of a .urdf, .xml (MJCF), .sdf, .world, .yaml or .yml file"},
      findings);
}

template <class Reader>
Reading read(const std::filesystem::path& file, Reader reader) {
  Reading reading;
  const std::string text = read_text(file, reading.findings);
  return has_error(reading.findings) ? reading : reader(text, file.string());
}

}  // namespace

Reading read_urdf(const std::filesystem::path& file) { return read(file, read_urdf_text); }
Reading read_yaml(const std::filesystem::path& file) { return read(file, read_yaml_text); }
Reading read_mjcf(const std::filesystem::path& file) { return read(file, read_mjcf_text); }
Reading read_sdf(const std::filesystem::path& file) { return read(file, read_sdf_text); }

Reading read_model(const std::filesystem::path& file) {
  const std::string ending = lower(file.extension().string());
  if (ending == ".urdf") return read_urdf(file);
  if (ending == ".yaml" || ending == ".yml") return read_yaml(file);
  if (ending == ".xml") return read_mjcf(file);
  if (ending == ".sdf" || ending == ".world") return read_sdf(file);
  Reading reading;
  if (read_text(file, reading.findings); has_error(reading.findings)) return reading;
  if (ending == ".xacro")
    reading.findings.push_back({Severity::error, file.string(), 0, "file",
                                "is for xacro, which writes URDF from it; run xacro first (xacro FILE > robot.urdf) "
                                "and give what it wrote"});
  else
    reading.findings.push_back(
        {Severity::error, file.string(), 0, "file",
         "the ending \"" + ending + "\" names no format; give a .urdf, .xml (MJCF), .sdf, .world, .yaml or .yml file"});
  return reading;
}

Model load_model(const std::filesystem::path& file, const LoadOptions& options) {
  Reading reading = read_model(file);
  return make_model(reading.description, options, std::move(reading.findings));
}

#if !KINETREE_WITH_MJCF || !KINETREE_WITH_SDF
/// What a reader says that was left out of this build for want of its library.
static Reading not_built(const std::string& name, const std::string& format, const std::string& package) {
  Reading reading;
  reading.description.file = name;
  reading.findings.push_back(
      {Severity::error, name, 0, "file",
       "this build of kinetree reads no " + format + "; install " + package + " and build kinetree again"});
  return reading;
}
#endif
#if !KINETREE_WITH_MJCF
Reading read_mjcf_text(const std::string&, const std::string& name) {
  return not_built(name, "MJCF", "libassimp-dev and libqhull-dev");
}
#endif
#if !KINETREE_WITH_SDF
Reading read_sdf_text(const std::string&, const std::string& name) {
  return not_built(name, "SDFormat", "libsdformat-dev");
}
#endif

}  // namespace kinetree
