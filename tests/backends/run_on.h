// SPDX-License-Identifier: Apache-2.0
//
// All that a run gives and leaves behind, to be compared bit for bit.
#pragma once

#include <ATen/Context.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "backend/backend.h"
#include "graph/tensors/tensor_copy.h"

namespace culprit::tests {

inline bool SameValue(const c10::IValue& a, const c10::IValue& b) {
  if (a.isTensor() && b.isTensor()) return graph::SameTensor(a.toTensor(), b.toTensor());
  if (!a.isList() || !b.isList()) return graph::SameConstant(a, b);
  const auto x = a.toListRef();
  const auto y = b.toListRef();
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), SameValue);
}

/// What a run leaves in its inputs, which are copies, and what it gives.
template <typename Function>
backend::Values RunOn(const backend::Values& inputs, const Function& function) {
  backend::Values all = graph::CopyAll(inputs);
  at::manual_seed(/*seed=*/11);
  backend::Values given = all;
  for (c10::IValue& output : function(given)) all.push_back(std::move(output));
  return all;
}

inline void ExpectSameValues(const backend::Values& found, const backend::Values& expected,
                             const std::string& name) {
  ASSERT_EQ(found.size(), expected.size()) << name;
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_TRUE(SameValue(found[i], expected[i])) << name << ", value " << i;
}

}  // namespace culprit::tests
