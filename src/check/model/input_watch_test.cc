// SPDX-License-Identifier: Apache-2.0
#include "check/model/input_watch.h"

#include <ATen/ops/ones.h>
#include <c10/core/InferenceMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/model/clone_inputs.h"

namespace culprit::check {
namespace {

using testing::ElementsAre;
using Inputs = std::vector<c10::IValue>;

/// Lets `write` write into clones of the inputs.
std::vector<bool> UnwrittenAfter(const Inputs& inputs, const std::function<void(const Inputs&)>& write) {
  const Inputs clones = CloneInputs(inputs);
  const InputWatch watch(inputs, clones);
  write(clones);
  return watch.Unwritten();
}

TEST(InputWatchTest, OnlyWhatIsWrittenIsWritten) {
  EXPECT_THAT(UnwrittenAfter({at::ones({2}), at::ones({2}), 3},
                             [](const Inputs& inputs) { inputs[1].toTensor().add_(1); }),
              ElementsAre(true, false, true));
}

TEST(InputWatchTest, WritingTheSameNumbersIsWriting) {
  EXPECT_THAT(UnwrittenAfter({at::ones({2})}, [](const Inputs& inputs) { inputs[0].toTensor().mul_(1); }),
              ElementsAre(false));
}

TEST(InputWatchTest, InputsThatShareTheMemoryAreWrittenToo) {
  const at::Tensor base = at::ones({4});
  EXPECT_THAT(UnwrittenAfter({base, base.slice(0, 0, 2), at::ones({4})},
                             [](const Inputs& inputs) { inputs[1].toTensor().add_(1); }),
              ElementsAre(false, false, true));
}

TEST(InputWatchTest, WritesBehindLibtorchsBackAreSeen) {
  EXPECT_THAT(UnwrittenAfter({at::ones({2})},
                             [](const Inputs& inputs) { *inputs[0].toTensor().data_ptr<float>() = 2; }),
              ElementsAre(false));
}

TEST(InputWatchTest, AnotherShapeIsAWrite) {
  EXPECT_THAT(UnwrittenAfter({at::ones({2, 3})}, [](const Inputs& inputs) { inputs[0].toTensor().t_(); }),
              ElementsAre(false));
}

TEST(InputWatchTest, TensorsInContainersCount) {
  EXPECT_THAT(UnwrittenAfter({c10::List<at::Tensor>({at::ones({2}), at::ones({2})})},
                             [](const Inputs& inputs) { inputs[0].toTensorList().get(1).add_(1); }),
              ElementsAre(false));
}

TEST(InputWatchTest, InferenceTensorsAreWatchedByTheirBytes) {
  const c10::InferenceMode mode;
  EXPECT_THAT(UnwrittenAfter({at::ones({2}), at::ones({2})},
                             [](const Inputs& inputs) { inputs[0].toTensor().add_(1); }),
              ElementsAre(false, true));
}

TEST(InputWatchTest, WithoutClonesTheVersionsTell) {
  const Inputs inputs = {at::ones({2}), at::ones({2})};
  const InputWatch watch(inputs, inputs);
  inputs[0].toTensor().add_(1);
  EXPECT_THAT(watch.Unwritten(), ElementsAre(false, true));
}

}  // namespace
}  // namespace culprit::check
