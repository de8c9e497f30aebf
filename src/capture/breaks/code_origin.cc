// SPDX-License-Identifier: Apache-2.0
#include "capture/breaks/code_origin.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string_view>

#include "capture/vm/module_path.h"

namespace culprit::capture {
namespace {

std::string Trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
}

/// In the Python source, or in the source of the archive if it does not say.
torch::jit::SourceRange PythonRange(const torch::jit::StackEntry& entry) {
  return entry.range.findSourceRangeThatGenerated().value_or(entry.range);
}

bool IsInPyTorch(std::string_view file) {
  constexpr std::string_view kFolders[] = {"site-packages/torch/", "dist-packages/torch/",
                                           "code/__torch__/torch/"};
  return std::ranges::any_of(
      kFolders, [&](std::string_view folder) { return file.find(folder) != std::string_view::npos; });
}

OriginText PlaceOf(const torch::jit::StackEntry& entry, const torch::jit::SourceRange& range) {
  OriginText place{.file = "<unknown>", .function = entry.filename};
  const std::shared_ptr<torch::jit::Source>& source = range.source();
  if (!source) return place;
  const size_t line = source->lineno_for_offset(range.start());
  place.file = source->filename().value_or("<source>");
  place.line = source->lineno_to_source_lineno(line) + (source->filename() ? 0 : 1);
  place.code = Trimmed(source->get_line(line).str());
  return place;
}

/// "net.py(12): forward"
std::optional<OriginText> ParseTraced(std::string_view text) {
  const size_t function = text.rfind("): ");
  const size_t line = function == std::string_view::npos ? function : text.rfind('(', function);
  if (line == std::string_view::npos) return std::nullopt;
  const std::string_view number = text.substr(line + 1, function - line - 1);
  OriginText place{.file = std::string(text.substr(0, line)),
                   .function = std::string(text.substr(function + 3))};
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), place.line);
  if (error != std::errc() || end != number.data() + number.size()) return std::nullopt;
  return place;
}

/// Where a trace was made from comes behind this one, and is no part of the model.
bool IsTracer(const OriginText& place) {
  return IsInPyTorch(place.file) && place.file.ends_with("torch/jit/_trace.py");
}

/// The Python stack that a tracer has written in the place of source text, the innermost line first. None
/// for what was not traced.
std::vector<OriginText> TracedPlaces(const torch::jit::SourceRange& range) {
  std::vector<OriginText> places;
  if (!range.source() || range.start() != 0 || range.end() != range.source()->size()) return places;
  std::istringstream text(range.source()->text_str().str());
  for (std::string line; std::getline(text, line);) {
    std::optional<OriginText> place = ParseTraced(line);
    if (!place) return {};
    if (IsTracer(*place)) break;
    places.push_back(*std::move(place));
  }
  return places;
}

/// From the innermost line to the outermost. Some operators of archives have a place without a line, which
/// counts only if there is no other.
std::vector<OriginText> PlacesOf(const CodeOrigin& origin) {
  std::vector<OriginText> places;
  for (auto entry = origin.lines.rbegin(); entry != origin.lines.rend(); ++entry) {
    const torch::jit::SourceRange range = PythonRange(*entry);
    const std::vector<OriginText> traced = TracedPlaces(range);
    places.insert(places.end(), traced.begin(), traced.end());
    if (!traced.empty()) continue;
    OriginText place = PlaceOf(*entry, range);
    if (!place.code.empty()) places.push_back(std::move(place));
  }
  if (places.empty() && !origin.lines.empty())
    places.push_back(PlaceOf(origin.lines.back(), PythonRange(origin.lines.back())));
  return places;
}

}  // namespace

CodeOrigin OriginOf(const vm::State& state) {
  return {vm::CallStackOf(state), vm::ModulePathOf(state)};
}

OriginText TextOf(const CodeOrigin& origin) {
  std::vector<OriginText> places = PlacesOf(origin);
  if (places.empty()) return {.file = "<unknown>", .module = origin.module};
  const auto own =
      std::ranges::find_if(places, [](const OriginText& place) { return !IsInPyTorch(place.file); });
  OriginText text = own == places.end() ? std::move(places.front()) : std::move(*own);
  text.module = origin.module;
  return text;
}

}  // namespace culprit::capture
