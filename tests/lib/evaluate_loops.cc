// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/evaluate_loops.h"

#include <ATen/Dispatch.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_strided.h>
#include <fmt/format.h>

#include <cmath>

#include "compiler/loops/type_rules.h"
#include "graph/interpreter.h"
#include "graph/rebuild.h"
#include "tests/lib/evaluate_body.h"

namespace culprit::tests {
namespace {

using namespace compiler::loops;  // NOLINT: the language that is evaluated

/// Counts through all indices below the extents, the last one fastest; false when it is through.
bool Next(std::vector<int64_t>& indices, const std::vector<int64_t>& extents, size_t begin) {
  for (size_t i = indices.size(); i-- > begin;) {
    if (++indices[i] < extents[i]) return true;
    indices[i] = 0;
  }
  return false;
}

int64_t OffsetOf(const at::Tensor& tensor, const std::vector<int64_t>& indices, const std::string& name) {
  int64_t offset = 0;
  for (size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] < 0 || indices[i] >= tensor.size(static_cast<int64_t>(i)))
      throw std::out_of_range(fmt::format("element {} along dimension {} of {}", indices[i], i, name));
    offset += indices[i] * tensor.stride(static_cast<int64_t>(i));
  }
  return offset;
}

LoopNumber Read(const at::Tensor& tensor, int64_t offset) {
  LoopNumber element;
  AT_DISPATCH_ALL_TYPES_AND3(at::kBool, at::kHalf, at::kBFloat16, tensor.scalar_type(), "read", [&] {
    const scalar_t value = tensor.data_ptr<scalar_t>()[offset];
    if (std::is_integral_v<scalar_t>)
      element.integer = static_cast<int64_t>(value);
    else
      element.number = static_cast<double>(value);
  });
  return element;
}

void Write(const at::Tensor& tensor, int64_t offset, LoopNumber element) {
  AT_DISPATCH_ALL_TYPES_AND3(at::kBool, at::kHalf, at::kBFloat16, tensor.scalar_type(), "write", [&] {
    tensor.data_ptr<scalar_t>()[offset] = std::is_integral_v<scalar_t>
                                              ? static_cast<scalar_t>(element.integer)
                                              : static_cast<scalar_t>(element.number);
  });
}

bool IsBetter(Combine combine, double candidate, double best) {
  if (std::isnan(best)) return false;
  if (std::isnan(candidate)) return true;
  return combine == Combine::kArgMax ? candidate > best : candidate < best;
}

Op OpOf(Combine combine) {
  switch (combine) {
    case Combine::kSum:
      return Op::kAdd;
    case Combine::kProduct:
      return Op::kMul;
    case Combine::kMin:
      return Op::kMin;
    case Combine::kMax:
      return Op::kMax;
    case Combine::kAnd:
      return Op::kAnd;
    default:
      return Op::kOr;
  }
}

/// Of nothing at all: what leaves every number of the type as it is.
LoopNumber Neutral(Combine combine, Type type) {
  const bool is_unsigned = type == Type::Byte;
  const int bits = 8 * static_cast<int>(c10::elementSize(type)) - (is_unsigned ? 0 : 1);
  const auto highest = static_cast<int64_t>((uint64_t{1} << bits) - 1);
  switch (combine) {
    case Combine::kProduct:
    case Combine::kAnd:
      return {1, 1};
    case Combine::kMin:
      return {highest, INFINITY};
    case Combine::kMax:
      return {is_unsigned ? 0 : -highest - 1, -INFINITY};
    default:
      return {0, 0};
  }
}

class LoopEvaluator {
 public:
  LoopEvaluator(const Program& program, const std::vector<c10::IValue>& values, const Value& value)
      : value_(value),
        loop_(*value.loop),
        body_(loop_.body, loop_.result, [&](uint32_t source, const std::vector<int64_t>& indices) {
          const at::Tensor& tensor = values[source].toTensor();
          return Read(tensor, OffsetOf(tensor, indices, program.values[source].name));
        }) {
    extents_ = value.sizes;
    extents_.insert(extents_.end(), loop_.reduced.begin(), loop_.reduced.end());
  }

  at::Tensor Run() {
    at::Tensor result = at::empty_strided(value_.sizes, value_.strides, value_.dtype);
    if (result.numel() == 0) return result;
    // Views may show an element in several places.
    if (value_.is_view) result = at::empty_strided(value_.sizes, Contiguous(), value_.dtype);
    std::vector<int64_t> indices(extents_.size(), 0);
    do {
      const std::vector<int64_t> own(indices.begin(), indices.begin() + Rank());
      Write(result, OffsetOf(result, own, value_.name), Element(indices, result));
      indices.resize(value_.sizes.size());
      if (!Next(indices, extents_, 0)) break;
      indices.resize(extents_.size(), 0);
    } while (true);
    return result;
  }

 private:
  std::ptrdiff_t Rank() const { return static_cast<std::ptrdiff_t>(value_.sizes.size()); }

  std::vector<int64_t> Contiguous() const {
    std::vector<int64_t> strides(value_.sizes.size(), 1);
    for (size_t i = strides.size(); i-- > 1;)
      strides[i - 1] = strides[i] * std::max<int64_t>(value_.sizes[i], 1);
    return strides;
  }

  LoopNumber Element(const std::vector<int64_t>& indices, const at::Tensor& result) {
    switch (loop_.kind) {
      case LoopKind::kPointwise:
        return body_.Run(indices);
      case LoopKind::kScan:
        return Scanned(indices, result);
      case LoopKind::kReduction:
        return FindsPlace(loop_.combine) ? Place(indices) : Combined(indices);
    }
    return {};
  }

  bool HasIterations() const { return std::ranges::find(loop_.reduced, 0) == loop_.reduced.end(); }

  LoopNumber Both(LoopNumber a, LoopNumber b) const {
    const Type type = loop_.body.type(loop_.result);
    Body body;
    std::vector<ExprId> operands;
    for (const LoopNumber& each : {a, b})
      operands.push_back(IsFloat(type) ? body.Constant(each.number, type)
                                       : body.Constant(each.integer, type));
    // Not folded: constants of floats are not, and those of integers become one constant.
    return BodyEvaluator(body, body.Apply(OpOf(loop_.combine), operands), nullptr).Run({});
  }

  /// Sums of Float in double: the order of additions is nobody's promise.
  LoopNumber Combined(std::vector<int64_t> indices) {
    const Type type = loop_.body.type(loop_.result);
    LoopNumber combined = Neutral(loop_.combine, type);
    if (!HasIterations()) return RoundedInto(combined, type);
    do {
      const LoopNumber each = body_.Run(indices);
      if (IsFloat(type) && loop_.combine == Combine::kSum)
        combined.number += each.number;
      else if (IsFloat(type) && loop_.combine == Combine::kProduct)
        combined.number *= each.number;
      else
        combined = Both(combined, each);
    } while (Next(indices, extents_, value_.sizes.size()));
    return RoundedInto(combined, type);
  }

  LoopNumber Place(std::vector<int64_t> indices) {
    const bool is_float = IsFloat(loop_.body.type(loop_.result));
    int64_t best = -1;
    int64_t iteration = 0;
    LoopNumber best_number;
    do {
      const LoopNumber each = body_.Run(indices);
      const bool is_better = is_float
                                 ? IsBetter(loop_.combine, each.number, best_number.number)
                                 : (loop_.combine == Combine::kArgMax ? each.integer > best_number.integer
                                                                      : each.integer < best_number.integer);
      if (best < 0 || is_better) {
        best = iteration;
        best_number = each;
      }
      ++iteration;
    } while (Next(indices, extents_, value_.sizes.size()));
    return {best, 0};
  }

  LoopNumber Scanned(const std::vector<int64_t>& indices, const at::Tensor& result) {
    const LoopNumber each = body_.Run(indices);
    if (indices[loop_.axis] == 0) return each;
    std::vector<int64_t> before = indices;
    --before[loop_.axis];
    return Both(Read(result, OffsetOf(result, before, value_.name)), each);
  }

  const Value& value_;
  const Loop& loop_;
  BodyEvaluator body_;
  std::vector<int64_t> extents_;
};

/// Calls one node of the graph by a graph that has only that.
std::vector<c10::IValue> CallNode(const Program& program, const graph::Node& node,
                                  const std::vector<c10::IValue>& values) {
  graph::Graph one;
  std::vector<c10::IValue> inputs;
  std::vector<graph::Argument> arguments;
  const auto input = [&](graph::ValueId id) {
    inputs.push_back(values[Index(program.value_of[Index(id)])]);
    return graph::Argument(one.AddPlaceholder(fmt::format("p{}", inputs.size()),
                                              graph::PlaceholderKind::kInput, program.graph->value(id).kind));
  };
  for (const graph::Argument& argument : node.arguments) arguments.push_back(MapValues(argument, input));
  std::vector<std::string> names;
  for (size_t i = 0; i < node.results.size(); ++i) names.push_back(fmt::format("r{}", i));
  const graph::Node& copy = one.AddNode(*node.op, std::move(arguments), std::move(names));
  one.SetOutputs({copy.results.begin(), copy.results.end()});
  for (size_t i = 0; i < node.results.size(); ++i)
    one.SetValueKind(copy.results[i], program.graph->value(node.results[i]).kind);
  return graph::Interpreter(one).Run(inputs);
}

c10::IValue Given(const Program& program, const Value& value, const std::vector<c10::IValue>& inputs) {
  const graph::Graph& graph = *program.graph;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (graph.value(graph.placeholders()[i].value).name == value.name) return inputs[i];
  for (const graph::TensorConstant& constant : graph.constants())
    if (graph.value(constant.value).name == value.name) return constant.tensor;
  throw std::invalid_argument("nobody gives " + value.name);
}

}  // namespace

at::Tensor EvaluateLoop(const Program& program, const std::vector<c10::IValue>& values, const Value& value) {
  return LoopEvaluator(program, values, value).Run();
}

std::vector<c10::IValue> EvaluateLoops(const Program& program, const std::vector<c10::IValue>& inputs) {
  const at::NoGradGuard no_grad;
  std::vector<c10::IValue> values;
  for (const Value& value : program.values) {
    if (value.is_given())
      values.push_back(Given(program, value, inputs));
    else if (value.loop)
      values.emplace_back(EvaluateLoop(program, values, value));
    else
      values.push_back(CallNode(program, program.graph->node(*value.node), values)[value.result]);
  }
  return values;
}

std::vector<c10::IValue> OutputsOf(const Program& program, const std::vector<c10::IValue>& values) {
  std::vector<c10::IValue> outputs;
  for (const graph::Argument& output : program.graph->outputs())
    outputs.push_back(output.is_value() ? values[Index(program.value_of[Index(output.value())])]
                                        : output.constant());
  return outputs;
}

}  // namespace culprit::tests
