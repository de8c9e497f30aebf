// SPDX-License-Identifier: Apache-2.0
#include "cli/left_out.h"

#include <algorithm>

namespace culprit::cli {

std::vector<std::string> Without(std::span<const LeftOut> left_out, std::span<const std::string> words) {
  std::vector<std::string> rest;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string_view name = std::string_view(words[i]).substr(0, words[i].find('='));
    const auto left = std::ranges::find(left_out, name, &LeftOut::name);
    if (left == left_out.end()) {
      rest.push_back(words[i]);
    } else if (left->takes_value && name.size() == words[i].size()) {
      ++i;
    }
  }
  return rest;
}

}  // namespace culprit::cli
