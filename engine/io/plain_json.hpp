#pragma once
// JSON by nlohmann-json. It reads numbers by strtod, behind the first byte of C's decimal point: where that sign has
// two bytes, as in ps_AF.UTF-8, it would read 1.5 as 1.

#include <nlohmann/json.hpp>
#include <string>

#include "engine/io/plain_locale.hpp"

namespace kinetree::inline inner {

/// The value that a text is; throws Json::exception where it is none. `callback`: as Json::parse takes it.
template <class Json>
Json parsed_json(const std::string& text, const typename Json::parser_callback_t& callback = nullptr) {
  const PlainLocale plain;
  return Json::parse(text, callback);
}

}  // namespace kinetree::inline inner
