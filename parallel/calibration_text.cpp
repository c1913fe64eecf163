// A calibration as text.
#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <initializer_list>
#include <kinetree/calibration.hpp>
#include <kinetree/finding.hpp>
#include <limits>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/io/whole_text.hpp"
#include "engine/model/file_text.hpp"
#include "engine/model/slips.hpp"
#include "engine/scalar/number_from.hpp"
#include "parallel/calibration_format.hpp"

namespace kinetree {
namespace {

const std::string heading = "kinetree calibration " + std::to_string(calibration_format);
constexpr std::size_t most_calibration_bytes = 1 << 16;  // about thirty times what one takes

struct Entry {
  std::string name;
  double* value;
  double least, most;  ///< both allowed; `positive` excludes zero
};

constexpr double any = std::numeric_limits<double>::max(), positive = std::numeric_limits<double>::denorm_min();

std::vector<Entry> entries(Calibration& c) {
  std::vector<Entry> all{{"ab", &c.ab, positive, any},
                         {"dial", &c.dial, positive, any},
                         {"lanes_2", &c.lanes[0], positive, any},
                         {"lanes_4", &c.lanes[1], positive, any},
                         {"lanes_8", &c.lanes[2], positive, any},
                         {"cache", &c.cache, 0, any},
                         {"caches", &c.caches, 1, any},
                         {"core_cache", &c.core_cache, 0, any},
                         {"disagreement", &c.disagreement, 0, any},
                         {"cores", &c.cores, 1, any},
                         {"line_transfer", &c.line_transfer, 0, any}};
  const auto add = [&](const std::string& of, std::initializer_list<std::pair<const char*, double*>> values) {
    for (const auto& [name, value] : values) all.push_back({of + name, value, 0, any});
  };
  for (std::size_t k = 0; k < c.bandwidths.caches.size(); ++k)
    add("cache_" + std::to_string(k + 1) + "_",
        {{"one", &c.bandwidths.caches[k].one}, {"all", &c.bandwidths.caches[k].all}});
  add("memory_", {{"one", &c.bandwidths.memory.one}, {"all", &c.bandwidths.memory.all}});
  for (const auto& [of, cost] :
       {std::pair{"messages_within_", &c.messages.within}, {"messages_between_", &c.messages.between}})
    add(of, {{"latency", &cost->latency}, {"bandwidth", &cost->bandwidth}});
  for (const auto& [executor, cost] : {std::pair{"tbb_", &c.tbb}, {"openmp_", &c.openmp}, {"team_", &c.team}}) {
    add(executor, {{"task", &cost->task},
                   {"fork", &cost->fork},
                   {"thread", &cost->thread},
                   {"meet", &cost->meet},
                   {"task_growth", &cost->task_growth},
                   {"meet_growth", &cost->meet_growth}});
    all.push_back({std::string(executor) + "efficiency_of_two", &cost->efficiency_of_two, positive, 1});
    all.push_back({std::string(executor) + "efficiency", &cost->efficiency, positive, 1});
  }
  return all;
}

std::string in_quotes(std::string_view text) { return '"' + std::string(text) + '"'; }

/// Reads every line and keeps what is wrong with it.
class CalibrationReader {
 public:
  explicit CalibrationReader(const std::string& file) : file_(file) {}

  Calibration read(const std::string& text) {
    if (!reads_to_its_end(text, file_, findings_)) throw InputError(std::move(findings_));
    std::istringstream stream(text);
    std::string line;
    if (!std::getline(stream, line) || line != heading)
      say(1, "calibration",
          "begins with " + in_quotes(line) + "; the first line is " + in_quotes(heading) +
              ": measure anew with `kinetree calibrate`");
    for (int number = 2; std::getline(stream, line); ++number) read_line(number, line);
    for (const Entry& entry : entries_)
      if (!given_[index(entry)])
        say(0, in_quotes(entry.name), "is missing; write the file by `kinetree calibrate --out FILE`");
    if (!findings_.empty()) throw InputError(std::move(findings_));
    return calibration_;
  }

 private:
  std::size_t index(const Entry& entry) const { return static_cast<std::size_t>(&entry - entries_.data()); }

  void read_line(int number, const std::string& line) {
    std::istringstream words(line);
    std::string name, value, more;
    if (!(words >> name)) return;
    words >> value >> more;
    const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.name == name; });
    if (entry == entries_.end()) {
      std::string known;
      std::vector<std::string_view> names;
      for (const Entry& e : entries_) {
        known.append(known.empty() ? "" : ", ").append(e.name);
        names.push_back(e.name);
      }
      return say(number, in_quotes(name),
                 "is no entry of a calibration" + if_meant(name, names) + "; known are " + known);
    }
    if (given_[index(*entry)]) return say(number, in_quotes(name), "is given twice; keep one of them");
    given_[index(*entry)] = true;
    const std::optional<double> x = number_from<double>(value);
    if (!x || !more.empty() || !(*x >= entry->least && *x <= entry->most))
      return say(number, in_quotes(name),
                 "is " + in_quotes(more.empty() ? value : value + ' ' + more) + "; give one finite number " +
                     (entry->least == 1  ? ">= 1"
                      : entry->least > 0 ? "> 0"
                                         : ">= 0") +
                     (entry->most == 1 ? ", at most 1" : ""));
    *entry->value = *x;
  }

  void say(int line, std::string element, std::string message) {
    findings_.push_back({Severity::error, file_, line, std::move(element), std::move(message)});
  }

  const std::string& file_;
  Calibration calibration_;
  std::vector<Entry> entries_ = entries(calibration_);
  std::vector<bool> given_ = std::vector<bool>(entries_.size());
  std::vector<Finding> findings_;
};

}  // namespace

std::string to_text(const Calibration& calibration) {
  Calibration copy = calibration;
  std::string text(heading);
  for (const Entry& entry : entries(copy)) {
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), *entry.value).ptr;  // reads back equal
    text.append("\n").append(entry.name).append(" ").append(digits.data(), end);
  }
  return text + '\n';
}

Calibration read_calibration(const std::string& text, const std::string& file) {
  return CalibrationReader(file).read(text);
}

void save_calibration(const Calibration& calibration, const std::string& file) {
  std::ofstream stream(file);
  stream << to_text(calibration) << std::flush;
  if (!stream) throw InputError({{Severity::error, file, 0, "calibration", "can't be written; name a file that can"}});
}

Calibration load_calibration(const std::string& file) {
  const FileRules rules{.element = "calibration",
                        .advice = "name a file that `kinetree calibrate --out` wrote",
                        .most_bytes = most_calibration_bytes};
  return read_calibration(file_text(file, rules), file);
}

}  // namespace kinetree
