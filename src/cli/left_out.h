// SPDX-License-Identifier: Apache-2.0
//
// Command lines that become those of another command, which does not have all options.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::cli {

/// An option that the other command does not have.
struct LeftOut {
  std::string_view name;
  bool takes_value = false;
};

/// `--name value`, `--name=value` or `--name` are gone wherever they stand.
std::vector<std::string> Without(std::span<const LeftOut> left_out, std::span<const std::string> words);

}  // namespace culprit::cli
