// SPDX-License-Identifier: Apache-2.0
#include "tests/house/process_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

namespace culprit::tests {
namespace {

/// The name of the variable that a line of formatted code declares, or nothing.
std::string StateIn(std::string_view line) {
  static const std::regex static_line(
      R"( *(?:static |thread_local |inline )+[\w:<>,*& ]*[ *&](\w+)(?:\[\w*\])?(?: =.*|;.*|\{.*))");
  static const std::regex global_line(
      R"([A-Za-z_][\w:<>,*& ]*[ *&]([a-z]\w*)(?:\[\w*\])?(?: = .*|\{.*\})?;)");
  static const std::regex other_line(
      R"( *(?:static |inline )*(?:const|constexpr) .*|(?:using|namespace|return|extern|class|struct|enum|template|friend|static_assert)\b.*)");
  std::cmatch match;
  const char* end = line.data() + line.size();
  if (std::regex_match(line.data(), end, other_line)) return {};
  if (std::regex_match(line.data(), end, match, static_line) ||
      std::regex_match(line.data(), end, match, global_line))
    return match[1];
  return {};
}

}  // namespace

std::vector<std::string> FindProcessState(const std::vector<SourceFile>& files) {
  std::vector<std::string> found;
  for (const SourceFile& file : files) {
    if (!IsCpp(file.path) || StemOf(file.path).ends_with("_test")) continue;
    for (const std::string_view line : Lines(file.text)) {
      const std::string name = StateIn(line);
      if (!name.empty()) found.push_back(fmt::format("{} {}", file.path, name));
    }
  }
  return found;
}

std::vector<std::string> CompareProcessState(const std::vector<std::string>& found, std::string_view list) {
  std::set<std::string> named;
  std::vector<std::string> differences;
  for (const std::string_view line : Lines(list)) {
    if (line.empty() || line.starts_with('#')) continue;
    std::istringstream words{std::string(line)};
    std::string file, name, reason;
    words >> file >> name >> reason;
    if (reason.empty()) differences.push_back(fmt::format("{} {} has no reason", file, name));
    named.insert(file + " " + name);
  }
  for (const std::string& each : found) {
    if (!named.contains(each)) differences.push_back(each + " is not in tests/process_state.txt");
  }
  for (const std::string& each : named) {
    if (std::ranges::find(found, each) == found.end()) differences.push_back(each + " does not exist");
  }
  return differences;
}

}  // namespace culprit::tests
