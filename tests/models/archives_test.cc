// SPDX-License-Identifier: Apache-2.0
//
// A sample of the models, or in full volume all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/capture/captured.h"
#include "tests/lib/volume.h"
#include "tests/models/model_archives.h"

namespace culprit::tests {
namespace {

/// Only those that warn fall apart.
void ExpectWhole(const nlohmann::json& row, const Coverage& coverage, bool train) {
  EXPECT_THAT(coverage.fallbacks, testing::IsEmpty());
  if (row["kind"] != "classification") return;
  const bool warns = coverage.breaks.contains("B05");
  EXPECT_EQ(coverage.graphs, warns ? 2 : 1);
  EXPECT_EQ(warns, !train && (row["family"] == "googlenet" || row["family"] == "inception"));
}

void ExpectSame(const nlohmann::json& row, bool train) {
  const std::string key = train ? "train_inputs" : "inputs";
  if (row[key].is_null()) return;
  SCOPED_TRACE(row["name"].get<std::string>() + (train ? " in training" : ""));
  const Hazard calls = {.path = ArchiveOf(row),
                        .calls = {row[key].get<std::vector<std::string>>()},
                        .train = train,
                        .no_grad = !train,
                        // Those of whole models take minutes each.
                        .gradients = false};
  const auto expected = RunHazard(calls, PlainInterpreter);
  ASSERT_TRUE(expected.ok()) << expected.error().Render();
  Coverage coverage;
  const auto actual = RunHazard(calls, [&](const model::Entry& entry) { return Captured(entry, coverage); });
  ASSERT_TRUE(actual.ok()) << actual.error().Render();
  EXPECT_NE(expected->front().facts.front().first, "exception") << expected->front().facts.front().second;
  EXPECT_EQ(Differences(expected->front(), actual->front()), "");
  EXPECT_EQ(coverage.internal_errors, "");
  ExpectWhole(row, coverage, train);
}

TEST(ArchivesTest, EveryModelGivesTheSame) {
  for (const nlohmann::json& row : ModelArchives(/*all=*/FullVolume())) {
    ExpectSame(row, /*train=*/false);
    ExpectSame(row, /*train=*/true);
  }
}

}  // namespace
}  // namespace culprit::tests
