// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace culprit::base {

/// As a shell takes it for one word: in quotes where it has to be.
inline std::string ShellWord(const std::string& text) {
  constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

}  // namespace culprit::base
