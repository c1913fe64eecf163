#include "engine/io/sdf_user_text.hpp"

#include "engine/io/trimmed.hpp"
#include "engine/scalar/number_from.hpp"

namespace kinetree::inline inner {

std::string user_text(const sdf::ElementPtr& e, const std::string& child) {
  return trimmed(e->HasElement(child) ? e->FindElement(child)->Get<std::string>() : "");
}

std::string user_attribute(const sdf::ElementPtr& e, const std::string& name) {
  return trimmed(e->HasAttribute(name) ? e->GetAttribute(name)->GetAsString() : "");
}

double user_number(const sdf::ElementPtr& e, const std::string& child, double otherwise,
                   const std::function<void(std::string)>& fault) {
  if (!e->HasElement(child)) return otherwise;
  const std::string text = user_text(e, child);
  if (const auto x = number_from<double>(text)) return *x;
  fault("<" + child + "> is \"" + text + "\"; give a number");
  return otherwise;
}

bool is_given(const sdf::ElementPtr& e, const std::string& child) {
  const sdf::ElementPtr found = e->FindElement(child);
  return found && found->GetExplicitlySetInFile();
}

}  // namespace kinetree::inline inner
