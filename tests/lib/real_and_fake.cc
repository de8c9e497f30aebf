// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/real_and_fake.h"

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>
#include <torch/csrc/jit/runtime/interpreter.h>
#include <torch/jit.h>

#include <map>

namespace culprit::tests {
namespace {

using graph::fake::World;

at::ScalarType DtypeNamed(const std::string& name) {
  static const std::map<std::string, at::ScalarType> names = {
      {"f16", at::kHalf}, {"bf16", at::kBFloat16},    {"f32", at::kFloat}, {"f64", at::kDouble},
      {"u8", at::kByte},  {"i32", at::kInt},          {"i64", at::kLong},  {"bool", at::kBool},
      {"i8", at::kChar},  {"c64", at::kComplexFloat},
  };
  return names.at(name);
}

std::string NameOf(size_t input) {
  return std::string(1, static_cast<char>('a' + input));
}

/// The interpreter alone, without the optimisations of a first run.
c10::IValue RunScript(const std::vector<c10::IValue>& inputs, const std::string& expression) {
  std::string names;
  for (size_t i = 0; i < inputs.size(); ++i) names += (i > 0 ? ", " : "") + NameOf(i);
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

std::string LogRun(const std::vector<c10::IValue>& inputs, const std::string& expression) {
  c10::IValue result;
  try {
    result = RunScript(inputs, expression);
  } catch (const std::exception&) {
    return kThrows;
  }
  TensorLog log;
  for (size_t i = 0; i < inputs.size(); ++i) log.Add(NameOf(i), inputs[i]);
  log.Add("result", result);
  return log.text();
}

std::vector<c10::IValue> MakeInputs(const std::vector<std::string>& texts) {
  std::vector<c10::IValue> inputs;
  for (const std::string& text : texts) inputs.push_back(MakeInput(text));
  return inputs;
}

void ExpectSame(const Row& row, World& world) {
  const std::string real = RunReal(row);
  EXPECT_NE(real, kThrows) << row;
  EXPECT_EQ(RunFake(row, world), real) << row;
}

}  // namespace

at::Tensor MakeInput(const std::string& text) {
  const size_t open = text.find('['), close = text.find(']');
  std::vector<int64_t> sizes;
  std::istringstream numbers(text.substr(open + 1, close - open - 1));
  for (std::string number; std::getline(numbers, number, ',');) sizes.push_back(std::stoll(number));
  at::Tensor tensor = at::ones(sizes, at::TensorOptions(DtypeNamed(text.substr(0, open))));
  std::istringstream modifiers(text.substr(close + 1));
  for (std::string modifier; std::getline(modifiers, modifier, ':');) {
    if (modifier == "cl") tensor = tensor.contiguous(at::MemoryFormat::ChannelsLast);
    if (modifier == "cl3") tensor = tensor.contiguous(at::MemoryFormat::ChannelsLast3d);
    if (modifier == "t") tensor = tensor.transpose(0, 1).contiguous().transpose(0, 1);
    if (modifier == "step") tensor = tensor.repeat_interleave(2, -1).slice(-1, 0, INT64_MAX, 2);
    if (modifier == "g") tensor.requires_grad_(true);
  }
  return tensor;
}

void TensorLog::Add(const std::string& name, const c10::IValue& value) {
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

std::string TensorLog::Describe(const at::Tensor& tensor) const {
  if (!tensor.defined()) return "undefined";
  std::ostringstream text;
  text << tensor.scalar_type() << tensor.sizes() << " strides " << tensor.strides() << " +"
       << tensor.storage_offset() << " of " << tensor.storage().nbytes() << " bytes on " << tensor.device();
  if (tensor.requires_grad()) text << (tensor.is_leaf() ? " leaf" : " computed") << " with gradient";
  if (tensor.is_conj()) text << " conjugated";
  if (tensor.is_neg()) text << " negated";
  if (tensor.is_inference()) text << " of inference";
  if (tensor.unsafeGetTensorImpl()->is_wrapped_number()) text << " wrapped";
  for (const auto& [name, known] : known_) {
    if (known.is_same(tensor)) return text.str() + " is " + name;
    if (known.defined() && known.storage().is_alias_of(tensor.storage())) text << " shares with " << name;
  }
  return text.str();
}

std::ostream& operator<<(std::ostream& stream, const Row& row) {
  for (const std::string& input : row.inputs) stream << input << ' ';
  return stream << "| " << row.expression;
}

std::string RunReal(const Row& row) {
  return LogRun(MakeInputs(row.inputs), row.expression);
}

std::string RunFake(const Row& row, World& world) {
  std::vector<c10::IValue> fakes;
  for (const c10::IValue& real : MakeInputs(row.inputs)) fakes.push_back(world.FakeOf(real.toTensor()));
  const graph::fake::Mode mode(world);
  return LogRun(fakes, row.expression);
}

std::vector<Row> EachWith(const std::vector<std::string>& inputs,
                          const std::vector<std::string>& expressions) {
  std::vector<Row> rows;
  for (const std::string& expression : expressions) {
    for (const std::string& input : inputs) rows.push_back({{input}, expression});
  }
  return rows;
}

void ExpectSame(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    World world;
    ExpectSame(row, world);
  }
}

void ExpectSameWithoutFallback(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    World world;
    ExpectSame(row, world);
    EXPECT_TRUE(world.fallbacks().empty()) << row << ": " << world.fallbacks().begin()->first;
  }
}

void ExpectBothThrow(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    World world;
    EXPECT_EQ(RunReal(row), kThrows) << row;
    EXPECT_EQ(RunFake(row, world), kThrows) << row;
  }
}

}  // namespace culprit::tests
