#pragma once
// What follows from every body's parent.

#include <vector>

#include "engine/model/model_data.hpp"

namespace kinetree::inline inner {

/// Fills subtree_end, children_begin, children and roots.
void connect(ModelData& model);

/// The body whose joint has an entry of q or v, by q_index or v_index.
int body_of_entry(const std::vector<int>& index, int entry);
/// The body whose joint has velocity v.
int body_of_velocity(const ModelData& m, int v);

/// Appends the velocities that move a body, ascending: those of the joints on the way from the ground to it. -1: none.
void append_path(const ModelData& m, int body, std::vector<int>& velocities);
/// Over links: how many velocities move each.
std::vector<int> path_lengths(const ModelData& m);

}  // namespace kinetree::inline inner
