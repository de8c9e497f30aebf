// SPDX-License-Identifier: Apache-2.0
#include "backend/failure/essential_line.h"

#include <algorithm>
#include <vector>

namespace culprit::backend {
namespace {

// From one of these on, a message is about addresses.
constexpr std::string_view kBacktraces[] = {"\nException raised from ", "\nframe #",
                                            "\nC++ CapturedTraceback"};

// Lines that come before what happened.
constexpr std::string_view kPreambles[] = {
    "The following operation failed in the TorchScript interpreter.",
    "Traceback of TorchScript",
    "Traceback (most recent call last)",
};

constexpr std::string_view kMarker = "<--- HERE";
constexpr std::string_view kPlace = "File \"";
constexpr std::string_view kNoType[] = {"RuntimeError:", "builtins.RuntimeError:"};

bool IsBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

bool BeginsWithAny(std::string_view text, const auto& prefixes) {
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return text.starts_with(prefix); });
}

std::string_view WithoutType(std::string_view line) {
  line = Trimmed(line);
  while (true) {
    const auto* type = std::ranges::find_if(kNoType, [&](auto prefix) { return line.starts_with(prefix); });
    if (type == std::end(kNoType)) return line;
    line = Trimmed(line.substr(type->size()));
  }
}

/// "ValueError: text", at the very beginning of the line.
bool IsError(std::string_view line) {
  const size_t colon = line.find(':');
  if (colon == 0 || colon == std::string_view::npos) return false;
  if (colon + 1 < line.size() && line[colon + 1] != ' ') return false;
  return std::ranges::all_of(line.substr(0, colon), [](char c) {
    return c == '_' || c == '.' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
}

std::vector<std::string_view> SplitLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (true) {
    const size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

/// Behind a traceback that shows source, the first line that names an error; the source around the marker
/// stands in between. Otherwise the first line.
size_t FirstLine(const std::vector<std::string_view>& lines) {
  for (size_t i = lines.size(); i-- > 0;) {
    if (lines[i].find(kMarker) == std::string_view::npos) continue;
    const auto error = std::find_if(lines.begin() + static_cast<ptrdiff_t>(i) + 1, lines.end(), IsError);
    return error == lines.end() ? 0 : static_cast<size_t>(error - lines.begin());
  }
  return 0;
}

}  // namespace

std::string EssentialLine(std::string_view message) {
  for (const std::string_view backtrace : kBacktraces) message = message.substr(0, message.find(backtrace));
  const std::vector<std::string_view> lines = SplitLines(message);
  std::string essence;
  bool in_traceback = false;
  for (size_t i = FirstLine(lines); i < lines.size(); ++i) {
    const std::string_view line = WithoutType(lines[i]);
    const bool is_indented = !lines[i].empty() && IsBlank(lines[i].front());
    if (line.empty() || (in_traceback && is_indented)) continue;
    in_traceback = BeginsWithAny(line, kPreambles);
    if (in_traceback) continue;
    if (line.starts_with(kPlace)) {
      // Behind it comes source.
      if (!essence.empty()) return essence;
      continue;
    }
    if (!essence.empty()) return essence.append(" ").append(line);
    essence = line;
    if (!line.ends_with(':')) return essence;
  }
  if (!essence.empty()) return essence;
  for (const std::string_view line : lines) {
    if (!Trimmed(line).empty()) return std::string(WithoutType(line));
  }
  return "";
}

}  // namespace culprit::backend
