// SPDX-License-Identifier: Apache-2.0
#include "tests/house/budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>

#include "tests/house/functions.h"

namespace culprit::tests {
namespace {

using Violations = std::vector<std::string>;

struct Measured {
  std::string what;
  size_t lines;
};

/// Median and 95th percentile are those of the longer half: with four files the third is the median.
Violations CheckBudget(std::vector<Measured> measured, const Budget& budget, std::string_view noun,
                       const std::set<std::string>& exceptions) {
  if (measured.empty()) return {};
  std::sort(measured.begin(), measured.end(),
            [](const Measured& a, const Measured& b) { return a.lines < b.lines; });
  Violations violations;
  const auto check_share = [&](std::string_view name, size_t percent, size_t allowed) {
    const size_t lines = measured[measured.size() * percent / 100].lines;
    if (lines > allowed)
      violations.push_back(
          fmt::format("the {} of all {} is {} lines, more than {}", name, noun, lines, allowed));
  };
  check_share("median", 50, budget.median);
  check_share("95th percentile", 95, budget.p95);
  for (const auto& [what, lines] : measured) {
    const bool excepted = exceptions.contains(what);
    if (lines > budget.limit && !excepted)
      violations.push_back(fmt::format("{}: {} lines, more than {}", what, lines, budget.limit));
    if (lines <= budget.limit && excepted)
      violations.push_back(fmt::format("{}: needs no exception any more", what));
  }
  return violations;
}

/// Data for tests: scripts as PyTorch writes them.
bool IsFixture(std::string_view path) {
  constexpr std::string_view kFolders[] = {"tests/fixtures/joint/", "tests/fixtures/scripts/",
                                           "tests/e2e/scripts/", "tests/fuzz/seeds/"};
  return std::any_of(std::begin(kFolders), std::end(kFolders),
                     [&](std::string_view folder) { return path.starts_with(folder); });
}

bool IsProgramText(const SourceFile& file) {
  if (IsFixture(file.path)) return false;
  return IsCpp(file.path) || file.path.ends_with(".py") || file.text.starts_with("#!");
}

/// One violation per line of a file that the pattern is found in.
void Search(const SourceFile& file, const std::regex& pattern, Violations& violations) {
  size_t number = 0;
  for (const std::string_view line : Lines(file.text)) {
    ++number;
    std::cmatch match;
    if (std::regex_search(line.data(), line.data() + line.size(), match, pattern))
      violations.push_back(fmt::format("{}:{}: '{}'", file.path, number, match.str()));
  }
}

}  // namespace

Violations CheckFileSizes(const std::vector<SourceFile>& files, const std::set<std::string>& exceptions) {
  std::vector<Measured> measured;
  for (const SourceFile& file : files) {
    if (IsCpp(file.path)) measured.push_back({file.path, Lines(file.text).size()});
  }
  return CheckBudget(std::move(measured), kFileLines, "files", exceptions);
}

Violations CheckFunctionSizes(const std::vector<SourceFile>& files) {
  std::vector<Measured> measured;
  for (const SourceFile& file : files) {
    if (!IsCpp(file.path)) continue;
    for (const Function& function : FindFunctions(file.text))
      measured.push_back({fmt::format("{}:{}: {}", file.path, function.line, function.name), function.lines});
  }
  return CheckBudget(std::move(measured), kFunctionLines, "functions", {});
}

Violations CheckRoomSizes(const std::vector<SourceFile>& files) {
  std::map<std::string, size_t> counts;
  for (const SourceFile& file : files) {
    if (IsCpp(file.path) && !file.path.ends_with("_test.cc"))
      ++counts[file.path.substr(0, file.path.rfind('/'))];
  }
  Violations violations;
  for (const auto& [room, count] : counts) {
    if (count > kMostFilesInARoom)
      violations.push_back(fmt::format("{}: {} files, more than {}", room, count, kMostFilesInARoom));
  }
  return violations;
}

Violations CheckSourcesStandBesideHeaders(const std::vector<SourceFile>& files,
                                          const std::set<std::string>& exceptions) {
  static const std::regex include_line(R"re(#include "(.*)/[^/]+\.h")re");
  const auto folder_of = [](const std::string& path) {
    return path.substr(0, std::min(path.rfind('/'), path.size()));
  };
  std::set<std::string> alone;
  for (const SourceFile& file : files) {
    if (!file.path.ends_with(".cc") || file.path.ends_with("_test.cc") || StemOf(file.path) == "main")
      continue;
    const std::string folder = folder_of(file.path);
    const std::vector<std::string_view> lines = Lines(file.text);
    const bool stands_beside = std::ranges::any_of(lines, [&](std::string_view line) {
      std::cmatch match;
      return std::regex_match(line.data(), line.data() + line.size(), match, include_line) &&
             (match[1] == folder || match[1] == folder_of(folder));
    });
    if (!stands_beside) alone.insert(file.path);
  }
  Violations violations;
  for (const std::string& path : alone) {
    if (!exceptions.contains(path)) violations.push_back(path + ": no header beside it declares it");
  }
  for (const std::string& path : exceptions) {
    if (!alone.contains(path)) violations.push_back(path + " is no exception");
  }
  return violations;
}

Violations CheckLicenceLines(const std::vector<SourceFile>& files) {
  Violations violations;
  for (const SourceFile& file : files) {
    if (!IsProgramText(file)) continue;
    std::vector<std::string_view> lines = Lines(file.text);
    lines.resize(std::min<size_t>(lines.size(), 2));
    const bool has_line = std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
      return line.ends_with(" SPDX-License-Identifier: Apache-2.0");
    });
    if (!has_line) violations.push_back(fmt::format("{}: has no SPDX-License-Identifier line", file.path));
  }
  return violations;
}

Violations CheckFileNames(const std::vector<SourceFile>& files) {
  static const std::regex empty_names("(^|[/_.])(utils?|commons?|misc|managers?|helpers?)([/_.]|$)");
  Violations violations;
  for (const SourceFile& file : files) {
    if (std::regex_search(file.path, empty_names))
      violations.push_back(fmt::format("{}: name it after what is in it", file.path));
  }
  return violations;
}

Violations CheckTestsHaveSubjects(const std::vector<SourceFile>& files) {
  constexpr std::string_view kSuffix = "_test.cc";
  std::set<std::string> paths;
  for (const SourceFile& file : files) paths.insert(file.path);
  Violations violations;
  for (const std::string& path : paths) {
    if (!path.ends_with(kSuffix)) continue;
    std::string subject = path.substr(0, path.size() - kSuffix.size());
    const auto exists = [&] { return paths.contains(subject + ".h") || paths.contains(subject + ".cc"); };
    const size_t name_begin = subject.rfind('/') + 1;
    while (!exists() && subject.find('_', name_begin) != std::string::npos)
      subject.resize(subject.rfind('_'));
    if (!exists()) violations.push_back(fmt::format("{}: there is no file that it tests beside it", path));
  }
  return violations;
}

Violations CheckNoPrivatePlaces(const std::vector<SourceFile>& files) {
  // Written in pieces, or this file would contain what it looks for.
  static const std::regex places(
      "/(home|Users)/[A-Za-z]|(^|[^A-Za-z0-9_.])/(ro"
      "ot|wo"
      "rk|tmp/w"
      "t)\\b|"
      "artifact"
      "ory|\\b(gh"
      "cr|gc"
      "r|qu"
      "ay|dock"
      "er)\\.io\\b|pkg\\.d"
      "ev\\b|\\.(inter"
      "nal|co"
      "rp)[:/]");
  Violations violations;
  for (const SourceFile& file : files) Search(file, places, violations);
  return violations;
}

}  // namespace culprit::tests
