// SPDX-License-Identifier: Apache-2.0
#include "capture/origin.h"

#include <algorithm>
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

bool IsInPyTorch(const torch::jit::SourceRange& range) {
  constexpr std::string_view kFolders[] = {"site-packages/torch/", "dist-packages/torch/",
                                           "code/__torch__/torch/"};
  if (!range.source()) return false;
  const std::string file = range.source()->filename().value_or("");
  return std::ranges::any_of(kFolders,
                             [&](std::string_view folder) { return file.find(folder) != std::string::npos; });
}

/// Some operators of archives have a place without a line.
bool HasLine(const torch::jit::SourceRange& range) {
  return range.source() &&
         !Trimmed(range.source()->get_line(range.source()->lineno_for_offset(range.start())).str()).empty();
}

}  // namespace

Origin OriginOf(const vm::State& state) {
  return {vm::CallStackOf(state), vm::ModulePathOf(state)};
}

OriginText TextOf(const Origin& origin) {
  OriginText text{.file = "<unknown>", .module = origin.module};
  if (origin.lines.empty()) return text;
  auto entry = std::find_if(origin.lines.rbegin(), origin.lines.rend(), [](const auto& line) {
    const torch::jit::SourceRange range = PythonRange(line);
    return !IsInPyTorch(range) && HasLine(range);
  });
  if (entry == origin.lines.rend()) entry = origin.lines.rbegin();
  text.function = entry->filename;
  const torch::jit::SourceRange range = PythonRange(*entry);
  const std::shared_ptr<torch::jit::Source>& source = range.source();
  if (!source) return text;
  const size_t line = source->lineno_for_offset(range.start());
  text.file = source->filename().value_or("<source>");
  text.line = source->lineno_to_source_lineno(line) + (source->filename() ? 0 : 1);
  text.code = Trimmed(source->get_line(line).str());
  return text;
}

}  // namespace culprit::capture
