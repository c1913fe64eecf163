#pragma once
// The tasks that one state goes over on several threads, with their operations and the critical path.

#include <kinetree/model.hpp>
#include <string>
#include <vector>

#include "bench/show/dial_pictures.hpp"
#include "engine/algorithm/method.hpp"
#include "parallel/tasks.hpp"

namespace kinetree::bench {

/// The tasks of a run, counted. In a gather a task waits for its children, in a scatter for its parent; passes over
/// constraint forces at the end have no order.
struct TaskGraph {
  int threads = 1;
  Modules modules;
  Tasks tasks;
  std::vector<double> operations;  ///< over tasks: of all passes of a state
  std::vector<double> in_order;    ///< over tasks: of its gathers and scatters
  std::vector<bool> critical;      ///< over tasks: on the way to the ground with the most of these
  double work = 0;                 ///< operations of all tasks
  double at_once = 0;              ///< of the heaviest task in each pass without an order
  double depth = 0;                ///< of the critical path, in order, and at once: no schedule takes less
  double level_depth = 0;  ///< the same of the heaviest tasks of all levels: of executors that go level by level
  double serial = 0;       ///< operations of a state by serial `ab`
};

/// Of a state by `ab` or `modular` on so many threads, 2 or more: the tasks that ForwardDynamics makes.
TaskGraph task_graph(const Model& model, Method method, int threads);

/// The tasks as a tree, arrows from what a gather ends first. An SVG document.
std::string task_picture(const Model& model, const TaskGraph& graph, const DialSetting& setting);

}  // namespace kinetree::bench
