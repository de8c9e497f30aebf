// SPDX-License-Identifier: Apache-2.0
//
// JSON has no NaN and no infinity; they are the strings "nan", "inf" and "-inf".
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

namespace culprit::report {

inline nlohmann::ordered_json JsonNumber(double number) {
  if (std::isfinite(number)) return number;
  return std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";
}

}  // namespace culprit::report
