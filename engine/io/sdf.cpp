#include "sdf.hpp"

namespace kinetree {
Reading read_sdf_text(const std::string&, const std::string&) { return {}; }
}  // namespace kinetree
