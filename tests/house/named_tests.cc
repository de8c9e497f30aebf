// SPDX-License-Identifier: Apache-2.0
#include "tests/house/named_tests.h"

#include <fmt/format.h>

#include <regex>

#include "tests/house/functions.h"

namespace culprit::tests {
namespace {

constexpr std::string_view kNothingToShow = "-";
constexpr std::string_view kToCome = "to come:";

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

/// Of a line "| a | b |" the b; nothing if the line is no row.
std::string_view LastCell(std::string_view line) {
  line = Trimmed(line);
  if (!line.starts_with('|') || !line.ends_with('|') || line.size() < 2) return {};
  line.remove_suffix(1);
  return Trimmed(line.substr(line.rfind('|') + 1));
}

bool Exists(const std::string& name, const std::set<std::string>& tests) {
  if (!name.ends_with('*')) return tests.contains(name);
  const std::string suite = name.substr(0, name.size() - 1);
  const auto first = tests.lower_bound(suite);
  return first != tests.end() && first->starts_with(suite);
}

/// What is wrong with a cell; empty if nothing is.
std::string Wrong(std::string_view cell, const std::set<std::string>& tests) {
  static const std::regex name_pattern(R"(`(\w+\.(\w+|\*))`)");
  if (cell == kNothingToShow) return {};
  const bool to_come = cell.starts_with(kToCome);
  const std::string text(cell);
  const std::sregex_iterator end;
  std::sregex_iterator name(text.begin(), text.end(), name_pattern);
  if (name == end) return "names no test";
  for (; name != end; ++name) {
    const std::string wanted = (*name)[1];
    const bool exists = Exists(wanted, tests);
    if (exists && to_come) return fmt::format("{} is not to come, it is there", wanted);
    if (!exists && !to_come) return fmt::format("there is no test {}", wanted);
  }
  return {};
}

void CheckPage(const SourceFile& page, const std::set<std::string>& tests,
               std::vector<std::string>& violations) {
  bool names_tests = false;
  size_t number = 0;
  for (const std::string_view line : Lines(page.text)) {
    ++number;
    const std::string_view cell = LastCell(line);
    if (cell.empty()) {
      names_tests = false;
    } else if (cell == "test") {
      names_tests = true;
    } else if (names_tests && cell.find_first_not_of("-:") != std::string_view::npos) {
      const std::string wrong = Wrong(cell, tests);
      if (!wrong.empty()) violations.push_back(fmt::format("{}:{}: {}: {}", page.path, number, wrong, line));
    }
  }
}

void AddTestsOfCpp(const SourceFile& file, std::set<std::string>& tests) {
  static const std::regex test_pattern(R"(\bTEST(_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\))");
  const std::string text = WithoutCommentsAndLiterals(file.text);
  for (std::sregex_iterator test(text.begin(), text.end(), test_pattern), end; test != end; ++test)
    tests.insert(fmt::format("{}.{}", (*test)[2].str(), (*test)[3].str()));
}

void AddTestsOfPython(const SourceFile& file, std::set<std::string>& tests) {
  static const std::regex suite_pattern(R"(^class (\w+Test)\b.*)");
  static const std::regex test_pattern(R"(^    def (test_\w+)\(.*)");
  std::string suite;
  for (const std::string_view line : Lines(file.text)) {
    std::cmatch found;
    if (std::regex_match(line.begin(), line.end(), found, suite_pattern)) suite = found[1];
    if (std::regex_match(line.begin(), line.end(), found, test_pattern))
      tests.insert(suite + "." + found[1].str());
  }
}

}  // namespace

std::set<std::string> FindTests(const std::vector<SourceFile>& files) {
  std::set<std::string> tests;
  for (const SourceFile& file : files) {
    if (IsCpp(file.path)) AddTestsOfCpp(file, tests);
    if (file.path.ends_with(".py")) AddTestsOfPython(file, tests);
  }
  return tests;
}

std::vector<std::string> CheckNamedTests(const std::vector<SourceFile>& files,
                                         const std::set<std::string>& tests) {
  std::vector<std::string> violations;
  for (const SourceFile& file : files) {
    if (file.path.ends_with(".md")) CheckPage(file, tests, violations);
  }
  return violations;
}

}  // namespace culprit::tests
