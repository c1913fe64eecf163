#pragma once
// Operational space compliance of one state: its passes and their workspace.

#include <kinetree/columns.hpp>
#include <kinetree/model.hpp>
#include <kinetree/status.hpp>
#include <optional>
#include <span>
#include <vector>

#include "engine/algorithm/node/embedded_compliance.hpp"
#include "engine/partition/make_modules.hpp"

namespace kinetree::inline inner {

class FrameCompliance {
 public:
  explicit FrameCompliance(const Model& model);

  /// Arguments as checked by the caller; `result`: 6 rows and columns a frame. NaN where the status is not ok.
  Status solve(Columns<const double> q, std::span<const int> frames, Columns<double> result);

 private:
  /// Models with aggregates: by their mass matrix in the coordinates that are best in the state.
  struct Embedded : EmbeddedMassMatrix<double> {
    CompositeBody<double> composite;
    MassMatrix<double> mass;
    EmbeddedCompliance<double> compliance;
    explicit Embedded(const Context<double>& x)
        : EmbeddedMassMatrix(x, IndependentCoordinates::best), composite(*x.model), mass(*x.model) {}
  };

  Status of_tree(std::span<const int> frames, Columns<double> result);
  Status of_loops(std::span<const int> frames, Columns<double> result);

  template <auto kernel>
  static void call(void* self, int step) {
    (static_cast<FrameCompliance*>(self)->*kernel)(step);
  }
  void find_positions(int step);
  void find_kinematics(int step);
  void find_inertias(int step);
  void find_compliances(int step);
  void relate_frames(int step);
  void embed_loops(int step);
  void find_rows(int step);
  void find_matrix(int step);

  Model model_;
  Modules modules_;
  Context<double> x_;
  Kinematics<double> k_;
  std::optional<OperationalSpace<double>> tree_;
  std::optional<Embedded> embedded_;
  std::vector<double> still_;  ///< over velocities: zero
};

}  // namespace kinetree::inline inner
