// SPDX-License-Identifier: Apache-2.0
//
// JSON from a file of a stranger. nlohmann's parser does not recurse, but writing and copying what it read
// do, so a text that is nested too deeply would overflow the stack later.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/result.h"

namespace culprit::base {

inline constexpr int kDeepestJson = 32;

/// The error says what is wrong with `what`, as in "the header is not valid JSON".
inline Result<nlohmann::ordered_json> ParseBoundedJson(std::string_view text, std::string_view what) {
  using Json = nlohmann::ordered_json;
  bool too_deep = false;
  const auto check_depth = [&](int depth, Json::parse_event_t /*event*/, const Json& /*value*/) {
    too_deep = too_deep || depth > kDeepestJson;
    return !too_deep;
  };
  Json json = Json::parse(text, check_depth, /*allow_exceptions=*/false);
  if (too_deep) return Diagnostic{{}, fmt::format("{} is nested more than {} deep", what, kDeepestJson)};
  if (json.is_discarded()) return Diagnostic{{}, fmt::format("{} is not valid JSON", what)};
  return json;
}

}  // namespace culprit::base
