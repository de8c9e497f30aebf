// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "capture/guards/guard_source.h"
#include "capture/numbers/number_log.h"

namespace culprit::capture {

/// What a walk is to find in place of what the program has, by source.
struct OtherSizes {
  struct Geometry {
    std::vector<int64_t> sizes;
    std::vector<int64_t> strides;
  };
  std::map<SourceId, Geometry> tensors = {};
  std::map<SourceId, int64_t> numbers = {};
};

/// A walk that is compared with others.
struct Sample {
  OtherSizes other;
  NumberLog log = {};
  /// Of each value of the graph; nothing for what is no tensor.
  std::vector<std::vector<int64_t>> sizes = {};
};

}  // namespace culprit::capture
