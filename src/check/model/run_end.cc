// SPDX-License-Identifier: Apache-2.0
#include "check/model/run_end.h"

#include <ATen/core/List.h>
#include <ATen/core/jit_type.h>
#include <fmt/format.h>

namespace culprit::check {
namespace {

struct Field {
  std::string name;
  c10::IValue value;
};

c10::IValue NamedTuple(const char* type_name, const std::vector<Field>& fields) {
  std::vector<std::string> names;
  std::vector<c10::TypePtr> types;
  std::vector<c10::IValue> values;
  for (const Field& field : fields) {
    names.push_back(field.name);
    // Nobody looks at the types, but libtorch wants some.
    types.emplace_back(c10::NoneType::get());
    values.push_back(field.value);
  }
  auto type = c10::TupleType::createNamed(c10::QualifiedName(type_name), names, types);
  return c10::ivalue::Tuple::createNamed(std::move(values), std::move(type));
}

c10::IValue Named(const char* type_name, const std::vector<NamedTensor>& tensors) {
  std::vector<Field> fields;
  for (const NamedTensor& tensor : tensors) fields.push_back({tensor.name, tensor.tensor});
  return NamedTuple(type_name, fields);
}

c10::IValue ListOf(const std::vector<c10::IValue>& values) {
  c10::impl::GenericList list(c10::AnyType::get());
  for (const c10::IValue& value : values) list.push_back(value);
  return list;
}

c10::IValue AsTree(const Results& results, bool with_state) {
  std::vector<Field> fields = {{"outputs", results.outputs}};
  if (results.input_gradients) {
    std::vector<Field> gradients;
    if (with_state) gradients.push_back({"parameters", Named("Parameters", results.parameter_gradients)});
    gradients.push_back({"inputs", *results.input_gradients});
    fields.push_back({"gradients", NamedTuple("Gradients", gradients)});
  }
  if (with_state) {
    fields.push_back({"parameters", Named("Parameters", results.state.parameters)});
    fields.push_back({"buffers", Named("Buffers", results.state.buffers)});
  }
  fields.push_back({"inputs", ListOf(results.inputs)});
  return NamedTuple("Results", fields);
}

}  // namespace

std::string_view NameOf(Phase phase) {
  switch (phase) {
    case Phase::kCompile:
      return "compile";
    case Phase::kClone:
      return "clone";
    case Phase::kForward:
      return "forward";
    case Phase::kReduce:
      return "reduce";
    case Phase::kBackward:
      return "backward";
    case Phase::kSynchronize:
      return "synchronize";
  }
  return "";
}

std::string RunFailure::ToString() const {
  if (call == 0) return fmt::format("{}: {}", NameOf(phase), message);
  return fmt::format("calls[{}], {}: {}", call, NameOf(phase), message);
}

c10::IValue AsTree(const std::vector<Results>& calls, bool with_state) {
  if (calls.size() == 1) return AsTree(calls[0], with_state);
  std::vector<c10::IValue> trees;
  for (const Results& results : calls) trees.push_back(AsTree(results, with_state));
  return NamedTuple("Calls", {{"calls", ListOf(trees)}});
}

std::set<std::string> UnwrittenInputs(const std::vector<Results>& calls) {
  std::set<std::string> names;
  for (size_t call = 0; call < calls.size(); ++call) {
    const std::string prefix = calls.size() == 1 ? "" : fmt::format("calls[{}].", call);
    for (size_t i = 0; i < calls[call].unwritten.size(); ++i) {
      if (calls[call].unwritten[i]) names.insert(fmt::format("{}inputs[{}]", prefix, i));
    }
  }
  return names;
}

}  // namespace culprit::check
