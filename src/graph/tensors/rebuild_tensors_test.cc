// SPDX-License-Identifier: Apache-2.0
#include "graph/tensors/rebuild_tensors.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "graph/tensors/describe_tensors.h"

namespace culprit::graph {
namespace {

TEST(RebuildTensorsTest, TensorsLieOnTheGivenStorages) {
  const at::Tensor base = at::zeros({4});
  const DescribedTensors described = *DescribeTensors({base, base.slice(0, 1, 3)});
  const std::vector<at::Tensor> rebuilt = *RebuildTensors(described.group, described.contents);
  EXPECT_EQ(rebuilt[0].data_ptr(), base.data_ptr());
  EXPECT_TRUE(rebuilt[1].is_alias_of(base));
}

TEST(RebuildTensorsTest, IndicesBeyondTheSizesAreAnError) {
  DescribedTensors described = *DescribeTensors({at::ones({3, 3}).to_sparse()});
  std::get<SparseCoo>(described.group.tensors[0]).sizes = {2, 3};
  EXPECT_EQ(RebuildTensors(described.group, described.contents).error().message,
            "a tensor cannot be rebuilt: size is inconsistent with indices: for dim 0, size is 2 but found "
            "index 2");
}

TEST(RebuildTensorsTest, IndicesThatAreNotInOrderAreNotCoalesced) {
  DescribedTensors described = *DescribeTensors({at::ones({3}).to_sparse()});
  static_cast<int64_t*>(described.contents[0].mutable_data())[1] = 0;
  EXPECT_EQ(RebuildTensors(described.group, described.contents).error().message,
            "a sparse tensor is called coalesced, but its indices do not ascend");
}

TEST(RebuildTensorsTest, IntegersNeverRequireGradients) {
  DescribedTensors described = *DescribeTensors({at::ones({3}, at::kInt)});
  std::get<TensorSpec>(described.group.tensors[0]).requires_grad = true;
  EXPECT_FALSE(RebuildTensors(described.group, described.contents)->at(0).requires_grad());
}

TEST(RebuildTensorsTest, StoragesOfAnotherSizeAreABug) {
  const DescribedTensors described = *DescribeTensors({at::ones({3})});
  const DescribedTensors other = *DescribeTensors({at::ones({2})});
  EXPECT_THROW((void)RebuildTensors(described.group, other.contents), base::InternalError);
  EXPECT_THROW((void)RebuildTensors(described.group, {}), base::InternalError);
}

}  // namespace
}  // namespace culprit::graph
