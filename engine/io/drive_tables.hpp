#pragma once
// Joint forces over time, as a file of states has them under `drives`.

#include <functional>
#include <kinetree/model.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/io/states.hpp"

namespace kinetree::inline inner {

/// Reads the value of `drives`, a list, into one table for each velocity that is driven. `say(element, message)`: adds
/// an error.
void read_drives(const nlohmann::json& drives, const Model& model, std::vector<DriveTable>& tables,
                 const std::function<void(const std::string&, const std::string&)>& say);

/// The tables as a list that read_drives reads, `by` seconds earlier: as they go on from the time `by`.
nlohmann::ordered_json drives_json(const std::vector<DriveTable>& tables, const Model& model, double by);

}  // namespace kinetree::inline inner
