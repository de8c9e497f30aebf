// SPDX-License-Identifier: Apache-2.0
#include "repro/file_name.h"

#include <algorithm>
#include <cctype>

namespace culprit::repro {

std::string AsFileName(std::string_view name, std::string_view otherwise) {
  constexpr size_t kLongest = 60;
  std::string text(name.substr(0, kLongest));
  std::ranges::replace_if(
      text, [](unsigned char c) { return !(std::isalnum(c) || c == '_' || c == '-'); }, '_');
  return text.empty() ? std::string(otherwise) : text;
}

}  // namespace culprit::repro
