// SPDX-License-Identifier: Apache-2.0
#include "tests/house/type_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <regex>
#include <set>

namespace culprit::tests {

std::vector<std::string> FindSharedNames(const std::vector<SourceFile>& files, const SharedNames& allowed) {
  // At the beginning of a line, as formatted code has it; what ends in a semicolon is declared elsewhere.
  static const std::regex type(
      "(?:class|struct|enum class|enum|using) (?:\\[\\[\\w+\\]\\] )?(?!class "
      ")(\\w+)\\b(?!<)(?:.*[={].*|.*[^;])?");
  std::map<std::string, std::set<std::string>> headers;
  for (const SourceFile& file : files) {
    if (!file.path.ends_with(".h")) continue;
    for (const std::string_view line : Lines(file.text)) {
      std::cmatch match;
      if (std::regex_match(line.data(), line.data() + line.size(), match, type))
        headers[match[1]].insert(file.path);
    }
  }
  std::vector<std::string> found;
  for (const auto& [name, places] : headers) {
    if (places.size() > 1 && !allowed.contains(name))
      found.push_back(fmt::format("{}: {}", name, fmt::join(places, ", ")));
  }
  for (const auto& [name, reason] : allowed) {
    if (headers[name].size() < 2) found.push_back(fmt::format("{} may be shared, and is not", name));
  }
  return found;
}

}  // namespace culprit::tests
