// SPDX-License-Identifier: Apache-2.0
#include "compiler/pipeline/compilation.h"

#include <fmt/format.h>

#include "graph/text/script/script.h"

namespace culprit::compiler::pipeline {
namespace {

std::string_view NameOf(schedule::Placement placement) {
  constexpr std::string_view kNames[] = {"unused", "given", "called", "kept", "inlined"};
  return kNames[static_cast<size_t>(placement)];
}

std::string PlacementsText(const Compilation& compilation) {
  std::string text;
  for (size_t i = 0; i < compilation.program->values.size(); ++i)
    text += fmt::format("{}: {}\n", compilation.program->values[i].name,
                        NameOf(compilation.resolved->placements[i]));
  return text;
}

std::string GroupsText(const Compilation& compilation) {
  std::string text;
  for (size_t i = 0; i < compilation.grouping->groups.size(); ++i) {
    text += fmt::format("group {}:\n", i);
    for (const schedule::Member& member : compilation.grouping->groups[i].members)
      text += fmt::format("  stage {}: {}\n", member.stage, (*compilation.program)[member.value].name);
  }
  return text;
}

std::string_view NameOf(jit::CodeSource source) {
  constexpr std::string_view kNames[] = {"generated", "from disk", "from memory"};
  return kNames[static_cast<size_t>(source)];
}

std::string CodeText(const Compilation& compilation) {
  std::string text;
  size_t loaded = 0;
  for (size_t i = 0; i < compilation.code.size(); ++i)
    text +=
        fmt::format("kernel {}: {}\n", i,
                    compilation.code[i] ? NameOf(compilation.cached.sources.at(loaded++)) : "interpreted");
  return text;
}

}  // namespace

std::string ToText(const Compilation& compilation) {
  if (!compilation.code.empty()) return CodeText(compilation);
  if (compilation.memory) return ToText(*compilation.memory, *compilation.program, *compilation.schedule);
  if (compilation.schedule) return ToText(*compilation.schedule, *compilation.program);
  if (compilation.grouping) return GroupsText(compilation);
  if (compilation.resolved) return PlacementsText(compilation);
  if (compilation.program) return ToText(*compilation.program);
  const base::Result<std::string> text = graph::text::PrintGraph(*compilation.graph);
  return text.ok() ? text.value() : text.error().message;
}

}  // namespace culprit::compiler::pipeline
