// SPDX-License-Identifier: Apache-2.0
#include "graph/text/inputs/missing_inputs.h"

#include <algorithm>
#include <optional>
#include <string>

namespace culprit::graph::text {
namespace {

constexpr std::string_view kPhrase = " was unsupported type for dumping: ";

bool IsName(std::string_view text) {
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), is_part);
}

/// "<class 'torch._C.Generator'>" -> "torch._C.Generator"
std::string_view TypeIn(std::string_view text) {
  const size_t open = text.find('\'');
  const size_t close = text.rfind('\'');
  return open < close ? text.substr(open + 1, close - open - 1) : text;
}

std::optional<InputSpec> SpecOf(std::string_view line) {
  const size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  line.remove_prefix(begin);
  const size_t phrase = line.find(kPhrase);
  if (!line.starts_with("# ") || phrase == std::string_view::npos) return std::nullopt;
  if (!IsName(line.substr(2, phrase - 2))) return std::nullopt;
  const std::string_view type = TypeIn(line.substr(phrase + kPhrase.size()));
  if (type == "torch._C.Generator") return GeneratorSpec{};
  return AbsentSpec{AbsentSpec::Reason::kUnsupported, std::string(type)};
}

}  // namespace

std::vector<MissingInput> FindMissingInputs(std::string_view text, size_t begin, size_t end) {
  std::vector<MissingInput> missing;
  while (begin < end) {
    const size_t line_end = std::min(text.find('\n', begin), end);
    std::string_view line = text.substr(begin, line_end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (std::optional<InputSpec> spec = SpecOf(line)) missing.push_back({begin, *std::move(spec)});
    begin = line_end + 1;
  }
  return missing;
}

}  // namespace culprit::graph::text
