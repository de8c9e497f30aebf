// SPDX-License-Identifier: Apache-2.0
#include "graph/text/values/tensor_expression.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/text.h"
#include "graph/tensors/dtypes.h"
#include "graph/tensors/input_spec.h"
#include "graph/tensors/torch_error.h"
#include "graph/text/syntax/call_view.h"
#include "graph/text/syntax/literal.h"
#include "graph/text/values/constant_expression.h"
#include "graph/text/values/seeded_numbers.h"
#include "graph/text/values/size_expression.h"
#include "graph/text/values/stored_bytes.h"

namespace culprit::graph::text {
namespace {

using base::Done;
using base::Result;
using base::Status;

constexpr std::string_view kHolding[] = {"torch.tensor", "tensor", "stored"};
constexpr std::string_view kInventing[] = {"torch.randn", "torch.rand", "torch.randint",
                                           "torch.zeros", "torch.ones", "torch.empty"};

bool Contains(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The numbers of a nested list, in order, and the sizes that the nesting gives.
struct NumberList {
  std::vector<c10::IValue> numbers;
  std::vector<int64_t> sizes;
};

// What torch.tensor would choose.
at::ScalarType DefaultDtype(const std::vector<c10::IValue>& numbers) {
  at::ScalarType widest = numbers.empty() ? at::kFloat : at::kBool;
  for (const c10::IValue& number : numbers) {
    if (number.isComplexDouble()) return at::kComplexFloat;
    if (number.isDouble()) widest = at::kFloat;
    if (number.isInt() && widest == at::kBool) widest = at::kLong;
  }
  return widest;
}

template <typename T>
at::Tensor Convert(const std::vector<c10::IValue>& numbers, at::ScalarType source, at::ScalarType dtype) {
  std::vector<T> values;
  values.reserve(numbers.size());
  for (const c10::IValue& number : numbers) values.push_back(number.toScalar().to<T>());
  const auto count = static_cast<int64_t>(values.size());
  return at::from_blob(values.data(), {count}, source).to(dtype, /*non_blocking=*/false, /*copy=*/true);
}

at::Tensor TensorOf(const std::vector<c10::IValue>& numbers, at::ScalarType dtype) {
  if (c10::isComplexType(dtype)) return Convert<c10::complex<double>>(numbers, at::kComplexDouble, dtype);
  if (c10::isFloatingType(dtype)) return Convert<double>(numbers, at::kDouble, dtype);
  return Convert<int64_t>(numbers, at::kLong, dtype);
}

class TensorEvaluator {
 public:
  TensorEvaluator(const Source& source, const ExpressionArena& arena, const TensorSources& sources)
      : source_(source), arena_(arena), max_bytes_(sources.max_bytes), load_(sources.load) {}

  Result<TensorLiteral> Evaluate(ExpressionId id) {
    const CallView call(arena_, id);
    const Expression& expression = arena_[id];
    if (IsTakenFromOne(arena_, id)) return Seeded(expression, id);
    if (expression.kind != ExpressionKind::kCall) return Unknown(expression);
    const Expression& callee = arena_.ChildOf(expression, 0);
    if (callee.kind == ExpressionKind::kAttribute) return Method(callee, call);
    if (call.name() == "torch.tensor" || call.name() == "tensor") return Data(expression, call);
    if (call.name() == "stored") return Stored(expression, id);
    if (const auto generator = call.Keyword("generator"); generator && arena_[*generator].text != "None")
      return Seeded(expression, id);
    return Invented(expression, call);
  }

 private:
  base::Diagnostic Unknown(const Expression& expression) const {
    return source_.Error(expression.offset, "this does not make a tensor constant that is known");
  }

  base::Diagnostic TooLarge(const Expression& expression) const {
    return source_.Error(expression.offset,
                         fmt::format("a constant of more than {}", base::HumanBytes(max_bytes_)));
  }

  base::Diagnostic WithoutNumbers(const Expression& expression, at::ScalarType dtype) const {
    return source_.Error(expression.offset,
                         fmt::format("a tensor of {} cannot be made from numbers", NameOf(dtype)));
  }

  Result<at::ScalarType> Dtype(const CallView& call, at::ScalarType otherwise) {
    const std::optional<ExpressionId> dtype = call.Keyword("dtype");
    if (!dtype || arena_[*dtype].text == "None") return otherwise;
    if (const auto known = DtypeFromName(arena_[*dtype].text)) return *known;
    return source_.Error(arena_[*dtype].offset, UnknownDtype(arena_[*dtype].text));
  }

  Result<at::Device> Device(const CallView& call) {
    const std::optional<ExpressionId> device = call.Keyword("device");
    if (!device || arena_[*device].text == "None") return at::Device(at::kCPU);
    return EvaluateDevice(source_, arena_, *device);
  }

  Result<TensorLiteral> Data(const Expression& expression, const CallView& call) {
    const std::optional<ExpressionId> data = call.Argument(0, "data");
    if (!data) return Unknown(expression);
    NumberList list;
    CULPRIT_TRY(Collect(*data, 0, list));
    const at::ScalarType dtype = CULPRIT_TRY(Dtype(call, DefaultDtype(list.numbers)));
    for (const c10::IValue& number : list.numbers) {
      const bool whole = number.isInt() || number.isBool();
      const bool fits =
          whole || c10::isComplexType(dtype) || (number.isDouble() && c10::isFloatingType(dtype));
      if (!fits)
        return source_.Error(expression.offset, fmt::format("a number does not fit dtype {}", NameOf(dtype)));
    }
    if (!HoldsNumbers(dtype)) return WithoutNumbers(expression, dtype);
    return TensorLiteral{TensorOf(list.numbers, dtype).reshape(list.sizes), CULPRIT_TRY(Device(call))};
  }

  Status Collect(ExpressionId id, size_t depth, NumberList& list) {
    const Expression& expression = arena_[id];
    if (expression.kind != ExpressionKind::kList && expression.kind != ExpressionKind::kTuple) {
      const c10::IValue number = CULPRIT_TRY(EvaluateConstant(source_, arena_, id));
      const bool fits = number.isInt() || number.isBool() || number.isDouble() || number.isComplexDouble();
      if (!fits || depth != list.sizes.size())
        return source_.Error(expression.offset, "expected equally long lists of numbers");
      list.numbers.push_back(number);
      return Done{};
    }
    const auto count = static_cast<int64_t>(expression.child_count);
    if (depth == list.sizes.size() && list.numbers.empty()) list.sizes.push_back(count);
    if (depth >= list.sizes.size() || list.sizes[depth] != count) {
      return source_.Error(expression.offset, "expected equally long lists of numbers");
    }
    for (uint32_t i = 0; i < expression.child_count; ++i) {
      CULPRIT_TRY(Collect(arena_.child(expression, i), depth + 1, list));
    }
    return Done{};
  }

  // A graph whose data is elsewhere can still be looked at.
  Result<TensorLiteral> Stored(const Expression& expression, ExpressionId id) {
    const auto [stored, bytes] = CULPRIT_TRY(EvaluateStored(source_, arena_, id));
    if (bytes < 0 || static_cast<uint64_t>(bytes) > max_bytes_) return TooLarge(expression);
    max_bytes_ -= bytes;
    TensorLiteral literal;
    literal.contents = stored;
    Result<at::Tensor> data = MakeContents(literal.contents, bytes, load_);
    if (!data.ok()) literal.missing = data.error();
    literal.tensor = data.ok() ? *std::move(data) : at::zeros({bytes}, at::kByte);
    return literal;
  }

  Result<TensorLiteral> Seeded(const Expression& expression, ExpressionId id) {
    TensorLiteral literal{.is_random = true};
    literal.contents = CULPRIT_TRY(EvaluateSeeded(source_, arena_, id));
    const auto& numbers = std::get<SeededNumbers>(literal.contents);
    const uint64_t bytes = static_cast<uint64_t>(numbers.count) * c10::elementSize(numbers.dtype);
    if (bytes > max_bytes_) return TooLarge(expression);
    max_bytes_ -= bytes;
    literal.tensor = Draw(numbers);
    return literal;
  }

  // Data that the script does not hold: zeros, ones, or numbers from a fixed seed.
  Result<TensorLiteral> Invented(const Expression& expression, const CallView& call) {
    const std::string_view name = call.name();
    const bool is_randint = name == "torch.randint";
    const std::optional<ExpressionId> size = is_randint ? call.Argument(2, "size") : call.Argument(0, "size");
    if (!size || !Contains(kInventing, name)) return Unknown(expression);
    TensorSpec spec{.sizes = CULPRIT_TRY(Sizes(*size))};
    spec.dtype = CULPRIT_TRY(Dtype(call, is_randint ? at::kLong : at::kFloat));
    const bool is_drawn = name == "torch.randn" || name == "torch.rand";
    if (is_drawn ? !CanBeDrawn(spec.dtype) : !HoldsNumbers(spec.dtype))
      return WithoutNumbers(expression, spec.dtype);
    spec.strides = ContiguousStrides(spec.sizes);
    const std::optional<int64_t> bytes = ReachOf(spec);
    if (!bytes || static_cast<uint64_t>(*bytes) > max_bytes_) {
      return TooLarge(expression);
    }
    max_bytes_ -= *bytes;
    TensorLiteral literal{at::full(spec.sizes, name == "torch.ones" ? 1 : 0, spec.dtype),
                          CULPRIT_TRY(Device(call))};
    const bool normal =
        name == "torch.randn" && (c10::isFloatingType(spec.dtype) || c10::isComplexType(spec.dtype));
    const bool uniform = name == "torch.rand" && c10::isFloatingType(spec.dtype);
    at::Generator generator = at::detail::createCPUGenerator(/*seed=*/expression.offset);
    if (normal) literal.tensor.normal_(0, 1, generator);
    if (uniform) literal.tensor.uniform_(0, 1, generator);
    literal.is_random = name != "torch.zeros" && name != "torch.ones";
    return literal;
  }

  Result<std::vector<int64_t>> Sizes(ExpressionId id) {
    const Expression& expression = arena_[id];
    std::vector<int64_t> sizes;
    if (expression.kind == ExpressionKind::kInt)
      return std::vector{CULPRIT_TRY(EvaluateSize(source_, arena_, id, {}))};
    const bool is_list =
        expression.kind == ExpressionKind::kList || expression.kind == ExpressionKind::kTuple;
    if (!is_list) return source_.Error(expression.offset, "expected a list of sizes");
    for (uint32_t i = 0; i < expression.child_count; ++i) {
      sizes.push_back(CULPRIT_TRY(EvaluateSize(source_, arena_, arena_.child(expression, i), {})));
      if (sizes.back() < 0)
        return source_.Error(expression.offset, fmt::format("size {} is negative", sizes.back()));
    }
    return sizes;
  }

  Result<TensorLiteral> Method(const Expression& callee, const CallView& call) {
    TensorLiteral literal = CULPRIT_TRY(Evaluate(arena_.child(callee, 0)));
    const std::string_view method = callee.text;
    try {
      if (method == "reshape" && call.Positional(0)) {
        literal.tensor = literal.tensor.reshape(CULPRIT_TRY(Sizes(*call.Positional(0))));
        return literal;
      }
      if (method == "as_strided" && call.positional_count() >= 2) return AsStrided(literal, call, callee);
      if (method == "view" && call.Positional(0)) {
        const auto dtype = DtypeFromName(arena_[*call.Positional(0)].text);
        if (!dtype) return Unknown(callee);
        literal.tensor = literal.tensor.view(*dtype);
        return literal;
      }
      if (method == "cuda") {
        literal.device = at::Device(at::kCUDA, 0);
        return literal;
      }
      if (method == "cpu" || method == "contiguous") return literal;
      if (method == "to" && call.Positional(0)) {
        literal.device = CULPRIT_TRY(EvaluateDevice(source_, arena_, *call.Positional(0)));
        return literal;
      }
    } catch (const std::exception& error) {
      return source_.Error(callee.offset, fmt::format("{} fails: {}", method, TorchMessage(error)));
    }
    return Unknown(callee);
  }

  Result<TensorLiteral> AsStrided(TensorLiteral literal, const CallView& call, const Expression& callee) {
    TensorSpec spec{.sizes = CULPRIT_TRY(Sizes(*call.Positional(0))),
                    .strides = CULPRIT_TRY(Sizes(*call.Positional(1)))};
    spec.dtype = literal.tensor.scalar_type();
    if (call.Positional(2)) spec.offset = CULPRIT_TRY(EvaluateSize(source_, arena_, *call.Positional(2), {}));
    const std::optional<int64_t> reach =
        spec.sizes.size() == spec.strides.size() ? ReachOf(spec) : std::nullopt;
    if (!reach || spec.offset < 0 || static_cast<uint64_t>(*reach) > literal.tensor.nbytes()) {
      return source_.Error(callee.offset, "as_strided reaches beyond the data");
    }
    TensorSpec unfolded{.sizes = spec.sizes, .strides = ContiguousStrides(spec.sizes), .dtype = spec.dtype};
    const std::optional<int64_t> bytes = ReachOf(unfolded);
    if (!bytes || static_cast<uint64_t>(*bytes) > max_bytes_) return TooLarge(callee);
    literal.tensor = literal.tensor.as_strided(spec.sizes, spec.strides, spec.offset);
    return literal;
  }

  const Source& source_;
  const ExpressionArena& arena_;
  size_t max_bytes_;
  const LoadBytes& load_;
};

}  // namespace

bool MakesTensor(const ExpressionArena& arena, ExpressionId id) {
  const Expression* call = &arena[id];
  while (call->kind == ExpressionKind::kCall) {
    const Expression& callee = arena.ChildOf(*call, 0);
    if (callee.kind == ExpressionKind::kName)
      return Contains(kHolding, callee.text) || Contains(kInventing, callee.text);
    if (callee.kind != ExpressionKind::kAttribute) return false;
    call = &arena.ChildOf(callee, 0);
  }
  return call->kind == ExpressionKind::kBinary && MakesTensor(arena, arena.child(*call, 1));
}

Result<TensorLiteral> EvaluateTensor(const Source& source, const ExpressionArena& arena, ExpressionId id,
                                     const TensorSources& sources) {
  return TensorEvaluator(source, arena, sources).Evaluate(id);
}

}  // namespace culprit::graph::text
