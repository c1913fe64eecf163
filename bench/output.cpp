#include "bench/output.hpp"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>
#include <system_error>

namespace kinetree::bench {

namespace fs = std::filesystem;

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder))
    throw std::runtime_error(fmt::format("can't make the folder {} ({}): name one that may be written", folder.string(),
                                         error ? error.message() : "a file of that name is there"));
}

void write_file(const fs::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  if (!stream.flush()) throw std::runtime_error("can't write " + file.string() + ": name a folder that may be written");
}

void write_and_tell(const fs::path& file, const std::string& text) {
  write_file(file, text);
  fmt::print("{}\n", fs::absolute(file).lexically_normal().string());
}

}  // namespace kinetree::bench
