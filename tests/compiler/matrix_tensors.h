// SPDX-License-Identifier: Apache-2.0
//
// The tensors of the matrix: every dtype, in every layout, with every kind of numbers.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <string_view>
#include <vector>

namespace culprit::tests {

struct DtypeColumn {
  at::ScalarType dtype;
  std::string_view name;
};
inline constexpr std::array<DtypeColumn, 10> kDtypeColumns = {{{at::kFloat, "f32"},
                                                               {at::kDouble, "f64"},
                                                               {at::kBFloat16, "bf16"},
                                                               {at::kHalf, "f16"},
                                                               {at::kChar, "i8"},
                                                               {at::kByte, "u8"},
                                                               {at::kShort, "i16"},
                                                               {at::kInt, "i32"},
                                                               {at::kLong, "i64"},
                                                               {at::kBool, "bool"}}};

struct Layout {
  enum class Kind : uint8_t { kContiguous, kTransposed, kSliced, kExpanded };
  std::string_view name;
  Kind kind = Kind::kContiguous;
  int64_t rows = 3;
  /// Of the last dimension.
  int64_t width = 18;
};
inline constexpr std::array<Layout, 13> kLayouts = {{{"contiguous"},
                                                     {"transposed", Layout::Kind::kTransposed},
                                                     {"sliced", Layout::Kind::kSliced},
                                                     {"expanded", Layout::Kind::kExpanded},
                                                     {"empty", Layout::Kind::kContiguous, 0},
                                                     {"one", Layout::Kind::kContiguous, 1, 1},
                                                     {"15", Layout::Kind::kContiguous, 3, 15},
                                                     {"16", Layout::Kind::kContiguous, 3, 16},
                                                     {"17", Layout::Kind::kContiguous, 3, 17},
                                                     {"31", Layout::Kind::kContiguous, 3, 31},
                                                     {"33", Layout::Kind::kContiguous, 3, 33},
                                                     {"63", Layout::Kind::kContiguous, 3, 63},
                                                     {"65", Layout::Kind::kContiguous, 3, 65}}};

/// kWide: of all magnitudes from 1e-4 to 1e4.
enum class Numbers : uint8_t { kRandom, kNan, kInf, kZeros, kDenormal, kExtreme, kWide };
struct NumbersName {
  Numbers numbers;
  std::string_view name;
};
inline constexpr std::array<NumbersName, 6> kNumbers = {{{Numbers::kRandom, "random"},
                                                         {Numbers::kNan, "nan"},
                                                         {Numbers::kInf, "inf"},
                                                         {Numbers::kZeros, "-0"},
                                                         {Numbers::kDenormal, "denormal"},
                                                         {Numbers::kExtreme, "extreme"}}};

/// Whether tensors of the dtype have such numbers.
bool Exists(at::ScalarType dtype, Numbers numbers);

/// Of these sizes, in the layout; another seed gives other numbers.
at::Tensor MakeTensor(at::ScalarType dtype, const std::vector<int64_t>& sizes, Layout::Kind layout,
                      Numbers numbers, uint64_t seed);

}  // namespace culprit::tests
