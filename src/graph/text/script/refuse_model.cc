// SPDX-License-Identifier: Apache-2.0
#include "graph/text/script/refuse_model.h"

#include <fmt/format.h>

#include "base/text.h"

namespace culprit::graph::text {

std::optional<base::Diagnostic> RefuseModel(const Source& source, const ScriptOutline& outline) {
  const bool is_after_dynamo =
      source.text().find("torch._dynamo.repro.after_dynamo") != std::string_view::npos;
  const bool is_graph = is_after_dynamo ? outline.calls_operators && !outline.calls_modules
                                        : outline.calls_operators || !outline.calls_modules;
  if (is_graph) return std::nullopt;
  base::Diagnostic error = source.Error(
      outline.begin,
      is_after_dynamo
          ? "this file was written after Dynamo; a graph is what comes after AOTAutograd"
          : fmt::format("'{}' is a model in Python and not a graph", base::Printable(outline.class_name)));
  error.notes.emplace_back("a graph calls operators only: relu = torch.ops.aten.relu.default(x)");
  error.help =
      "run the program with TORCHDYNAMO_REPRO_AFTER=aot TORCHDYNAMO_REPRO_LEVEL=3 (or 4, if its numbers are "
      "wrong): PyTorch then writes the graph to a file";
  return error;
}

}  // namespace culprit::graph::text
