// SPDX-License-Identifier: Apache-2.0
#include "repro/describe_inputs.h"

#include <ATen/CPUGeneratorImpl.h>
#include <fmt/format.h>

#include <algorithm>

#include "graph/tensors/describe_tensors.h"

namespace culprit::repro {
namespace {

using base::Diagnostic;
using base::Result;
using graph::InputSpec;

Diagnostic CannotBeKept(const std::string& name, std::string_view what) {
  return {{}, fmt::format("input '{}' cannot be kept: {}", name, what)};
}

bool IsFresh(const at::Generator& generator) {
  return generator.get_state().equal(at::detail::createCPUGenerator(generator.current_seed()).get_state());
}

Result<InputSpec> DescribePlain(const std::string& name, const std::vector<std::string>& symbols,
                                const c10::IValue& value) {
  if (value.isNone() || (value.isTensor() && !value.toTensor().defined()))
    return InputSpec(graph::AbsentSpec{graph::AbsentSpec::Reason::kConst, name});
  if (value.isInt())
    return InputSpec(graph::IntSpec{value.toInt(), symbols.empty() ? std::string() : symbols[0]});
  if (value.isDouble() || value.isBool() || value.isString()) return InputSpec(graph::ConstantSpec{value});
  if (value.isGenerator() && value.toGenerator().device().is_cpu()) {
    if (!IsFresh(value.toGenerator())) return CannotBeKept(name, "a generator that was drawn from already");
    return InputSpec(graph::GeneratorSpec{.seed = value.toGenerator().current_seed()});
  }
  return CannotBeKept(name, fmt::format("it is {} {}", value.isObject() ? "an object of type" : "of type",
                                        value.type()->annotation_str()));
}

struct ToInputSpec {
  template <typename Record>
  InputSpec operator()(const Record& record) const {
    return record;
  }
};

// Memory behind the last element that an input reaches is not needed.
void TrimStorages(graph::InputSpecs& specs) {
  std::vector<int64_t> reached(specs.storages.size(), 0);
  for (const InputSpec& input : specs.inputs) {
    graph::ForEachTensor(input, [&](const graph::TensorSpec& tensor) {
      reached[tensor.storage] = std::max(reached[tensor.storage], graph::ReachOf(tensor).value_or(0));
    });
  }
  for (size_t i = 0; i < reached.size(); ++i) specs.storages[i].bytes = reached[i];
}

}  // namespace

Result<DescribedInputs> DescribeInputs(const graph::Graph& graph, const std::vector<c10::IValue>& inputs) {
  const auto name_of = [&](size_t i) { return graph.value(graph.placeholders()[i].value).name; };
  const auto is_tensor = [](const c10::IValue& value) {
    return value.isTensor() && value.toTensor().defined();
  };
  std::vector<at::Tensor> tensors;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!is_tensor(inputs[i])) continue;
    const auto alone = graph::DescribeTensors({inputs[i].toTensor()});
    if (!alone.ok()) return CannotBeKept(name_of(i), alone.error().message);
    tensors.push_back(inputs[i].toTensor());
  }
  graph::DescribedTensors described = CULPRIT_TRY(graph::DescribeTensors(tensors));
  DescribedInputs result{.specs = {.storages = std::move(described.group.storages)},
                         .contents = std::move(described.contents)};
  auto record = described.group.tensors.begin();
  for (size_t i = 0; i < inputs.size(); ++i) {
    result.specs.inputs.push_back(
        is_tensor(inputs[i])
            ? std::visit(ToInputSpec{}, *record++)
            : CULPRIT_TRY(DescribePlain(name_of(i), graph.placeholders()[i].symbols, inputs[i])));
  }
  TrimStorages(result.specs);
  return result;
}

}  // namespace culprit::repro
