#pragma once
// Groups of bodies that a page tells apart by colours: serial-chain segments, the dial's modules, aggregates.

#include <kinetree/model.hpp>
#include <string>
#include <vector>

namespace kinetree::bench {

/// Over bodies: indices into the palette; of aggregates -1 where a body is in none.
struct Groups {
  std::vector<int> segment, module, aggregate;
  std::string modules_words;  ///< "grain 8, 4 modules"; empty: no grain cuts a joint, and there is one module
};

Groups groups_of(const Model& model);

}  // namespace kinetree::bench
