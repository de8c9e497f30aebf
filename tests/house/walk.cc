// SPDX-License-Identifier: Apache-2.0
#include "tests/house/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <sstream>

namespace culprit::tests {
namespace {

std::string BlockOf(std::string_view page) {
  constexpr std::string_view kBegin = "```walk\n";
  const size_t begin = page.find(kBegin);
  if (begin == std::string_view::npos) return "";
  const size_t end = page.find("```", begin + kBegin.size());
  return std::string(page.substr(begin + kBegin.size(), end - begin - kBegin.size()));
}

/// Names begin with a capital letter; what a step does begins with a small one.
std::vector<std::string> NamesIn(std::istringstream& words) {
  std::vector<std::string> names;
  for (std::string word; words >> word && std::isupper(static_cast<unsigned char>(word[0])) != 0;)
    names.push_back(word);
  return names;
}

/// A definition stands at the beginning of a line, behind its type only; a call is indented or behind something else.
bool Defines(const std::string& text, const std::string& name) {
  return std::regex_search(text, std::regex("(?:^|\n)[A-Za-z][^\n;({=]*\\b" + name + "\\("));
}

}  // namespace

std::vector<std::string> FindMissingSteps(std::string_view page, const std::vector<SourceFile>& tree) {
  std::vector<std::string> missing;
  std::istringstream lines(BlockOf(page));
  size_t steps = 0;
  for (std::string line; std::getline(lines, line); ++steps) {
    std::istringstream words(line);
    std::string path;
    words >> path;
    const auto file = std::ranges::find(tree, path, &SourceFile::path);
    if (file == tree.end()) {
      missing.push_back(fmt::format("there is no file {}", path));
      continue;
    }
    const std::vector<std::string> names = NamesIn(words);
    if (names.empty()) missing.push_back(fmt::format("the step {} names no function", path));
    for (const std::string& name : names) {
      if (!Defines(file->text, name)) missing.push_back(fmt::format("{} has no function {}", path, name));
    }
  }
  if (steps == 0) missing.emplace_back("there is no walk");
  return missing;
}

}  // namespace culprit::tests
