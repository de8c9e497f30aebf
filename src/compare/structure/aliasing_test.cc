// SPDX-License-Identifier: Apache-2.0
#include "compare/structure/aliasing.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::compare {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Lines(const std::vector<TensorPair>& pairs) {
  std::vector<std::string> lines;
  for (const Mismatch& mismatch : CompareAliasing(pairs))
    lines.push_back(mismatch.path + " " + mismatch.message);
  return lines;
}

TEST(CompareAliasingTest, TheSameSharingIsFine) {
  const at::Tensor a = at::zeros({4});
  const at::Tensor b = at::zeros({4});
  EXPECT_THAT(Lines({{"[0]", a, b}, {"[1]", a.view({2, 2}), b.view({2, 2})}}), IsEmpty());
  EXPECT_THAT(Lines({{"[0]", a, b}, {"[1]", a.clone(), b.clone()}}), IsEmpty());
}

TEST(CompareAliasingTest, SharingInOneRunOnlyIsNamed) {
  const at::Tensor a = at::zeros({4});
  const at::Tensor b = at::zeros({4});
  EXPECT_THAT(Lines({{"[0]", a, b}, {"[1]", a.view({2, 2}), b.clone()}}),
              ElementsAre("[1] shares memory with [0] in the reference, but not in the result"));
  EXPECT_THAT(Lines({{"[0]", a, b}, {"[1]", a.clone(), b}}),
              ElementsAre("[1] shares memory with [0] in the result, but not in the reference"));
}

TEST(CompareAliasingTest, SeparateHalvesOfATensorShareNothing) {
  const at::Tensor base = at::zeros({8});
  const at::Tensor first = at::zeros({4});
  const at::Tensor second = at::zeros({4});
  EXPECT_THAT(Lines({{"[0]", base.narrow(0, 0, 4), first}, {"[1]", base.narrow(0, 4, 4), second}}),
              IsEmpty());
  EXPECT_THAT(Lines({{"[0]", base.narrow(0, 0, 5), first}, {"[1]", base.narrow(0, 4, 4), second}}).size(), 1);
}

TEST(CompareAliasingTest, WhatHasNoStorageOrNoElementsSharesNothing) {
  const at::Tensor sparse = at::ones({2}).to_sparse();
  const at::Tensor base = at::zeros({4});
  EXPECT_THAT(Lines({{"[0]", sparse, sparse.clone()}, {"[1]", sparse, sparse.clone()}}), IsEmpty());
  EXPECT_THAT(Lines({{"[0]", base, base.clone()}, {"[1]", base.narrow(0, 1, 0), at::zeros({0})}}), IsEmpty());
}

}  // namespace
}  // namespace culprit::compare
