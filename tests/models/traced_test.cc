// SPDX-License-Identifier: Apache-2.0
//
// Traces have sizes as tensors, and are captured as well as scripts. A sample of them, or in full volume all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/capture/captured.h"
#include "tests/lib/volume.h"
#include "tests/models/model_archives.h"

namespace culprit::tests {
namespace {

const std::vector<std::string> kSample = {"shufflenet_v2_x0_5", "shufflenet_v2_x0_5_traced", "hf_vit",
                                          "hf_swin", "hf_bert"};

Coverage Capture(const nlohmann::json& row) {
  const Hazard call = {.path = ArchiveOf(row),
                       .calls = {row["inputs"].get<std::vector<std::string>>()},
                       .no_grad = true,
                       .gradients = false};
  Coverage coverage;
  const auto comparison = CompareCaptured(call, coverage);
  EXPECT_TRUE(comparison.ok()) << comparison.error().Render();
  if (comparison.ok()) EXPECT_EQ(comparison->differences, "");
  return coverage;
}

TEST(TracedTest, ATraceIsOneGraphWhereAScriptIsNoMore) {
  const nlohmann::json rows = ModelArchives(FullVolume() ? std::vector<std::string>() : kSample);
  for (const nlohmann::json& row : rows) {
    SCOPED_TRACE(row["name"].get<std::string>());
    if (row["how"] != "trace") continue;
    const Coverage traced = Capture(row);
    EXPECT_EQ(traced.graphs, 1) << testing::PrintToString(traced.breaks);
    if (!row.contains("twin")) continue;
    const auto twin =
        std::ranges::find_if(rows, [&](const nlohmann::json& each) { return each["name"] == row["twin"]; });
    ASSERT_NE(twin, rows.end());
    EXPECT_LE(traced.graphs, Capture(*twin).graphs);
  }
}

}  // namespace
}  // namespace culprit::tests
