// SPDX-License-Identifier: Apache-2.0
#include "tests/lib/evaluate_loops.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_strided.h>
#include <fmt/format.h>

#include "compiler/loops/type_rules.h"
#include "compiler/run/operator_call.h"
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

Scalar Read(const at::Tensor& tensor, int64_t offset) {
  return LoadScalar(tensor.data_ptr(), tensor.scalar_type(), offset);
}

class LoopEvaluator {
 public:
  LoopEvaluator(const LoopProgram& program, const std::vector<c10::IValue>& values, const Value& value)
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
      StoreScalar(result.data_ptr(), value_.dtype, OffsetOf(result, own, value_.name),
                  Element(indices, result));
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

  Scalar Element(const std::vector<int64_t>& indices, const at::Tensor& result) {
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

  Type type() const { return loop_.body.type(loop_.result); }

  /// Sums of Float in double: the order of additions is nobody's promise.
  Scalar Combined(std::vector<int64_t> indices) {
    const Type wide = IsFloat(type()) ? Type::Double : type();
    Scalar combined = IdentityOf(loop_.combine, wide);
    if (HasIterations()) {
      do {
        combined = CombineScalars(loop_.combine, wide, combined, body_.Run(indices));
      } while (Next(indices, extents_, value_.sizes.size()));
    }
    return CastScalar(combined, wide, type());
  }

  Scalar Place(std::vector<int64_t> indices) {
    int64_t best = -1;
    int64_t iteration = 0;
    Scalar best_number;
    do {
      const Scalar each = body_.Run(indices);
      if (best < 0 || IsBetter(loop_.combine, type(), best_number, each)) {
        best = iteration;
        best_number = each;
      }
      ++iteration;
    } while (Next(indices, extents_, value_.sizes.size()));
    return {.integer = best};
  }

  Scalar Scanned(const std::vector<int64_t>& indices, const at::Tensor& result) {
    const Scalar each = body_.Run(indices);
    if (indices[loop_.axis] == 0) return each;
    std::vector<int64_t> before = indices;
    --before[loop_.axis];
    return CombineScalars(loop_.combine, type(), Read(result, OffsetOf(result, before, value_.name)), each);
  }

  const Value& value_;
  const Loop& loop_;
  BodyEvaluator body_;
  std::vector<int64_t> extents_;
};

std::vector<c10::IValue> CallNode(const LoopProgram& program, graph::NodeId node,
                                  const std::vector<c10::IValue>& values) {
  const compiler::run::OperatorCall call(program, node);
  std::vector<c10::IValue> taken;
  for (const ValueIndex value : call.takes()) taken.push_back(values[Index(value)]);
  return call(std::move(taken));
}

c10::IValue Given(const LoopProgram& program, const Value& value, const std::vector<c10::IValue>& inputs) {
  const graph::Graph& graph = *program.graph;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (graph.value(graph.placeholders()[i].value).name == value.name) return inputs[i];
  for (const graph::TensorConstant& constant : graph.constants())
    if (graph.value(constant.value).name == value.name) return constant.tensor;
  throw std::invalid_argument("nobody gives " + value.name);
}

}  // namespace

at::Tensor EvaluateLoop(const LoopProgram& program, const std::vector<c10::IValue>& values,
                        const Value& value) {
  return LoopEvaluator(program, values, value).Run();
}

std::vector<c10::IValue> EvaluateLoops(const LoopProgram& program, const std::vector<c10::IValue>& inputs) {
  const at::NoGradGuard no_grad;
  std::vector<c10::IValue> values;
  for (const Value& value : program.values) {
    if (value.is_given())
      values.push_back(Given(program, value, inputs));
    else if (value.loop)
      values.emplace_back(EvaluateLoop(program, values, value));
    else
      values.push_back(CallNode(program, *value.node, values)[value.result]);
  }
  return values;
}

std::vector<c10::IValue> OutputsOf(const LoopProgram& program, const std::vector<c10::IValue>& values) {
  std::vector<c10::IValue> outputs;
  for (const graph::Argument& output : program.graph->outputs())
    outputs.push_back(output.is_value() ? values[Index(program.value_of[Index(output.value())])]
                                        : output.constant());
  return outputs;
}

}  // namespace culprit::tests
