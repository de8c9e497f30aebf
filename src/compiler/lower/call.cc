// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/call.h"

#include <ATen/WrapDimUtils.h>
#include <c10/util/strides.h>
#include <fmt/format.h>

#include "base/internal_error.h"
#include "compiler/loops/type_rules.h"

namespace culprit::compiler::lower {

using loops::TypeInRegisters;
using loops::ValueIndex;

namespace {

Sizes Contiguous(const Sizes& sizes) {
  const auto strides = c10::contiguous_strides(sizes);
  return {strides.begin(), strides.end()};
}

}  // namespace

c10::IValue Call::Evaluated(const graph::Argument& argument) const {
  return argument.is_value() ? program_.Fake(argument.value()) : argument.constant();
}

bool Call::IsTensor(const graph::Argument& argument) const {
  return argument.is_value() && program_.Fake(argument.value()).isTensor();
}

ValueIndex Call::Tensor(const graph::Argument& argument) const {
  return *program_.PlaceOf(argument.value());
}

std::optional<ValueIndex> Call::OptionalTensor(size_t argument) const {
  return IsTensor(argument) ? std::optional(Tensor(argument)) : std::nullopt;
}

std::vector<ValueIndex> Call::Tensors(size_t argument) const {
  std::vector<ValueIndex> tensors;
  for (const graph::Argument& element : node().arguments[argument].list()) tensors.push_back(Tensor(element));
  return tensors;
}

bool Call::IsWrappedNumber(size_t argument) const {
  return IsTensor(argument) && Fake(argument).unsafeGetTensorImpl()->is_wrapped_number();
}

Sizes Call::Ints(size_t argument) const {
  const graph::Argument& given = node().arguments[argument];
  if (!given.is_list()) {
    const c10::IValue value = Evaluated(given);
    return value.isIntList() ? value.toIntVector() : Sizes{value.toInt()};
  }
  Sizes ints;
  for (const graph::Argument& element : given.list()) ints.push_back(Evaluated(element).toInt());
  return ints;
}

size_t Call::Dimension(size_t argument, size_t dimensions) const {
  return static_cast<size_t>(at::maybe_wrap_dim(Int(argument), static_cast<int64_t>(dimensions)));
}

std::string_view Call::String(size_t argument) const {
  return node().arguments[argument].constant().toStringRef();
}

bool Call::HasResult(uint32_t result) const {
  return !Result(result).is_opaque;
}

ValueIndex Call::DefineEach(uint32_t result, LoopBuilder& loop, Expr expression) {
  const at::ScalarType dtype = Result(result).dtype;
  expression = expression.As(TypeInRegisters(dtype));
  if (options().exact && dtype == at::kHalf) expression = Apply(Op::kRoundToHalf, expression);
  if (options().exact && dtype == at::kBFloat16) expression = Apply(Op::kRoundToBFloat16, expression);
  return Define(result, loop.Pointwise(expression));
}

ValueIndex Call::Define(uint32_t result, std::shared_ptr<const loops::Loop> loop) {
  return program_.Place(ResultId(result), std::move(loop));
}

ValueIndex Call::Helper(std::string_view suffix, const Sizes& sizes,
                        std::shared_ptr<const loops::Loop> loop) {
  const bool gives_place = loop->kind == loops::LoopKind::kReduction && FindsPlace(loop->combine);
  loops::Value helper{.name = fmt::format("{}.{}", Result().name, suffix),
                      .dtype = gives_place ? at::kLong : loop->body.type(loop->result),
                      .sizes = sizes,
                      .strides = Contiguous(sizes),
                      .part_of = id_};
  helper.loop = std::move(loop);
  return program_.PlaceHelper(std::move(helper));
}

ValueIndex Call::DefineCombined(uint32_t result, std::string_view suffix,
                                const std::shared_ptr<loops::Loop>& loop) {
  const bool gives_place = FindsPlace(loop->combine);
  const Type type = gives_place ? Type::Long : loop->body.type(loop->result);
  if (type == Result(result).dtype) return Define(result, loop);
  const ValueIndex helper = Helper(suffix, Result(result).sizes, loop);
  LoopBuilder cast = LoopOver(result);
  DefineEach(result, cast, cast.Load(helper, cast.Variables()));
  return helper;
}

}  // namespace culprit::compiler::lower
