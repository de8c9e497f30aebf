// SPDX-License-Identifier: Apache-2.0
//
// A call that ends because ranks differ leaves the `with` blocks that it is in.
#include <ATen/core/grad_mode.h>
#include <culprit/errors.h>
#include <gtest/gtest.h>

#include "backends/table.h"
#include "capture/captured_program.h"
#include "tests/capture/hazard.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {
namespace {

using capture::PlaceView;

TEST(LeftBlocksTest, GradModeIsOnAgainWhenRanksDifferInsideOfNoGrad) {
  const std::shared_ptr<backend::Backend> eager = *backends::Open(*backend::ParseSpec("eager"), {});
  capture::Options options;
  options.compile = [eager](const capture::Segment& segment, const backend::Values& inputs) {
    return std::shared_ptr<backend::Compiled>(eager->Compile(segment.graph, inputs));
  };
  options.share = [&](const PlaceView& view) -> std::vector<PlaceView> {
    if (at::GradMode::is_enabled()) return {view};
    throw RanksDiffer("ranks 0 and 1 differ");
  };
  const std::string path = "tests/fixtures/hazards/with_break_inside.py";
  const Hazard hazard = *ParseHazard(path, ReadWholeFile(path));
  std::string thrown;
  const auto make = [&](const model::Entry& entry) -> Callable {
    const auto program = std::make_shared<capture::CapturedProgram>(*entry.function, options);
    return [&, program](std::vector<c10::IValue> arguments) -> c10::IValue {
      try {
        return program->Call(std::move(arguments));
      } catch (const RanksDiffer& error) {
        thrown = error.what();
        EXPECT_TRUE(at::GradMode::is_enabled());
        throw;
      }
    };
  };
  Hazard once = hazard;
  once.calls.resize(1);
  ASSERT_TRUE(RunHazard(once, make).ok());
  EXPECT_EQ(thrown, "ranks 0 and 1 differ");
}

}  // namespace
}  // namespace culprit::tests
