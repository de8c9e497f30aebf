// SPDX-License-Identifier: Apache-2.0
#include "backend/failure/failure_kinds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace culprit::backend {
namespace {

constexpr size_t kKinds = static_cast<size_t>(FailureKind::kNonDeterministic) + 1;

std::string Hyphenated(std::string_view name) {
  std::string result(name);
  std::ranges::transform(result, result.begin(), [](unsigned char c) {
    return c == ' ' || c == '_' ? '-' : static_cast<char>(std::tolower(c));
  });
  return result;
}

std::string_view Trimmed(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

/// Reports call these limits.
std::string_view OtherName(FailureKind kind) {
  if (kind == FailureKind::kTimeout) return "time-limit";
  if (kind == FailureKind::kMemory) return "memory-limit";
  return "";
}

}  // namespace

std::vector<std::string> NamesOfFailureKinds() {
  std::vector<std::string> names;
  for (size_t i = 0; i < kKinds; ++i) names.push_back(Hyphenated(NameOf(static_cast<FailureKind>(i))));
  return names;
}

base::Result<FailureKind> ParseFailureKind(std::string_view name) {
  const std::string wanted = Hyphenated(Trimmed(name));
  const std::vector<std::string> names = NamesOfFailureKinds();
  for (size_t i = 0; i < kKinds; ++i) {
    const auto kind = static_cast<FailureKind>(i);
    if (wanted == names[i] || (!wanted.empty() && wanted == OtherName(kind))) return kind;
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  base::Diagnostic error{{},
                         fmt::format("there is no kind of failure '{}'{}", base::Shortened(name),
                                     base::DidYouMean(wanted, known))};
  error.notes.push_back(fmt::format("the kinds are {}", fmt::join(names, ", ")));
  return error;
}

base::Result<FailureKinds> ParseFailureKinds(std::string_view names) {
  FailureKinds kinds;
  while (!names.empty()) {
    const size_t comma = std::min(names.find(','), names.size());
    kinds.insert(CULPRIT_TRY(ParseFailureKind(names.substr(0, comma))));
    names.remove_prefix(std::min(comma + 1, names.size()));
  }
  return kinds;
}

std::string FailureKindsToString(const FailureKinds& kinds) {
  std::vector<std::string> names;
  for (const FailureKind kind : kinds) names.push_back(Hyphenated(NameOf(kind)));
  return fmt::format("{}", fmt::join(names, ","));
}

}  // namespace culprit::backend
