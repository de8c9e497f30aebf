// SPDX-License-Identifier: Apache-2.0
//
// Sets of dtypes, for what libtorch has kernels for.
#pragma once

#include <c10/core/ScalarType.h>

#include <cstdint>
#include <initializer_list>

namespace culprit::compiler::lower {

class DtypeSet {
 public:
  constexpr DtypeSet(std::initializer_list<at::ScalarType> dtypes) {
    for (const at::ScalarType dtype : dtypes) bits_ |= BitOf(dtype);
  }

  constexpr bool contains(at::ScalarType dtype) const { return (bits_ & BitOf(dtype)) != 0; }
  constexpr DtypeSet Without(DtypeSet others) const {
    others.bits_ = bits_ & ~others.bits_;
    return others;
  }

 private:
  static constexpr uint64_t BitOf(at::ScalarType dtype) {
    return uint64_t{1} << static_cast<unsigned>(dtype);
  }

  uint64_t bits_ = 0;
};

inline constexpr DtypeSet kAnyDtype = {at::kFloat, at::kDouble, at::kBFloat16, at::kHalf, at::kChar,
                                       at::kByte,  at::kShort,  at::kInt,      at::kLong, at::kBool};
inline constexpr DtypeSet kAnyButBool = kAnyDtype.Without({at::kBool});
inline constexpr DtypeSet kIntegersAndBool =
    kAnyDtype.Without({at::kFloat, at::kDouble, at::kBFloat16, at::kHalf});
inline constexpr DtypeSet kFloats = {at::kFloat, at::kDouble, at::kBFloat16, at::kHalf};
inline constexpr DtypeSet kFloatsAndByte = {at::kFloat, at::kDouble, at::kBFloat16, at::kHalf, at::kByte};
inline constexpr DtypeSet kFloatAndDouble = {at::kFloat, at::kDouble};

}  // namespace culprit::compiler::lower
