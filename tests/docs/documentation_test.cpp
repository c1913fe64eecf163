// docs/results.md maps the papers' results to functions and tests: every number is there, every name is one.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <kinetree/joint_type.hpp>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path root = fs::path(KINETREE_MODELS).parent_path().parent_path();

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  EXPECT_TRUE(stream) << "can't read " << file;
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

struct Row {
  std::string heading;  ///< what it stands under
  std::vector<std::string> cells;
};

/// The rows of a page's tables. Their header rows begin with `title`.
std::vector<Row> rows_of(const char* page, const std::string& title, std::size_t columns) {
  std::vector<Row> rows;
  std::istringstream lines(text_of(root / "docs" / page));
  std::string heading;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("## ", 0) == 0) heading = line.substr(3);
    if (line.rfind("| ", 0) != 0 || line.rfind("| " + title, 0) == 0 || line.rfind("| ---", 0) == 0) continue;
    Row row{heading, {}};
    for (std::size_t begin = 1; begin < line.size();) {
      const std::size_t end = std::min(line.find('|', begin), line.size());
      row.cells.push_back(line.substr(begin, end - begin));
      begin = end + 1;
    }
    EXPECT_EQ(row.cells.size(), columns) << line;
    if (row.cells.size() == columns) rows.push_back(row);
  }
  return rows;
}

/// Result, what, computed by, checked by; the heading is the paper.
std::vector<Row> table() { return rows_of("results.md", "result", 4); }

/// "Lemma 1; Eq. 4 to 6" is Lemma 1, Eq. 4, Eq. 5, Eq. 6.
std::vector<std::string> results_of(const std::string& cell) {
  static const std::regex group("(Lemma|Cor\\.|Alg\\.|Eq\\.|Assumption) ((?:[A0-9., ]|to)+)"), item("[^,]+"),
      range("\\s*(A\\.)?(\\d+) to (?:A\\.)?(\\d+)\\s*");
  std::vector<std::string> results;
  for (std::sregex_iterator g(cell.begin(), cell.end(), group), none; g != none; ++g) {
    const std::string kind = (*g)[1].str() + " ", numbers = (*g)[2].str();
    for (std::sregex_iterator i(numbers.begin(), numbers.end(), item); i != none; ++i) {
      const std::string one = i->str();
      if (std::smatch m; std::regex_match(one, m, range)) {
        for (int k = std::stoi(m[2]); k <= std::stoi(m[3]); ++k)
          results.push_back(kind + m[1].str() + std::to_string(k));
      } else {
        const std::size_t begin = one.find_first_not_of(' '), end = one.find_last_not_of(' ');
        if (begin != std::string::npos) results.push_back(kind + one.substr(begin, end + 1 - begin));
      }
    }
  }
  return results;
}

/// The names between backticks.
std::vector<std::string> names_in(const std::string& cell) {
  static const std::regex name("`([^`]+)`");
  std::vector<std::string> names;
  for (std::sregex_iterator n(cell.begin(), cell.end(), name), none; n != none; ++n) names.push_back((*n)[1]);
  return names;
}

bool declares(const std::string& text, const std::string& name) {
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !in_word(text[at - 1])) && (end == text.size() || !in_word(text[end]))) return true;
  }
  return false;
}

TEST(Documentation, ResultsTableIsComplete) {
  std::map<std::string, std::multiset<std::string>> found;
  for (const Row& row : table())
    for (const std::string& result : results_of(row.cells[0]))
      found[row.heading.substr(0, row.heading.find(','))].insert(result);
  struct Paper {
    const char* name;
    int lemmas, equations;
    const char* before_number;
    std::vector<std::string> others;
  };
  for (const Paper& paper :
       {Paper{"Jain 2011",
              12,
              63,
              "Eq. ",
              {"Cor. 3.1", "Cor. 6.1", "Alg. 3.1", "Alg. 4.1", "Alg. 4.2", "Alg. 4.3", "Alg. 6.1"}},
        {"Jain 2012", 9, 45, "Eq. ", {"Cor. 3.1", "Cor. 4.1", "Cor. 6.1", "Assumption 1"}},
        {"Jain 2012 II", 10, 61, "Eq. ", {"Cor. 8.1", "Alg. 6.1", "Assumption 1"}},
        {"Shah", 0, 22, "Eq. A.", {}},
        {"Featherstone & Fijany 1999", 0, 16, "Eq. ", {}}}) {
    std::multiset<std::string> expected(paper.others.begin(), paper.others.end());
    for (int k = 1; k <= paper.lemmas; ++k) expected.insert("Lemma " + std::to_string(k));
    for (int k = 1; k <= paper.equations; ++k) expected.insert(paper.before_number + std::to_string(k));
    std::vector<std::string> missing, extra;
    const auto& here = found[paper.name];
    std::set_difference(expected.begin(), expected.end(), here.begin(), here.end(), std::back_inserter(missing));
    std::set_difference(here.begin(), here.end(), expected.begin(), expected.end(), std::back_inserter(extra));
    EXPECT_EQ(missing, std::vector<std::string>{}) << paper.name << ": not in docs/results.md";
    EXPECT_EQ(extra, std::vector<std::string>{}) << paper.name << ": twice in docs/results.md, or no result of it";
  }
}

TEST(Documentation, ResultsTableNamesWhatExists) {
  std::set<std::string> tests;
  const auto& all = *::testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s)
    for (int t = 0; t < all.GetTestSuite(s)->total_test_count(); ++t)
      tests.insert(std::string(all.GetTestSuite(s)->name()) + "." + all.GetTestSuite(s)->GetTestInfo(t)->name());
  int functions = 0, checks = 0;
  for (const Row& row : table()) {
    const bool there = row.cells[1].find("*not there*") == std::string::npos;
    const std::vector<std::string> computed = names_in(row.cells[2]), checked = names_in(row.cells[3]);
    EXPECT_EQ(there, !computed.empty()) << row.cells[0] << ": a function, or *not there* and the reason";
    EXPECT_TRUE(!there || !checked.empty()) << row.cells[0] << " is checked by nothing";
    for (const std::string& name : computed) {
      const std::size_t colon = name.find(':');
      ASSERT_NE(colon, std::string::npos) << name << ": want header:function";
      const std::string header = name.substr(0, colon), function = name.substr(colon + 1);
      const fs::path file = root / (header.find('/') == std::string::npos ? "include/kinetree/sko/" + header : header);
      ASSERT_TRUE(fs::exists(file)) << row.cells[0] << " names " << name << ", but there is no " << file;
      EXPECT_TRUE(declares(text_of(file), function)) << row.cells[0] << ": no " << function << " in " << file;
      ++functions;
    }
    for (const std::string& name : checked) {
      EXPECT_EQ(tests.count(name), 1U) << row.cells[0] << " names the test " << name << ", which is none";
      ++checks;
    }
  }
  EXPECT_GT(functions, 100);
  EXPECT_GT(checks, 100);
}

/// docs/tasks.md names calls by header, and programs by model.
TEST(Documentation, TasksNameWhatExists) {
  int calls = 0;
  for (const Row& row : rows_of("tasks.md", "task", 3)) {
    const std::string where = names_in(row.cells[2]).at(0);
    const fs::path header = root / "include/kinetree" / where;
    EXPECT_TRUE(fs::exists(header) || fs::exists(root / where)) << "docs/tasks.md names " << where;
    for (const std::string& name : names_in(row.cells[1])) {
      const std::string function = name.substr(0, name.find('('));
      EXPECT_TRUE(fs::exists(header) ? declares(text_of(header), function) : fs::exists(root / name))
          << "docs/tasks.md: no " << function << " in " << where;
      ++calls;
    }
  }
  EXPECT_GT(calls, 40);
}

/// docs/recursions.md lists walks by folder, file and function.
TEST(Documentation, RecursionsNameWhatExists) {
  int walks = 0;
  for (const Row& row : rows_of("recursions.md", "where", 3)) {
    fs::path file;
    for (const std::string& name : names_in(row.cells[0])) {
      if (name.find('.') != std::string::npos) {
        file = root / row.heading / name;
        EXPECT_TRUE(fs::exists(file)) << "docs/recursions.md names " << file;
        continue;
      }
      const std::string function = name.substr(name.rfind(':') + 1);
      EXPECT_TRUE(fs::exists(file) && declares(text_of(file), function)) << "no " << name << " in " << file;
      ++walks;
    }
  }
  EXPECT_GT(walks, 20);
}

/// One recursion: in the operator layer, loops that follow parents are in Tree::path_up alone.
TEST(Documentation, OnlyTreeClimbsInTheOperatorLayer) {
  static const std::regex climbs("(for|while) \\(.*[^:]parent\\(");
  int seen = 0;
  for (const fs::path& folder : {root / "engine" / "sko", root / "include" / "kinetree" / "sko"})
    for (const auto& entry : fs::directory_iterator(folder)) {
      std::istringstream lines(text_of(entry.path()));
      for (std::string line; std::getline(lines, line);) {
        if (!std::regex_search(line, climbs)) continue;
        EXPECT_EQ(entry.path().filename(), "tree.cpp") << line << "\ngather, scatter, or take path_up";
        ++seen;
      }
    }
  EXPECT_EQ(seen, 1);
}

std::string without_spaces(std::string text) {
  std::erase_if(text, [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; });
  return text;
}

/// The example of docs/using.md is part of a program that is built against the installed package, and run.
TEST(Documentation, UsingsOperatorExampleIsTheConsumers) {
  const std::string program = without_spaces(text_of(root / "tests" / "consumer" / "operators.cpp"));
  const std::string page = text_of(root / "docs" / "using.md"), title = "\n## The operator layer\n";
  const std::size_t begin = page.find(title), end = page.find("\n## ", begin + 1);
  ASSERT_NE(begin, std::string::npos);
  std::istringstream lines(page.substr(begin, end - begin));
  int compared = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("    ", 0) != 0 || line.find("sko::") == std::string::npos || line.back() == ')') continue;
    EXPECT_NE(program.find(without_spaces(line)), std::string::npos) << line;
    ++compared;
  }
  EXPECT_GT(compared, 6);
}

/// The table of conventions has every joint type, in the order of the enumeration, with as many names as it has
/// positions.
TEST(Documentation, ConventionsAreOfEveryJointType) {
  std::istringstream lines(text_of(root / "docs" / "conventions.md"));
  std::size_t seen = 0;
  const std::regex row("\\| `(\\w+)` \\| ([^|]+) \\|.*");
  std::smatch cells;
  for (std::string line; std::getline(lines, line);) {
    if (line == "## Vectors, frames, numbering") break;
    if (!std::regex_match(line, cells, row)) continue;
    ASSERT_LT(seen, kinetree::joint_type_names.size()) << line;
    const auto type = static_cast<kinetree::JointType>(seen++);
    const std::string names = cells[2];
    EXPECT_EQ(cells[1].str(), kinetree::name_of(type));
    EXPECT_EQ(names == "none" ? 0 : 1 + std::count(names.begin(), names.end(), ','), kinetree::position_count(type))
        << line;
  }
  EXPECT_EQ(seen, kinetree::joint_type_names.size());
}

/// The public header repeats the table's cells, without backquotes.
TEST(Documentation, ConventionsStandInThePublicHeaderToo) {
  const std::string header = text_of(root / "include" / "kinetree" / "kinetree.hpp");
  std::istringstream lines(text_of(root / "docs" / "conventions.md"));
  int compared = 0;
  for (std::string line; std::getline(lines, line) && line != "## Vectors, frames, numbering";) {
    if (line.rfind("| `", 0) != 0) continue;
    std::string row = line.substr(2);
    std::erase(row, '`');
    row.erase(row.find_last_not_of(" |") + 1);
    EXPECT_NE(header.find("\n// " + row), std::string::npos) << row;
    ++compared;
  }
  EXPECT_EQ(compared, kinetree::joint_type_names.size());
}

/// Rooms include what stands below them in docs/design.md, and the public words; a face is for its own implementation
/// and for the rooms above.
TEST(Documentation, NoRoomIncludesOneAboveIt) {
  const std::vector<std::string> rooms{"engine", "parallel", "library", "simulation", "mpi", "bench", "tests"};
  const std::map<std::string, std::size_t> faces{{"forward_dynamics", 2}, {"workspace", 2},   {"configuration", 2},
                                                 {"kinetree", 2},         {"simulation/", 3}, {"mpi/", 4}};
  const auto rank = [&](const std::string& room) {
    return static_cast<std::size_t>(std::find(rooms.begin(), rooms.end(), room) - rooms.begin());
  };
  const std::regex include("#include ([<\"])(kinetree/)?(\\w+/?).*");
  int seen = 0;
  for (std::size_t own = 0; own < rank("bench"); ++own)
    for (const auto& entry : fs::recursive_directory_iterator(root / rooms[own])) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
      std::istringstream lines(text_of(entry.path()));
      std::smatch words;
      for (std::string line; std::getline(lines, line);) {
        if (!std::regex_match(line, words, include)) continue;
        const std::string name = words[3];
        if (words[1] == "\"") {
          ASSERT_EQ(name.back(), '/') << entry.path() << ": " << line
                                      << "\nprivate headers by their path from the root";
          EXPECT_LE(rank(name.substr(0, name.size() - 1)), own) << entry.path() << ": " << line;
        } else if (const auto face = faces.find(name); words[2].matched && face != faces.end()) {
          EXPECT_LE(face->second, own) << entry.path() << ": " << line;
        }
        ++seen;
      }
    }
  for (const auto& entry : fs::recursive_directory_iterator(root / "include"))
    if (entry.is_regular_file()) {
      EXPECT_EQ(text_of(entry.path()).find("#include \""), std::string::npos)
          << entry.path() << " includes a private header";
    }
  EXPECT_GT(seen, 1000);
}

/// Comments send a reader to headings of docs/design.md, to pages and to files that there are.
TEST(Documentation, CommentsNameWhatExists) {
  std::set<std::string> headings, names;
  std::istringstream design(text_of(root / "docs/design.md"));
  for (std::string line; std::getline(design, line);)
    if (line.rfind('#', 0) == 0) headings.insert(line.substr(line.find_last_of("#.") + 2));
  const std::vector<std::string> rooms{"engine", "parallel", "library", "simulation", "bench", "include", "tests"};
  for (const std::string& room : rooms)
    for (const auto& entry : fs::recursive_directory_iterator(root / room)) names.insert(entry.path().filename());
  for (const auto& page : fs::directory_iterator(root / "docs")) names.insert(page.path().filename());
  const std::regex design_part("\\(design: ([^;)]*)"), file("([\\w/]+\\.(?:hpp|cpp|md))\\b");
  int seen = 0;
  for (const std::string& room : rooms)
    for (const auto& entry : fs::recursive_directory_iterator(root / room)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
      std::istringstream lines(text_of(entry.path()));
      for (std::string line; std::getline(lines, line);) {
        const std::size_t comment = line.find("//");
        if (comment == std::string::npos) continue;
        std::string text = line.substr(comment);
        std::smatch words;
        if (std::regex_search(text, words, design_part)) {
          EXPECT_EQ(headings.count(words[1]), 1U) << entry.path() << ": " << text;
          ++seen;
        }
        for (; std::regex_search(text, words, file); text = words.suffix(), ++seen) {
          const std::string name = words[1];
          if (name.front() == '_') continue;  // the end of names
          EXPECT_TRUE(names.count(fs::path(name).filename()) == 1 || fs::exists(root / name))
              << entry.path() << " names " << name;
        }
      }
    }
  EXPECT_GT(seen, 50);
}

/// A newcomer who wants plain articulated bodies reads no more than this.
TEST(Documentation, ArticulatedBodiesIncludeFewFiles) {
  const std::string first = "engine/algorithm/articulated_body.hpp";
  const std::regex include("#include [<\"]([\\w/]+\\.hpp)[>\"].*");
  std::set<std::string> seen;
  std::vector<std::string> left{first};
  while (!left.empty()) {
    const std::string file = left.back();
    left.pop_back();
    std::istringstream lines(text_of(root / file));
    std::smatch words;
    for (std::string line; std::getline(lines, line);) {
      if (!std::regex_match(line, words, include)) continue;
      for (const std::string& folder : {std::string(), std::string("include/")})
        if (fs::exists(root / (folder + words[1].str())) && seen.insert(folder + words[1].str()).second)
          left.push_back(folder + words[1].str());
    }
  }
  EXPECT_LE(seen.size(), 26);
  EXPECT_TRUE(seen.count("engine/algorithm/kinematics.hpp"));
  for (const std::string& file : seen)
    for (const char* word : {"lanes", "loop", "aggregate", "multipliers", "dial", "constraint"})
      EXPECT_EQ(file.find(word), std::string::npos) << file;
  const std::string text = text_of(root / first);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 150);
}

}  // namespace
