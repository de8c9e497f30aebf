// SPDX-License-Identifier: Apache-2.0
#include "model/script_file_operators.h"

#include <fmt/format.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/runtime/operator.h>

#include <regex>

#include "graph/text/syntax/source.h"

namespace culprit::model {
namespace {

using base::Diagnostic;
using base::Done;
using base::Status;

constexpr std::string_view kNamesOfFiles[] = {"filename", "file_name", "file", "path", "filepath"};

bool OpensFile(const c10::FunctionSchema& schema) {
  return std::any_of(schema.arguments().begin(), schema.arguments().end(), [](const c10::Argument& argument) {
    return argument.type()->kind() == c10::TypeKind::StringType &&
           std::find(std::begin(kNamesOfFiles), std::end(kNamesOfFiles), argument.name()) !=
               std::end(kNamesOfFiles);
  });
}

Diagnostic Refused(base::Place place, std::string_view name) {
  Diagnostic error{std::move(place), fmt::format("operator '{}' opens a file", name)};
  error.help = "if you trust the model, add: --allow-file-operators";
  return error;
}

base::Place PlaceOf(const torch::jit::Node& node, const std::string& path) {
  const auto place = node.sourceRange().file_line_col();
  if (!place) return {path};
  const auto& [file, line, column] = *place;
  return {file == path ? path : fmt::format("{}:{}", path, file), static_cast<uint32_t>(line),
          static_cast<uint32_t>(column + 1)};
}

Status CheckBlock(const torch::jit::Block& block, const std::string& path) {
  for (const torch::jit::Node* node : block.nodes()) {
    const c10::FunctionSchema* schema = node->maybeSchema();
    if (schema != nullptr && OpensFile(*schema)) return Refused(PlaceOf(*node, path), schema->name());
    for (const torch::jit::Block* inner : node->blocks()) CULPRIT_TRY(CheckBlock(*inner, path));
  }
  return Done{};
}

}  // namespace

Status RefuseFileOperators(const LoadedModel& model) {
  for (torch::jit::Function* function : model.AllFunctions()) {
    if (auto* graph_function = torch::jit::tryToGraphFunction(*function))
      CULPRIT_TRY(CheckBlock(*graph_function->graph()->block(), model.path()));
  }
  return Done{};
}

Status RefuseFileOperatorsIn(const std::string& name, std::string_view code) {
  static const std::regex call(
      R"((torch|ops)\s*\.\s*([A-Za-z_0-9.]*\.)?(save|from_file|read_file|write_file)\b)");
  std::cmatch match;
  if (!std::regex_search(code.data(), code.data() + code.size(), match, call)) return Done{};
  const graph::text::Source source(name, code);
  return Refused(source.PlaceAt(static_cast<size_t>(match.position())), match.str());
}

}  // namespace culprit::model
