// SPDX-License-Identifier: Apache-2.0
#include "graph/inputs/draw_in_range.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/full.h>

#include <algorithm>

#include "graph/tensors/dtypes.h"

namespace culprit::graph::inputs {
namespace {

using Kind = SeededNumbers::Kind;

InlineNumbers WrittenOut(const at::Tensor& numbers, at::ScalarType dtype) {
  const at::Tensor converted = numbers.to(dtype);
  return {dtype, {static_cast<const char*>(converted.data_ptr()), converted.nbytes()}};
}

// As equal as integers allow: 7 in 3 parts is 3, 2, 2.
InlineNumbers PartsOf(int64_t sum, int64_t count, at::ScalarType dtype) {
  const at::Tensor parts = at::full({count}, sum / count, at::kLong);
  parts.narrow(0, 0, sum % count).add_(1);
  return WrittenOut(parts, dtype);
}

// Evenly spread: 2 of 5 are 0, 0, 1, 0, 1. Element i is true if i of 5 and i + 1 of 5 have another part of 2.
InlineNumbers TruesOf(int64_t trues, int64_t count, at::ScalarType dtype) {
  const at::Tensor before = at::arange(count + 1, at::kLong).mul_(trues).floor_divide_(count);
  return WrittenOut(before.diff(), dtype);
}

// Every so many elements the next place, from the beginning again behind the last one.
InlineNumbers PlacesOf(const InputRange& range, int64_t count, at::ScalarType dtype) {
  return WrittenOut(at::arange(count, at::kLong).floor_divide_(range.every).remainder_(range.bound), dtype);
}

// One more than the largest integer of the dtype, as far as a 64-bit integer can say it.
int64_t EndOf(at::ScalarType dtype) {
  const auto bits = 8 * c10::elementSize(dtype);
  if (bits == 64) return INT64_MAX;
  return int64_t{1} << (IsUnsigned(dtype) ? bits : bits - 1);
}

// Bytes for dtypes that no kernel draws. Floats of 8 bits are powers of two from 1/4 to 2 or lie between 1/16
// and 2, scales included; of the others every byte is as good as any.
SeededNumbers BytesOf(at::ScalarType dtype, SeededNumbers numbers) {
  numbers.kind = Kind::kInteger;
  numbers.count *= static_cast<int64_t>(c10::elementSize(dtype));
  numbers.dtype = at::kByte;
  numbers.high = UINT8_MAX + 1;
  if (!c10::isFloat8Type(dtype)) return numbers;
  const bool is_power = dtype == at::ScalarType::Float8_e8m0fnu;
  numbers.low = is_power ? 125 : 0x30;
  numbers.high = is_power ? 129 : 0x40;
  return numbers;
}

SeededNumbers IntegersInRange(const std::optional<InputRange>& range, SeededNumbers numbers) {
  numbers.kind = Kind::kInteger;
  const bool is_bool = numbers.dtype == at::kBool;
  numbers.high = is_bool ? 2 : 1;
  if (!range || is_bool) return numbers;
  switch (range->kind) {
    case InputRange::Kind::kUnit:
      numbers.high = 2;
      break;
    case InputRange::Kind::kPositive:
      numbers.low = 1;
      numbers.high = 10;
      break;
    case InputRange::Kind::kBelow:
      numbers.high = std::clamp<int64_t>(range->bound, 1, EndOf(numbers.dtype));
      break;
    case InputRange::Kind::kUnused:
    case InputRange::Kind::kSumsTo:
    case InputRange::Kind::kTrues:
      break;
  }
  return numbers;
}

// Numbers that each depend on where they stand.
std::optional<InlineNumbers> NumbersByPlace(const InputRange& range, at::ScalarType dtype, int64_t count) {
  if (count == 0 || c10::isFloatingType(dtype)) return std::nullopt;
  const bool is_mask = dtype == at::kBool || dtype == at::kByte;
  if (range.kind == InputRange::Kind::kTrues && is_mask)
    return TruesOf(std::min(range.bound, count), count, dtype);
  if (dtype == at::kBool) return std::nullopt;
  if (range.kind == InputRange::Kind::kSumsTo && range.bound / count + 1 < EndOf(dtype))
    return PartsOf(range.bound, count, dtype);
  const bool are_places = range.kind == InputRange::Kind::kBelow && range.every > 0;
  if (are_places && range.bound > 0 && range.bound <= EndOf(dtype)) return PlacesOf(range, count, dtype);
  return std::nullopt;
}

// Whether its indices are a row of places for each of its first dimensions, and there are places. A file may
// say anything.
bool HasPlaces(const SparseCoo& sparse) {
  const TensorSpec& indices = sparse.indices;
  if (indices.dtype != at::kLong || indices.sizes.size() != 2) return false;
  const auto dims = static_cast<size_t>(indices.sizes[0]);
  return dims <= sparse.sizes.size() &&
         std::count(sparse.sizes.begin(), sparse.sizes.begin() + static_cast<ptrdiff_t>(dims), 0) == 0;
}

// The places of as many elements as the indices have columns, in ascending order and as far from each other
// as the sizes allow.
InlineNumbers SpreadIndices(const SparseCoo& sparse, int64_t bytes) {
  std::string memory(static_cast<size_t>(bytes), '\0');
  const TensorSpec& spec = sparse.indices;
  const at::Tensor flat = at::from_blob(memory.data(), {bytes / int64_t{sizeof(int64_t)}}, at::kLong);
  const at::Tensor indices = flat.as_strided(spec.sizes, spec.strides, spec.offset);
  const int64_t dims = spec.sizes[0], columns = spec.sizes[1];
  int64_t places = 1;
  for (int64_t dim = 0; dim < dims; ++dim) {
    if (__builtin_mul_overflow(places, sparse.sizes[dim], &places)) places = INT64_MAX;
  }
  const int64_t step = std::max<int64_t>(places / std::max<int64_t>(columns, 1), 1);
  auto index = indices.accessor<int64_t, 2>();
  for (int64_t column = 0; column < columns; ++column) {
    int64_t place = std::min(column * step, places - 1);
    for (int64_t dim = dims; dim-- > 0; place /= sparse.sizes[dim])
      index[dim][column] = place % sparse.sizes[dim];
  }
  return {bytes % int64_t{sizeof(int64_t)} == 0 ? at::kLong : at::kByte, std::move(memory)};
}

class Drawer {
 public:
  Drawer(InputSpecs& specs, const InputRanges& ranges) : specs_(specs), by_storage_(specs.storages.size()) {
    for (size_t i = 0; i < specs.inputs.size(); ++i) {
      if (const auto* tensor = std::get_if<TensorSpec>(&specs.inputs[i]); tensor && i < ranges.size())
        Narrow(by_storage_[tensor->storage], ranges[i]);
      if (const auto* quantised = std::get_if<QuantisedPerChannel>(&specs.inputs[i]))
        Narrow(by_storage_[quantised->scales.storage], InputRange{InputRange::Kind::kPositive});
    }
  }

  void Run(uint64_t seed) {
    for (const InputSpec& input : specs_.inputs) {
      const auto* sparse = std::get_if<SparseCoo>(&input);
      if (sparse == nullptr || !HasPlaces(*sparse)) continue;
      StorageSpec& storage = specs_.storages[sparse->indices.storage];
      if (IsUnknown(storage)) storage.contents = SpreadIndices(*sparse, storage.bytes);
    }
    for (size_t i = 0; i < specs_.storages.size(); ++i) {
      StorageSpec& storage = specs_.storages[i];
      if (!IsUnknown(storage)) continue;
      const at::ScalarType dtype = ElementTypeOf(specs_, i);
      const auto item = static_cast<int64_t>(c10::elementSize(dtype));
      storage.contents = DrawInRange(by_storage_[i], dtype, (storage.bytes + item - 1) / item, seed + 1 + i);
    }
  }

 private:
  InputSpecs& specs_;
  InputRanges by_storage_;
};

}  // namespace

StorageContents DrawInRange(const std::optional<InputRange>& range, at::ScalarType dtype, int64_t count,
                            uint64_t seed) {
  SeededNumbers numbers{.dtype = dtype, .count = count, .seed = seed};
  if (!CanBeDrawn(dtype)) return BytesOf(dtype, numbers);
  if (range && range->kind == InputRange::Kind::kUnused) {
    numbers.kind = Kind::kInteger;
    numbers.high = 1;
    return numbers;
  }
  if (range) {
    if (auto written = NumbersByPlace(*range, dtype, count)) return *std::move(written);
  }
  if (!c10::isFloatingType(dtype)) return IntegersInRange(range, numbers);
  if (range && range->kind == InputRange::Kind::kUnit) numbers.kind = Kind::kUniform;
  if (range && range->kind == InputRange::Kind::kPositive) numbers.kind = Kind::kPositive;
  return numbers;
}

bool IsUnknown(const StorageSpec& storage) {
  return storage.bytes > 0 && std::holds_alternative<std::monostate>(storage.contents);
}

void DrawUnknown(InputSpecs& specs, const InputRanges& ranges, uint64_t seed) {
  Drawer(specs, ranges).Run(seed);
}

}  // namespace culprit::graph::inputs
