// SPDX-License-Identifier: Apache-2.0
//
// Settings of libtorch that change what a program computes without being a part of it.
#pragma once

#include <c10/core/ScalarType.h>

#include <string>

namespace culprit::capture {

struct Modes {
  bool grad = false;
  bool inference = false;
  bool autocast = false;
  c10::ScalarType autocast_dtype = c10::ScalarType::BFloat16;
  c10::ScalarType default_dtype = c10::ScalarType::Float;
  bool deterministic = false;
  int threads = 1;

  static Modes Current();
  bool operator==(const Modes&) const = default;
  /// The first difference: "grad mode is on, not off".
  std::string Difference(const Modes& expected) const;
  /// "grad mode is on", one line each for what is not as usual.
  std::string Describe() const;
};

}  // namespace culprit::capture
