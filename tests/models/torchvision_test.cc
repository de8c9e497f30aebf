// SPDX-License-Identifier: Apache-2.0
//
// torchvision's models as tests/fixtures/make_torchvision_models.py makes them: a sample, or in full volume
// the smallest of every family.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "process/shared_library.h"
#include "tests/capture/captured.h"
#include "tests/lib/run_program.h"
#include "tests/lib/temporary_folder.h"
#include "tests/lib/volume.h"

namespace culprit::tests {
namespace {

constexpr const char* kSample =
    "resnet18,mobilenet_v3_small,shufflenet_v2_x0_5,googlenet,lraspp_mobilenet_v3_large,"
    "ssdlite320_mobilenet_v3_large";

/// Models that were made before are kept, so only the first run of a build takes its time.
nlohmann::json Models() {
  std::vector<std::string> command = {CULPRIT_PYTHON, "tests/fixtures/make_torchvision_models.py",
                                      CULPRIT_MODELS};
  if (!FullVolume()) command.insert(command.end(), {"--only", kSample});
  const ProgramRun run = RunProgram(command);
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  nlohmann::json chosen = nlohmann::json::array();
  for (const nlohmann::json& row : nlohmann::json::parse(ReadWholeFile(CULPRIT_MODELS "/models.json"))) {
    const bool in_sample =
        ("," + std::string(kSample) + ",").find("," + row["name"].get<std::string>() + ",") !=
        std::string::npos;
    if (FullVolume() || in_sample) chosen.push_back(row);
  }
  return chosen;
}

/// Only those that warn fall apart.
void ExpectWhole(const nlohmann::json& row, const Coverage& coverage, bool train) {
  EXPECT_EQ(coverage.fallbacks, 0);
  if (row["kind"] != "classification") return;
  const bool warns = coverage.breaks.contains("B05");
  EXPECT_EQ(coverage.graphs, warns ? 2 : 1);
  EXPECT_EQ(warns, !train && (row["family"] == "googlenet" || row["family"] == "inception_v3"));
}

void ExpectSame(const nlohmann::json& row, bool train) {
  const std::string key = train ? "train_inputs" : "inputs";
  if (row[key].is_null()) return;
  SCOPED_TRACE(row["name"].get<std::string>() + (train ? " in training" : ""));
  const Hazard calls = {.path = CULPRIT_MODELS "/" + row["file"].get<std::string>(),
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
  ExpectWhole(row, coverage, train);
}

TEST(TorchvisionTest, EveryModelGivesTheSame) {
  for (const nlohmann::json& row : Models()) {
    if (row["library"].is_string()) {
      const auto library = process::LoadSharedLibrary(row["library"]);
      ASSERT_TRUE(library.ok()) << library.error().Render();
    }
    ExpectSame(row, /*train=*/false);
    ExpectSame(row, /*train=*/true);
  }
}

}  // namespace
}  // namespace culprit::tests
