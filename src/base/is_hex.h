// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace culprit::base {

/// Exactly so many digits, as ToHex (base/text.h) writes them.
inline bool IsHex(std::string_view text, size_t digits) {
  return text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace culprit::base
