// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/random_graph/graph_maker.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>

#include <limits>

#include "graph/ir/verify.h"
#include "graph/run/interpreter.h"
#include "tests/lib/random_graph/attributes.h"

namespace culprit::tests {
namespace {

using graph::Argument;
using graph::Operator;
using graph::ValueId;
using graph::ValueKind;

constexpr int64_t kLargestTensor = 4096;

bool HasDtype(const at::Tensor& tensor, Dtypes dtypes) {
  const at::ScalarType dtype = tensor.scalar_type();
  const bool integer = c10::isIntegralType(dtype, /*includeBool=*/false);
  switch (dtypes) {
    case Dtypes::kFloating:
      return c10::isFloatingType(dtype);
    case Dtypes::kInteger:
      return integer;
    case Dtypes::kReal:
      return c10::isFloatingType(dtype) || integer;
    case Dtypes::kBool:
      return dtype == at::kBool;
    case Dtypes::kBits:
      return integer || dtype == at::kBool;
    case Dtypes::kComplex:
      return c10::isComplexType(dtype);
    case Dtypes::kAny:
      return true;
  }
  return false;
}

}  // namespace

GraphMaker::GraphMaker(uint64_t seed) : dice_(seed) {
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  generator.set_current_seed(seed);
  for (int64_t i = Between(2, 4); i > 0; --i) Fresh(RandomDtype(Dtypes::kAny), RandomSizes());
}

int64_t GraphMaker::Between(int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(dice_);
}

Sizes GraphMaker::RandomSizes(int64_t lowest_rank, int64_t highest_rank) {
  Sizes sizes(Between(lowest_rank, highest_rank));
  for (int64_t& size : sizes) size = Chance(2) ? 0 : Choice<int64_t>({1, 2, 2, 3, 4, 5, 6});
  return sizes;
}

at::ScalarType GraphMaker::RandomDtype(Dtypes dtypes) {
  const auto integers = {at::kLong, at::kLong, at::kInt, at::kByte, at::kShort};
  const auto floats = {at::kFloat, at::kFloat, at::kFloat, at::kFloat, at::kDouble, at::kBFloat16};
  switch (dtypes) {
    case Dtypes::kFloating:
      return Choice(floats);
    case Dtypes::kInteger:
      return Choice(integers);
    case Dtypes::kReal:
      return Chance(70) ? Choice(floats) : Choice(integers);
    case Dtypes::kBool:
      return at::kBool;
    case Dtypes::kBits:
      return Chance(50) ? Choice(integers) : at::kBool;
    case Dtypes::kComplex:
      return Choice({at::kComplexFloat, at::kComplexDouble});
    case Dtypes::kAny:
      return Choice({RandomDtype(Dtypes::kFloating), RandomDtype(Dtypes::kFloating),
                     RandomDtype(Dtypes::kReal), at::kBool, at::kComplexFloat});
  }
  return at::kFloat;
}

Operand GraphMaker::Pick(Dtypes dtypes, const Condition& condition) {
  if (!Chance(8)) {
    for (int i = 0; i < 40; ++i) {
      const Operand& candidate = tensors_[Between(0, static_cast<int64_t>(tensors_.size()) - 1)];
      if (HasDtype(candidate.tensor, dtypes) && (!condition || condition(candidate.tensor))) return candidate;
    }
  }
  for (;;) {
    const at::ScalarType dtype = RandomDtype(dtypes);
    const Sizes sizes = RandomSizes();
    if (!condition || condition(at::empty(sizes, at::device(at::kMeta).dtype(dtype))))
      return Fresh(dtype, sizes);
  }
}

Operand GraphMaker::PickRanks(Dtypes dtypes, int64_t lowest, int64_t highest) {
  return Pick(dtypes,
              [=](const at::Tensor& tensor) { return tensor.dim() >= lowest && tensor.dim() <= highest; });
}

Operand GraphMaker::Sized(at::ScalarType dtype, const Sizes& sizes) {
  for (int i = 0; i < 20; ++i) {
    const Operand& candidate = tensors_[Between(0, static_cast<int64_t>(tensors_.size()) - 1)];
    if (candidate.dtype() == dtype && candidate.tensor.sizes() == sizes) return candidate;
  }
  return Fresh(dtype, sizes);
}

Operand GraphMaker::Partner(const Operand& other, Dtypes dtypes) {
  const auto fits = [&](const at::Tensor& tensor) {
    const int64_t common = std::min(tensor.dim(), other.rank());
    for (int64_t i = 1; i <= common; ++i) {
      const int64_t a = tensor.size(-i), b = other.size(-i);
      if (a != b && a != 1 && b != 1) return false;
    }
    return true;
  };
  for (int i = 0; i < 20; ++i) {
    const Operand& candidate = tensors_[Between(0, static_cast<int64_t>(tensors_.size()) - 1)];
    if (HasDtype(candidate.tensor, dtypes) && fits(candidate.tensor)) return candidate;
  }
  Sizes sizes = other.sizes();
  for (int64_t& size : sizes) size = Chance(20) ? 1 : size;
  sizes.erase(sizes.begin(), sizes.begin() + (Chance(30) ? Between(0, other.rank()) : 0));
  return Fresh(Chance(80) ? other.dtype() : RandomDtype(dtypes), sizes);
}

at::Tensor GraphMaker::RandomTensor(at::ScalarType dtype, const Sizes& sizes) {
  const bool transposed = sizes.size() >= 2 && Chance(25);
  Sizes in_memory = sizes;
  if (transposed) std::swap(in_memory.front(), in_memory.back());
  at::Tensor doubles = at::empty(in_memory, at::kDouble);
  for (int64_t i = 0; i < doubles.numel(); ++i) {
    doubles.data_ptr<double>()[i] = c10::isFloatingType(dtype) && Chance(2)
                                        ? SpecialFloat(*this)
                                        : static_cast<double>(Between(-24, 24)) / 8;
  }
  if (c10::isIntegralType(dtype, /*includeBool=*/false)) doubles.mul_(2);
  if (dtype == at::kByte) doubles.abs_();
  if (dtype == at::kBool) doubles = doubles.gt(0);
  at::Tensor tensor = doubles.to(dtype);
  return transposed ? tensor.transpose(0, -1) : tensor;
}

Operand GraphMaker::AddInput(at::Tensor tensor, bool as_constant) {
  ValueId id{};
  if (as_constant) {
    id = graph_.AddConstant(fmt::format("_tensor_constant{}", graph_.constants().size()), tensor);
    protected_memory_.insert(tensor.storage().data());
  } else {
    using graph::PlaceholderKind;
    const auto kind =
        Choice({PlaceholderKind::kInput, PlaceholderKind::kParameter, PlaceholderKind::kBuffer});
    id = graph_.AddPlaceholder(fmt::format("arg{}_1", graph_.placeholders().size()), kind);
    inputs_.push_back(tensor.clone());
  }
  Remember(id, tensor);
  return {id, tensor};
}

Operand GraphMaker::Fresh(at::ScalarType dtype, const Sizes& sizes) {
  return AddInput(RandomTensor(dtype, sizes), Chance(20));
}

Operand GraphMaker::FreshIndex(const Sizes& sizes, int64_t bound) {
  at::Tensor tensor = at::empty(sizes, at::kLong);
  for (int64_t i = 0; i < tensor.numel(); ++i) tensor.data_ptr<int64_t>()[i] = Between(0, bound - 1);
  const size_t known = tensors_.size();
  const Operand operand = AddInput(tensor, Chance(50));
  tensors_.resize(known);
  return operand;
}

Argument GraphMaker::SizeList(const Sizes& sizes) {
  Argument::List list;
  for (const int64_t size : sizes) {
    Argument element = Constant(size);
    for (const ValueId id : ints_) {
      if (values_[Index(id)].toInt() == size && Chance(70)) element = id;
    }
    list.push_back(std::move(element));
  }
  return Argument(std::move(list));
}

std::optional<ValueId> GraphMaker::ComputedNumber() {
  if (numbers_.empty()) return std::nullopt;
  return numbers_[Between(0, static_cast<int64_t>(numbers_.size()) - 1)];
}

bool GraphMaker::Complete(const Operator& op, NamedArguments given, const at::Tensor& about) {
  for (size_t i = 0; i < op.slots().size(); ++i) {
    const c10::Argument& formal = op.schema().arguments()[i];
    const bool is_given = std::any_of(given.begin(), given.end(),
                                      [&](const auto& argument) { return argument.first == formal.name(); });
    if (is_given || (formal.default_value() && Chance(40))) continue;
    std::optional<Argument> attribute = RandomAttribute(*this, formal, op.slots()[i], about);
    if (attribute) given.emplace_back(formal.name(), *std::move(attribute));
  }
  return Call(op, std::move(given));
}

bool GraphMaker::Call(const Operator& op, NamedArguments arguments) {
  auto bound = graph::BindArguments(graph_, op, {{}, std::move(arguments)});
  if (!bound.ok() || WritesProtectedMemory(op, *bound)) return false;
  const Results results = Execute(op, *bound);
  if (!results) return false;
  for (const c10::IValue& result : *results) {
    if (result.isTensor() && result.toTensor().defined() && result.toTensor().numel() > kLargestTensor)
      return false;
  }
  std::vector<std::string> names;
  const std::string base = op.name().substr(op.name().find("::") + 2);
  for (size_t i = 0; i < results->size(); ++i)
    names.push_back(FreshName(results->size() > 1 ? "getitem" : base));
  const std::vector<ValueId> ids = graph_.AddNode(op, *std::move(bound), std::move(names)).results;
  for (size_t i = 0; i < ids.size(); ++i) Remember(ids[i], (*results)[i]);
  for (size_t i = 0; i < ids.size(); ++i) {
    if ((*results)[i].isTensorList()) TakeElements(ids[i], (*results)[i].toTensorList().size());
  }
  return true;
}

bool GraphMaker::WritesProtectedMemory(const Operator& op, const std::vector<Argument>& arguments) const {
  bool found = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!op.writes(i)) continue;
    graph::ForEachValue(arguments[i], [&](ValueId id) {
      const c10::IValue& value = values_[Index(id)];
      found = found || (value.isTensor() && protected_memory_.contains(value.toTensor().storage().data()));
    });
  }
  return found;
}

GraphMaker::Results GraphMaker::Execute(const Operator& op, const std::vector<Argument>& arguments) const {
  graph::Graph single;
  std::vector<c10::IValue> inputs;
  std::vector<Argument> mapped;
  for (const Argument& argument : arguments) {
    mapped.push_back(graph::MapValues(argument, [&](ValueId id) -> Argument {
      inputs.push_back(values_[Index(id)]);
      return single.AddPlaceholder(fmt::format("input{}", inputs.size()), {}, graph_.value(id).kind);
    }));
  }
  std::vector<std::string> names;
  for (size_t i = 0; i < op.results()->size(); ++i) names.push_back(fmt::format("result{}", i));
  const graph::Node& node = single.AddNode(op, std::move(mapped), std::move(names));
  single.SetOutputs({node.results.begin(), node.results.end()});
  try {
    return graph::Interpreter(single).Run(std::move(inputs));
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

void GraphMaker::Remember(ValueId id, c10::IValue value) {
  if (values_.size() <= Index(id)) values_.resize(Index(id) + 1);
  values_[Index(id)] = value;
  const ValueKind kind = graph_.value(id).kind;
  if (kind == ValueKind::kTensor && value.toTensor().defined()) tensors_.push_back({id, value.toTensor()});
  if (kind == ValueKind::kInt) ints_.push_back(id);
  if (kind == ValueKind::kInt || kind == ValueKind::kFloat || kind == ValueKind::kNumber)
    numbers_.push_back(id);
}

void GraphMaker::TakeElements(ValueId list, int64_t count) {
  const Operator& getitem = Operator::Get("python::getitem.Tensor");
  for (int64_t i = 0; i < std::min<int64_t>(count, 3); ++i) {
    Call(getitem, {{"list", list}, {"index", Constant(Chance(15) ? i - count : i)}});
  }
}

bool GraphMaker::CallOnSizes() {
  if (ints_.size() < 2 || Chance(30)) {
    const Operand tensor = PickRanks(Dtypes::kAny, 1, 4);
    return Call(Operator::Get("aten::sym_size.int"),
                {{"self", tensor}, {"dim", Constant(Between(-tensor.rank(), tensor.rank() - 1))}});
  }
  const auto any = [&]() -> Argument {
    return Chance(40) ? Constant(Between(1, 4))
                      : Argument(ints_[Between(0, static_cast<int64_t>(ints_.size()) - 1)]);
  };
  const auto name = Choice({"add", "sub", "mul", "floordiv", "mod", "max", "min", "truediv", "pow"});
  const Operator& op = Operator::Get(fmt::format("python::{}.int", name));
  const Argument left = ints_[Between(0, static_cast<int64_t>(ints_.size()) - 1)];
  return Call(op, {{"a", left}, {"b", any()}});
}

void GraphMaker::ChooseOutputs() {
  std::vector<bool> used(graph_.values().size(), false);
  for (const graph::Node& node : graph_.nodes()) {
    for (const Argument& argument : node.arguments)
      graph::ForEachValue(argument, [&](ValueId id) { used[Index(id)] = true; });
  }
  std::vector<Argument> outputs;
  for (const Operand& operand : tensors_) {
    const bool computed = graph_.value(operand.id).origin == graph::Origin::kNode;
    if (computed && Chance(used[Index(operand.id)] ? 10 : 80)) outputs.push_back(operand);
  }
  if (const auto number = ComputedNumber(); number && Chance(50)) outputs.push_back(*number);
  if (Chance(20)) outputs.push_back(None());
  if (Chance(10)) outputs.push_back(Constant(Choice({true, false})));
  if (Chance(10)) outputs.push_back(Constant(SpecialFloat(*this)));
  graph_.SetOutputs(std::move(outputs));
}

std::string GraphMaker::FreshName(std::string base) {
  for (;;) {
    const int number = names_[base]++;
    const std::string name = number == 0 ? base : fmt::format("{}_{}", base, number);
    if (graph::IsValidName(name)) return name;
  }
}

}  // namespace culprit::tests
