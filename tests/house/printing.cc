// SPDX-License-Identifier: Apache-2.0
#include "tests/house/printing.h"

#include <fmt/format.h>

namespace culprit::tests {
namespace {

constexpr std::string_view kPrints[] = {"fmt::print(", "std::cout <<", "std::cerr <<", "std::puts("};

}  // namespace

std::vector<std::string> FindPrints(const std::vector<SourceFile>& files) {
  std::vector<std::string> found;
  for (const SourceFile& file : files) {
    if (!IsCpp(file.path) || StemOf(file.path).ends_with("_test")) continue;
    size_t number = 0;
    for (const std::string_view line : Lines(file.text)) {
      ++number;
      for (const std::string_view print : kPrints) {
        if (line.find(print) != std::string_view::npos)
          found.push_back(fmt::format("src/{}:{}: prints with {}", file.path, number, print));
      }
    }
  }
  return found;
}

}  // namespace culprit::tests
