#include "io/sdf_of_urdf.hpp"

#include <sdf/sdf.hh>
#include <stdexcept>

namespace kinetree::test {

std::string sdf_of_urdf(const std::string& urdf) {
  sdf::Root root;
  for (const sdf::Error& error : root.LoadSdfString(urdf)) throw std::runtime_error(error.Message());
  return root.Element()->ToString("");
}

}  // namespace kinetree::test
