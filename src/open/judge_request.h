// SPDX-License-Identifier: Apache-2.0
//
// How a graph is to be run, and when its numbers are wrong.
#pragma once

#include <cstdint>
#include <optional>

#include "repro/header/header.h"

namespace culprit::open {

/// What is not set here stays as the file says.
struct JudgeRequest {
  std::optional<uint64_t> seed = std::nullopt;
  std::optional<repro::Accuracy> accuracy = std::nullopt;
  std::optional<double> tolerance = std::nullopt;
  std::optional<uint64_t> calls = std::nullopt;
  /// Autocast to bfloat16.
  bool autocast = false;
  bool only_forward = false;

  void Apply(repro::Header& header) const;
};

}  // namespace culprit::open
