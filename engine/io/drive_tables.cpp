#include "engine/io/drive_tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "engine/io/json_text.hpp"
#include "engine/model/known_names.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree::inline inner {
namespace {

using nlohmann::json;

bool is_number(const json& x) { return x.is_number() && std::isfinite(x.get<double>()); }

class DrivesReader {
 public:
  DrivesReader(const Model& model, std::vector<DriveTable>& tables,
               const std::function<void(const std::string&, const std::string&)>& say)
      : model_(model), tables_(tables), say_(say) {}

  void read(const json& drives) {
    if (!drives.is_array()) return say_("drives", "is " + shown(drives) + "; give a list of drives");
    // each joint has one drive: more are errors, and a file may have millions
    const std::size_t most = at(model_.body_count()) + 1000;
    for (std::size_t k = 0; k < std::min(drives.size(), most); ++k) {
      const std::string element = "drive " + std::to_string(k);
      drives[k].is_object() ? read_drive(drives[k], element)
                            : say_(element, "is " + shown(drives[k]) + "; give an object with joint, times and tau");
    }
  }

 private:
  void read_drive(const json& drive, const std::string& element) {
    constexpr std::array<std::string_view, 4> known{"joint", "times", "tau", "between"};
    for (const auto& [key, value] : drive.items())
      if (std::ranges::find(known, key) == known.end())
        say_(element, "unknown key \"" + key + "\"" + if_meant(key, known) + "; known are joint, times, tau, between");
    for (const char* key : {"joint", "times", "tau"})
      if (!drive.contains(key)) return say_(element, std::string("has no ") + key + "; give joint, times and tau");
    const int body = body_of(drive["joint"], element);
    DriveTable table;
    if (drive.contains("between")) {
      const json& between = drive["between"];
      table.held = between == "held";
      if (!table.held && between != "linear")
        say_(element, "between is " + shown(between) + "; give \"linear\" or \"held\"");
    }
    if (!read_times(drive["times"], element, table.times) || body < 0) return;
    const ModelData& m = model_.data();
    const int first = m.v_index[at(body)], count = m.v_index[at(body + 1)] - first;
    std::vector<std::vector<double>> forces(at(count));
    if (!read_forces(drive["tau"], element, table.times.size(), forces)) return;
    table.joint = model_.joint_name(body);
    for (int e = 0; e < count; ++e) {
      table.velocity = first + e, table.forces = std::move(forces[at(e)]);
      tables_.push_back(table);
    }
  }

  /// -1, and an error: it names no joint, or one that another drive has.
  int body_of(const json& joint, const std::string& element) {
    const std::string name = joint.is_string() ? joint.get<std::string>() : shown(joint);
    const ModelData& m = model_.data();
    for (int i = 0; i < model_.body_count(); ++i) {
      if (model_.joint_name(i) != name) continue;
      if (!driven_.insert(name).second)
        return say_(element, "joint \"" + name + "\" has a drive already; give each joint one"), -1;
      return i;
    }
    NamesOf links{"link", {}};
    for (const Frame& frame : m.frames) links.names.push_back(frame.name);
    return say_(element, "\"" + name + "\" " + is_none_of({"moving joint", m.joint_name}, links, name)), -1;
  }

  bool read_times(const json& list, const std::string& element, std::vector<double>& times) {
    if (!list.is_array() || list.empty()) {
      say_(element, "times is " + shown(list) + "; give a list of times in s");
      return false;
    }
    for (std::size_t k = 0; k < list.size(); ++k) {
      const std::string place = "times (number " + std::to_string(k + 1) + ") is " + shown(list[k]);
      if (!is_number(list[k])) return say_(element, place + "; give a finite number"), false;
      times.push_back(list[k]);
      if (k > 0 && times[k] < times[k - 1])
        return say_(element, place + ", after " + number_text(times[k - 1]) + "; give times in ascending order"), false;
      if (k > 1 && times[k] == times[k - 2])
        return say_(element, place + " for the third time; a jump has a time twice"), false;
    }
    return true;
  }

  bool read_forces(const json& list, const std::string& element, std::size_t times,
                   std::vector<std::vector<double>>& forces) {
    const std::size_t count = forces.size();
    if (!list.is_array() || list.size() != times)
      return say_(element, "tau is " + shown(list) + " where a list of " + std::to_string(times) +
                               " belongs, one for each time"),
             false;
    for (std::size_t k = 0; k < times; ++k) {
      const json& row = list[k];
      const bool one = count == 1 && !row.is_array();
      bool good = one || (row.is_array() && row.size() == count);
      for (std::size_t e = 0; good && e < count; ++e) {
        good = is_number(one ? row : row[e]);
        if (good) forces[e].push_back(one ? row : row[e]);
      }
      if (!good)
        return say_(element, "tau (number " + std::to_string(k + 1) + ") is " + shown(row) + "; give " +
                                 (count == 1 ? "a finite number" : std::to_string(count) + " finite numbers")),
               false;
    }
    return true;
  }

  const Model& model_;
  std::vector<DriveTable>& tables_;
  const std::function<void(const std::string&, const std::string&)>& say_;
  std::set<std::string> driven_;
};

}  // namespace

void read_drives(const json& drives, const Model& model, std::vector<DriveTable>& tables,
                 const std::function<void(const std::string&, const std::string&)>& say) {
  DrivesReader(model, tables, say).read(drives);
}

nlohmann::ordered_json drives_json(const std::vector<DriveTable>& tables, const Model& model, double by) {
  nlohmann::ordered_json drives = nlohmann::ordered_json::array();
  for (std::size_t k = 0; k < tables.size();) {
    nlohmann::ordered_json times = nlohmann::ordered_json::array(), rows = times;
    const DriveTable& first = tables[k];
    const int body = model.body_of_velocity(first.velocity);
    const std::size_t count = at(model.data().v_index[at(body + 1)] - model.data().v_index[at(body)]);
    for (std::size_t r = 0; r < first.times.size(); ++r) {
      times.push_back(first.times[r] - by);
      std::vector<double> row;
      for (std::size_t e = 0; e < count; ++e) row.push_back(tables[k + e].forces[r]);
      count == 1 ? rows.push_back(row[0]) : rows.push_back(row);
    }
    drives.push_back({{"joint", first.joint}, {"times", times}, {"tau", rows}});
    if (first.held) drives.back()["between"] = "held";
    k += count;
  }
  return drives;
}

}  // namespace kinetree::inline inner
