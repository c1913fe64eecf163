#include "engine/io/mjcf_compile.hpp"

#include <cstring>
#include <filesystem>
#include <mutex>

#include "engine/io/mjcf_warnings.hpp"
#include "engine/io/plain_locale.hpp"

namespace kinetree::inline inner {
namespace {

struct DeleteFiles {
  void operator()(mjVFS* v) const { mj_deleteVFS(v), delete v; }
};

}  // namespace

std::unique_ptr<mjModel, DeleteMujoco> compile_mjcf(const std::string& text, const std::string& name, std::string& said,
                                                    std::vector<std::string>& warnings) try {
  static std::mutex one_at_a_time;  // MuJoCo keeps the last model it read in a global
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  const PlainLocale plain;
  const MujocoWarnings heard;
  const std::unique_ptr<mjVFS, DeleteFiles> files(new mjVFS);
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), mjcf_alias.c_str(), static_cast<int>(text.size()));
  const int place = mj_findFileVFS(files.get(), mjcf_alias.c_str());
  if (place < 0) {
    said = "takes no text of this size";
    return nullptr;
  }
  std::memcpy(files->filedata[place], text.data(), text.size());
  char error[1000] = "";
  const std::string path = (std::filesystem::path(name).parent_path() / mjcf_alias).string();
  std::unique_ptr<mjModel, DeleteMujoco> model(mj_loadXML(path.c_str(), files.get(), error, sizeof error));
  mj_freeLastXML();
  said = error;
  warnings = heard.said();
  return model;
} catch (const MujocoError& e) {
  said = e.what();
  return nullptr;
}

}  // namespace kinetree::inline inner
