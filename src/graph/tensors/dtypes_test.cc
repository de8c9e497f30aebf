// SPDX-License-Identifier: Apache-2.0
#include "graph/tensors/dtypes.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <functional>

namespace culprit::graph {
namespace {

bool Succeeds(const std::function<void()>& function) {
  try {
    function();
    return true;
  } catch (const c10::Error&) {
    return false;
  }
}

void ForEachDtype(const std::function<void(at::ScalarType)>& check) {
  for (int8_t i = 0; i < static_cast<int8_t>(at::ScalarType::Undefined); ++i) {
    const auto dtype = static_cast<at::ScalarType>(i);
    SCOPED_TRACE(dtype);
    if (!c10::isQIntType(dtype)) check(dtype);
  }
}

TEST(DtypesTest, NumbersAreHeldWhereLibtorchConverts) {
  ForEachDtype([](at::ScalarType dtype) {
    const auto convert = [&] { at::zeros({3}, dtype).to(at::kComplexDouble).to(dtype); };
    EXPECT_EQ(HoldsNumbers(dtype), Succeeds(convert));
  });
}

TEST(DtypesTest, NumbersAreDrawnWhereLibtorchDraws) {
  ForEachDtype([](at::ScalarType dtype) {
    const bool real = !c10::isComplexType(dtype);
    const auto draw = [&] {
      const at::Tensor numbers = at::empty({3}, dtype);
      if (real) {
        numbers.random_(0, 2);
      } else {
        numbers.normal_(0, 1);
      }
    };
    EXPECT_EQ(CanBeDrawn(dtype), Succeeds(draw));
  });
}

TEST(DtypesTest, UnsignedIntegersHaveNoNumbersBelowZero) {
  ForEachDtype([](at::ScalarType dtype) {
    const bool is_integer = c10::isIntegralType(dtype, /*includeBool=*/true);
    EXPECT_EQ(IsUnsigned(dtype), is_integer && !c10::isSignedType(dtype));
  });
}

}  // namespace
}  // namespace culprit::graph
