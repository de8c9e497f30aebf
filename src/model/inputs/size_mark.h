// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace culprit::model {

/// A size of an argument about which its text says more than what it is.
struct SizeMark {
  /// Which part of the argument: empty for the whole, or as Python writes it, "[0]['a']".
  std::string part = {};
  size_t dimension = 0;
  /// It may be another one at the next call; otherwise it never is.
  bool is_dynamic = false;
};

/// What `?` alone is in the call.
constexpr int64_t kSizeOfUnknown = 4;

}  // namespace culprit::model
