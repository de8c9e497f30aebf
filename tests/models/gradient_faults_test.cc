// SPDX-License-Identifier: Apache-2.0
//
// Compilers that get a gradient wrong, on whole models: a hunt ends with the backward operator.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/lib/run_program.h"
#include "tests/lib/temporary_folder.h"
#include "tests/lib/volume.h"
#include "tests/models/model_archives.h"

namespace culprit::tests {
namespace {

struct GradientFault {
  const char* model;
  const char* op;
  const char* kind;
};

/// The first is the sample.
constexpr GradientFault kFaults[] = {
    {"resnet18", "convolution_backward", "accuracy"},
    {"resnet18", "native_batch_norm_backward", "accuracy"},
    {"resnet18", "threshold_backward", "runtime-error"},
    {"mobilenet_v2", "hardtanh_backward", "accuracy"},
    {"mobilenet_v2", "convolution_backward", "segfault"},
    {"densenet121", "native_batch_norm_backward", "nan"},
    {"densenet121", "max_pool2d_with_indices_backward", "accuracy"},
    {"googlenet", "threshold_backward", "accuracy"},
};

std::string ArchiveNamed(const std::string& name) {
  for (const nlohmann::json& row : ModelArchives(/*all=*/FullVolume())) {
    if (row["name"] == name) return ArchiveOf(row);
  }
  return "";
}

TEST(GradientFaultsTest, AHuntEndsWithTheBackwardOperator) {
  for (const GradientFault& fault : kFaults) {
    SCOPED_TRACE(fmt::format("{} {}:{}", fault.model, fault.op, fault.kind));
    const TemporaryFolder folder;
    const ProgramRun run = RunProgram(
        {CULPRIT_PROGRAM, "hunt", ArchiveNamed(fault.model), "--inputs", "f32[2,3,96,96]", "--train",
         "--fault", fmt::format("{}:{}", fault.op, fault.kind), "--json", "--out", folder / "runs"});
    EXPECT_EQ(run.exit_code, 1) << run.err;
    const auto report = nlohmann::json::parse(run.out, nullptr, /*allow_exceptions=*/false);
    ASSERT_TRUE(report.is_object()) << run.out << run.err;
    ASSERT_EQ(report.at("guilty").size(), 1U);
    EXPECT_EQ(report.at("guilty")[0].at("operator"), fmt::format("aten::{}", fault.op));
    EXPECT_EQ(report.at("after").at("operators"), 1);
    EXPECT_EQ(report.at("verified"), true);
    if (!FullVolume()) break;
  }
}

}  // namespace
}  // namespace culprit::tests
