// SPDX-License-Identifier: Apache-2.0
#include "api/bind_arguments.h"

#include <ATen/core/function_schema.h>
#include <c10/util/Exception.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/csrc/jit/api/function_impl.h>

#include "capture/breaks/code_origin.h"

namespace culprit::api {
namespace {

std::string DefinitionOf(const torch::jit::Function& function) {
  const torch::jit::GraphFunction* written =
      torch::jit::tryToGraphFunction(const_cast<torch::jit::Function&>(function));
  if (written == nullptr) return "in C++";
  for (const torch::jit::Node* node : written->graph()->nodes()) {
    const capture::OriginText text = capture::TextOf({{{function.name(), node->sourceRange()}}});
    if (text.line > 0) return fmt::format("at {}:{}", text.file, text.line);
  }
  return "in an unknown place";
}

std::string TypesOf(const std::vector<c10::IValue>& arguments,
                    const std::unordered_map<std::string, c10::IValue>& keywords) {
  std::vector<std::string> types;
  types.reserve(arguments.size() + keywords.size());
  for (const c10::IValue& argument : arguments) types.push_back(argument.type()->repr_str());
  for (const auto& [name, value] : keywords) types.push_back(name + "=" + value.type()->repr_str());
  return fmt::format("({})", fmt::join(types, ", "));
}

}  // namespace

void BindArguments(const torch::jit::Function& function, std::vector<c10::IValue>& arguments,
                   const std::unordered_map<std::string, c10::IValue>& keywords) {
  const std::vector<c10::IValue> given = arguments;
  try {
    function.getSchema().checkAndNormalizeInputs(arguments, keywords);
  } catch (c10::Error& error) {
    error.add_context(fmt::format("{} is defined {} and was called with {}",
                                  function.qualname().qualifiedName(), DefinitionOf(function),
                                  TypesOf(given, keywords)));
    throw;
  }
}

}  // namespace culprit::api
