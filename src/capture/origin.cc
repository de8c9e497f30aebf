// SPDX-License-Identifier: Apache-2.0
#include "capture/origin.h"

#include <fmt/format.h>

namespace culprit::capture {
namespace {

std::string Trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
}

}  // namespace

Origin OriginOf(const vm::State& state) {
  return {vm::CallStackOf(state)};
}

std::string OriginText::ToString() const {
  return fmt::format("{}:{} in {}, code: {}", file, line, function, code);
}

OriginText TextOf(const Origin& origin) {
  OriginText text{.file = "<unknown>"};
  if (origin.lines.empty()) return text;
  const torch::jit::StackEntry& innermost = origin.lines.back();
  text.function = innermost.filename;
  const torch::jit::SourceRange range =
      innermost.range.findSourceRangeThatGenerated().value_or(innermost.range);
  const std::shared_ptr<torch::jit::Source>& source = range.source();
  if (!source) return text;
  const size_t line = source->lineno_for_offset(range.start());
  text.file = source->filename().value_or("<source>");
  text.line = source->lineno_to_source_lineno(line) + (source->filename() ? 0 : 1);
  text.code = Trimmed(source->get_line(line).str());
  return text;
}

}  // namespace culprit::capture
