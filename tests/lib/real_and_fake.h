// SPDX-License-Identifier: Apache-2.0
//
// One TorchScript expression, run on real tensors and on their fakes, and all that is known of tensors
// afterwards, as text:
//
//   RunReal({"f32[2,3]", "f32[3,2]:t"}, "a.add_(b.t())")   =>   a: f32[2, 3] (3, 1) +0 of 24 bytes
//                                                              b: f32[2, 3] ...
//                                                              0: is a
//
// Inputs are called a, b, c ... A shape may be followed by how the tensor lies and what it is: cl (channels
// last), t (first two dimensions swapped), step (every second of the last dimension), g (wants a gradient).
#pragma once

#include <ATen/ops/ones.h>
#include <torch/csrc/jit/runtime/interpreter.h>
#include <torch/jit.h>

#include <sstream>
#include <string>
#include <vector>

#include "graph/fake/mode.h"

namespace culprit::tests {

inline at::ScalarType DtypeNamed(const std::string& name) {
  static const std::map<std::string, at::ScalarType> kNames = {
      {"f16", at::kHalf}, {"bf16", at::kBFloat16},    {"f32", at::kFloat}, {"f64", at::kDouble},
      {"u8", at::kByte},  {"i32", at::kInt},          {"i64", at::kLong},  {"bool", at::kBool},
      {"i8", at::kChar},  {"c64", at::kComplexFloat},
  };
  return kNames.at(name);
}

/// All ones, which every operator can take: as number, divisor and index.
inline at::Tensor MakeInput(const std::string& text) {
  const size_t open = text.find('['), close = text.find(']');
  std::vector<int64_t> sizes;
  std::istringstream numbers(text.substr(open + 1, close - open - 1));
  for (std::string number; std::getline(numbers, number, ',');) sizes.push_back(std::stoll(number));
  at::Tensor tensor = at::ones(sizes, at::TensorOptions(DtypeNamed(text.substr(0, open))));
  std::istringstream modifiers(text.substr(close + 1));
  for (std::string modifier; std::getline(modifiers, modifier, ':');) {
    if (modifier == "cl") tensor = tensor.contiguous(at::MemoryFormat::ChannelsLast);
    if (modifier == "t") tensor = tensor.transpose(0, 1).contiguous().transpose(0, 1);
    if (modifier == "step") tensor = tensor.repeat_interleave(2, -1).slice(-1, 0, INT64_MAX, 2);
    if (modifier == "g") tensor.requires_grad_(true);
  }
  return tensor;
}

/// Describes tensors; remembers them by what they are called, to say which ones later ones share memory with.
class TensorLog {
 public:
  void Add(const std::string& name, const c10::IValue& value) {
    if (value.isTensor()) {
      text_ << name << ": " << Describe(value.toTensor()) << '\n';
      known_.emplace_back(name, value.toTensor());
    } else if (value.isTuple() || value.isTensorList()) {
      const auto elements = value.isTuple() ? value.toTupleRef().elements().vec() : value.toListRef().vec();
      for (size_t i = 0; i < elements.size(); ++i) Add(name + "." + std::to_string(i), elements[i]);
    } else {
      text_ << name << ": " << value << '\n';
    }
  }
  std::string text() const { return text_.str(); }

 private:
  std::string Describe(const at::Tensor& tensor) const {
    if (!tensor.defined()) return "undefined";
    std::ostringstream text;
    for (const auto& [name, known] : known_) {
      if (known.is_same(tensor)) return "is " + name;
    }
    text << tensor.scalar_type() << tensor.sizes() << " strides " << tensor.strides() << " +"
         << tensor.storage_offset() << " of " << tensor.storage().nbytes() << " bytes on " << tensor.device();
    if (tensor.requires_grad()) text << (tensor.is_leaf() ? " leaf" : " computed") << " with gradient";
    if (tensor.is_conj()) text << " conjugated";
    if (tensor.is_neg()) text << " negated";
    if (tensor.is_inference()) text << " of inference";
    if (tensor.unsafeGetTensorImpl()->is_wrapped_number()) text << " wrapped";
    for (const auto& [name, known] : known_) {
      if (known.defined() && known.storage().is_alias_of(tensor.storage())) text << " shares with " << name;
    }
    return text.str();
  }

  std::ostringstream text_;
  std::vector<std::pair<std::string, at::Tensor>> known_;
};

/// The interpreter alone, without the optimisations of a first run.
inline c10::IValue RunScript(const std::vector<c10::IValue>& inputs, const std::string& expression) {
  std::string names;
  for (size_t i = 0; i < inputs.size(); ++i)
    names += std::string(i > 0 ? ", " : "") + static_cast<char>('a' + i);
  const bool is_body = expression.find("return") != std::string::npos;
  const std::string source = "def f(" + names + "):\n  " + (is_body ? "" : "return ") + expression + "\n";
  static std::map<std::string, std::shared_ptr<torch::jit::CompilationUnit>> compiled;
  auto& unit = compiled[source];
  if (unit == nullptr) unit = torch::jit::compile(source);
  const auto& function = torch::jit::toGraphFunction(unit->get_function("f"));
  torch::jit::Stack stack(inputs.begin(), inputs.end());
  torch::jit::InterpreterState(torch::jit::Code(function.graph(), "f")).run(stack);
  return stack.size() == 1 ? stack[0] : c10::IValue();
}

inline std::string LogRun(const std::vector<c10::IValue>& inputs, const std::string& expression) {
  c10::IValue result;
  try {
    result = RunScript(inputs, expression);
  } catch (const std::exception& error) {
    return "throws\n";
  }
  TensorLog log;
  for (size_t i = 0; i < inputs.size(); ++i) log.Add(std::string(1, static_cast<char>('a' + i)), inputs[i]);
  log.Add("result", result);
  return log.text();
}

inline std::vector<c10::IValue> MakeInputs(const std::vector<std::string>& texts) {
  std::vector<c10::IValue> inputs;
  for (const std::string& text : texts) inputs.push_back(MakeInput(text));
  return inputs;
}

inline std::string RunReal(const std::vector<std::string>& inputs, const std::string& expression) {
  return LogRun(MakeInputs(inputs), expression);
}

inline std::string RunFake(graph::fake::World& world, const std::vector<std::string>& inputs,
                           const std::string& expression) {
  std::vector<c10::IValue> fakes;
  for (const c10::IValue& real : MakeInputs(inputs)) fakes.push_back(world.FakeOf(real.toTensor()));
  const graph::fake::Mode mode(world);
  return LogRun(fakes, expression);
}

struct Row {
  std::vector<std::string> inputs;
  std::string expression;
};

inline std::ostream& operator<<(std::ostream& stream, const Row& row) {
  for (const std::string& input : row.inputs) stream << input << ' ';
  return stream << "| " << row.expression;
}

}  // namespace culprit::tests
