// SPDX-License-Identifier: Apache-2.0
//
// How wrong a result is, in a few numbers: what a report says of a failure beside its signature.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "compare/verdict/verdict.h"

namespace culprit::check {

struct HowWrong {
  int64_t elements = 0;
  /// Outside of the tolerance; those that are NaN or infinite are among them.
  int64_t wrong = 0;
  /// How many more than in eager.
  int64_t nan = 0;
  int64_t inf = 0;
  double max_abs = 0;
  double max_rel = 0;
  /// Beside rounding (compare/noise.h), if that was measured.
  std::optional<double> times_noise = std::nullopt;
  /// Of another structure there are no numbers, but a sentence.
  std::string structure = {};

  bool operator==(const HowWrong&) const = default;

  /// "3 of 8 elements are NaN", "3 of 8 elements are infinite"; empty if it is neither.
  std::string NonFiniteAsText() const;
  /// "3 of 8 elements are wrong, by up to 0.5 (relative 0.25), 4e+03 times the noise".
  std::string ToString() const;
};

HowWrong HowWrongIs(const compare::Output& output);

nlohmann::json HowWrongToJson(const HowWrong& how_wrong);
/// Throws what nlohmann throws.
HowWrong HowWrongFromJson(const nlohmann::json& object);

}  // namespace culprit::check
