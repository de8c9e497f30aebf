// SPDX-License-Identifier: Apache-2.0
#include "tests/compiler/matrix_tensors.h"

#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/ops/empty.h>

#include <cmath>
#include <limits>
#include <random>

namespace culprit::tests {
namespace {

using Kind = Layout::Kind;

template <typename T>
std::vector<T> FloatsOf(Numbers numbers) {
  using Limits = std::numeric_limits<T>;
  switch (numbers) {
    case Numbers::kNan:
      return {Limits::quiet_NaN()};
    case Numbers::kInf:
      return {Limits::infinity(), T(-Limits::infinity())};
    case Numbers::kZeros:
      return {T(-0.0), T(0.0)};
    case Numbers::kDenormal:
      return {Limits::denorm_min(), T(-Limits::denorm_min()), T(Limits::min() / T(2.0))};
    case Numbers::kExtreme:
      return {Limits::max(), Limits::lowest(), Limits::min(), Limits::epsilon()};
    default:
      return {};
  }
}

template <typename T>
std::vector<T> SpecialsOf(Numbers numbers) {
  if constexpr (std::is_integral_v<T>) {
    if (numbers != Numbers::kExtreme) return {};
    return {std::numeric_limits<T>::max(), std::numeric_limits<T>::min(), T(0), T(1)};
  } else {
    return FloatsOf<T>(numbers);
  }
}

template <typename T>
void Fill(const at::Tensor& tensor, Numbers numbers, uint64_t seed) {
  std::mt19937_64 dice(seed);
  const std::vector<T> specials = SpecialsOf<T>(numbers);
  T* data = tensor.data_ptr<T>();
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    const auto part = [&] { return static_cast<double>(dice() >> 11U) * 0x1p-53; };
    const double size = numbers == Numbers::kWide ? std::pow(10, part() * 8 - 4) : 1;
    const double number = (part() * 8 - 4) * size;
    const bool is_unsigned = !std::numeric_limits<T>::is_signed;
    data[i] = T(is_unsigned ? number + 4 : number);
    // Few, so that a result that is all NaN says something too.
    if (!specials.empty() && dice() % 5 == 0) data[i] = specials[dice() % specials.size()];
  }
}

}  // namespace

bool Exists(at::ScalarType dtype, Numbers numbers) {
  if (numbers == Numbers::kRandom || at::isFloatingType(dtype)) return true;
  return numbers == Numbers::kExtreme && dtype != at::kBool;
}

at::Tensor MakeTensor(at::ScalarType dtype, const std::vector<int64_t>& sizes, Kind layout, Numbers numbers,
                      uint64_t seed) {
  std::vector<int64_t> whole = sizes;
  const size_t rank = sizes.size();
  if (rank < 2) layout = Kind::kContiguous;
  if (layout == Kind::kTransposed) std::swap(whole[rank - 1], whole[rank - 2]);
  if (layout == Kind::kSliced) whole.back() *= 2;
  if (layout == Kind::kExpanded) whole[0] = std::min<int64_t>(whole[0], 1);
  at::Tensor tensor = at::empty(whole, dtype);
  AT_DISPATCH_ALL_TYPES_AND3(at::kBool, at::kHalf, at::kBFloat16, dtype, "Fill",
                             [&] { Fill<scalar_t>(tensor, numbers, seed); });
  if (layout == Kind::kTransposed) tensor = tensor.transpose(-1, -2);
  if (layout == Kind::kSliced) tensor = tensor.slice(-1, 1, whole.back(), 2);
  if (layout == Kind::kExpanded) tensor = tensor.expand(sizes);
  return tensor;
}

}  // namespace culprit::tests
