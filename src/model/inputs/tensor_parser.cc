// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>

#include "base/text.h"
#include "model/inputs/input_parser.h"

namespace culprit::model {

using base::Diagnostic;
using base::Done;
using base::Result;
using base::Status;
using c10::IValue;

namespace {

struct MemoryFormatName {
  std::string_view name;
  at::MemoryFormat format;
  size_t dims;
};

constexpr MemoryFormatName kMemoryFormats[] = {
    {"channels_last", at::MemoryFormat::ChannelsLast, 4},
    {"channels_last_3d", at::MemoryFormat::ChannelsLast3d, 5},
};

bool HoldsBelow(at::ScalarType dtype, const at::Scalar& below) {
  return c10::isIntegralType(dtype, false) ? below.isIntegral(false) && below.toLong() > 0
                                           : c10::isFloatingType(dtype) && below.toDouble() > 0;
}

std::string SizesText(const std::vector<int64_t>& sizes) {
  return fmt::format("{}", fmt::join(sizes, ","));
}

}  // namespace

Result<IValue> InputParser::Tensor(size_t begin, at::ScalarType dtype) {
  TensorText tensor{.dtype = dtype};
  CULPRIT_TRY(Sizes(tensor));
  CULPRIT_TRY(Contents(tensor));
  CULPRIT_TRY(Options(tensor));
  return Placed(begin, sources_.tensor(tensor));
}

Status InputParser::Sizes(TensorText& tensor) {
  constexpr size_t kMostDims = 64;
  CULPRIT_TRY(Expect('['));
  while (!TakeIf(']')) {
    if (!tensor.sizes.empty()) CULPRIT_TRY(Expect(','));
    SkipBlanks();
    const size_t begin = at_;
    const int64_t size = CULPRIT_TRY(Size(tensor.sizes.size()));
    if (tensor.sizes.size() == kMostDims)
      return Error(begin, fmt::format("more than {} dimensions", kMostDims));
    tensor.sizes.push_back(size);
  }
  return Done{};
}

Result<int64_t> InputParser::Size(size_t dimension) {
  SkipBlanks();
  const size_t begin = at_;
  const bool is_dynamic = TakeIf('?');
  const bool is_fixed = !is_dynamic && TakeIf('=');
  if (is_dynamic || is_fixed) marks_.push_back({part_, dimension, is_dynamic});
  SkipBlanks();
  const bool is_unsaid = std::isdigit(static_cast<unsigned char>(Peek())) == 0 && Peek() != '-';
  if (is_dynamic && is_unsaid) return kSizeOfUnknown;
  const int64_t size = CULPRIT_TRY(Int("a size"));
  if (is_dynamic && size < 2)
    return Error(begin, fmt::format("a size that differs from call to call is 2 or more, not {}", size));
  if (size < 0) return Error(begin, fmt::format("the size {} is negative", size));
  return size;
}

Status InputParser::Contents(TensorText& tensor) {
  SkipBlanks();
  const size_t begin = at_;
  if (TakeIf('<')) {
    const at::Scalar below = CULPRIT_TRY(Scalar());
    if (!HoldsBelow(tensor.dtype, below)) {
      return Error(begin,
                   fmt::format("numbers of dtype {} cannot be drawn below that; a positive {} is wanted",
                               c10::toString(tensor.dtype),
                               c10::isIntegralType(tensor.dtype, false) ? "integer" : "number"));
    }
    tensor.below = below;
    return Done{};
  }
  if (!TakeIf('=')) return Done{};
  tensor.has_values = true;
  if (!TakeIf('[')) {
    tensor.values = {CULPRIT_TRY(Scalar())};
    return Done{};
  }
  const std::vector<IValue> values = CULPRIT_TRY(Elements(']'));
  int64_t count = 1;
  for (const int64_t size : tensor.sizes) {
    if (__builtin_mul_overflow(count, size, &count)) count = INT64_MAX;
  }
  if (static_cast<int64_t>(values.size()) != count) {
    return Error(begin,
                 fmt::format("{} for the {} of sizes [{}]", base::Counted(values.size(), "value"),
                             base::Counted(static_cast<size_t>(count), "element"), SizesText(tensor.sizes)));
  }
  for (const IValue& value : values) {
    if (!value.isScalar() && !value.isBool()) return Error(begin, "an element of a tensor is a number");
    tensor.values.push_back(value.isBool() ? at::Scalar(value.toBool()) : value.toScalar());
  }
  return Done{};
}

Status InputParser::Options(TensorText& tensor) {
  while (true) {
    SkipBlanks();
    const size_t begin = at_;
    if (TakeIf("@seed=")) {
      const int64_t seed = CULPRIT_TRY(Int("a seed"));
      if (tensor.has_values) return Error(begin, "a tensor with given numbers needs no seed");
      tensor.seed = static_cast<uint64_t>(seed);
      continue;
    }
    // Behind a key of a dict there is a blank or a value, never one of these names.
    if (!TakeIf(':')) return Done{};
    const size_t name_begin = at_;
    const std::string_view name = TakeName();
    const auto* format = std::find_if(std::begin(kMemoryFormats), std::end(kMemoryFormats),
                                      [&](const MemoryFormatName& known) { return known.name == name; });
    if (format != std::end(kMemoryFormats)) {
      if (tensor.sizes.size() != format->dims)
        return Error(name_begin, fmt::format("{} is for tensors with {} dimensions, not {}", name,
                                             format->dims, tensor.sizes.size()));
      tensor.format = format->format;
    } else if (name == "transposed") {
      tensor.transposed = true;
    } else if (name == "grad") {
      const bool differentiable = c10::isFloatingType(tensor.dtype) || c10::isComplexType(tensor.dtype);
      if (!differentiable)
        return Error(name_begin,
                     fmt::format("numbers of dtype {} have no gradients", c10::toString(tensor.dtype)));
      tensor.requires_grad = true;
    } else {
      Diagnostic error = Error(name_begin, fmt::format("unknown option '{}'", base::Printable(name)));
      error.help = "the options are :grad, :channels_last, :channels_last_3d, :transposed and @seed=N";
      return error;
    }
  }
}

}  // namespace culprit::model
