#pragma once
// Runs `kinetree show` in this process and reads its pictures back.

#include <gtest/gtest.h>
#include <tinyxml2.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <kinetree/load_model.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "bench/command.hpp"
#include "engine/scalar/index.hpp"

namespace kinetree::bench::pictures {

namespace fs = std::filesystem;

struct Outcome {
  int status;
  std::string out, err;
};

inline Outcome run(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "kinetree");
  std::vector<const char*> argv;
  argv.reserve(arguments.size());
  for (const std::string& a : arguments) argv.push_back(a.c_str());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int status = run_command(static_cast<int>(argv.size()), argv.data());
  std::fflush(stdout);
  return {status, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

/// A folder of its own, gone when the test ends.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("kinetree_show_" + std::to_string(::getpid()) + "_" + next())) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  fs::path operator/(const std::string& name) const { return path_ / name; }
  std::string path() const { return path_.string(); }

 private:
  static std::string next() {
    static int count = 0;
    return std::to_string(++count);
  }
  fs::path path_;
};

inline std::string slurp(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline const std::vector<std::string> all_files{"digraph.svg", "adjacency.svg", "resolvent.svg", "mass_matrix.svg",
                                                "modules.svg", "system.svg",    "tasks.svg"};

/// A picture read back: its elements by class, in order.
class Picture {
 public:
  explicit Picture(const fs::path& file) {
    EXPECT_EQ(document_.LoadFile(file.c_str()), tinyxml2::XML_SUCCESS) << file << ": " << document_.ErrorStr();
    if (document_.RootElement() != nullptr) visit(*document_.RootElement());
  }
  const std::vector<const tinyxml2::XMLElement*>& operator[](const std::string& name) { return by_class_[name]; }
  std::string title() const { return document_.RootElement()->FirstChildElement("title")->GetText(); }
  bool has_text(const std::string& text) const { return texts_.count(text) > 0; }
  double smallest_letters() const { return smallest_letters_; }

 private:
  void visit(const tinyxml2::XMLElement& e) {
    if (const char* name = e.Attribute("class")) by_class_[name].push_back(&e);
    if (std::string(e.Name()) == "text" && e.GetText() != nullptr) {
      texts_.insert(e.GetText());
      smallest_letters_ = std::min(smallest_letters_, e.DoubleAttribute("font-size"));
    }
    for (const auto* c = e.FirstChildElement(); c != nullptr; c = c->NextSiblingElement()) visit(*c);
  }
  tinyxml2::XMLDocument document_;
  std::map<std::string, std::vector<const tinyxml2::XMLElement*>> by_class_;
  std::set<std::string> texts_;
  double smallest_letters_ = 1e9;
};

inline std::string tooltip(const tinyxml2::XMLElement& e) { return e.FirstChildElement("title")->GetText(); }
inline std::string fill(const tinyxml2::XMLElement& e) { return e.Attribute("fill"); }

using Blocks = std::vector<std::vector<std::string>>;  ///< fill of every block; empty: zero

/// The blocks that the areas cover; fails where two overlap or one leaves the matrix.
inline Blocks covered(Picture& picture, int size) {
  Blocks blocks(at(size), std::vector<std::string>(at(size)));
  for (const auto* e : picture["block"]) {
    const int row = e->IntAttribute("data-row"), column = e->IntAttribute("data-column");
    const int rows = e->IntAttribute("data-rows"), columns = e->IntAttribute("data-columns");
    EXPECT_TRUE(row >= 0 && column >= 0 && row + rows <= size && column + columns <= size);
    for (int i = row; i < std::min(size, row + rows); ++i)
      for (int j = column; j < std::min(size, column + columns); ++j) {
        EXPECT_EQ(blocks[at(i)][at(j)], "") << "two areas at " << i << ", " << j;
        blocks[at(i)][at(j)] = fill(*e);
      }
  }
  return blocks;
}

struct Pictured {
  std::string model;
  bool floating;
};
inline const std::vector<Pictured> cases{{"chain:1", false},
                                         {"chain:5", true},
                                         {"tree:2x4", false},
                                         {"comb:16", false},
                                         {"star:5x3", true},
                                         {"random:60:seed=5", false},
                                         {"random:200:seed=3", false},
                                         {KINETREE_MODELS "/quadruped.yaml", true},
                                         {KINETREE_MODELS "/humanoid.yaml", false}};

inline Model load(const Pictured& c) {
  const LoadOptions options{.floating_base = c.floating};
  return names_family(c.model) ? make_model(c.model, options) : load_model(c.model, options);
}

inline std::vector<std::string> command(const Pictured& c, const Folder& out, std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"show", c.model, "--out", out.path()});
  if (c.floating) more.push_back("--floating");
  return more;
}

}  // namespace kinetree::bench::pictures
