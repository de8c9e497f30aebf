// SPDX-License-Identifier: Apache-2.0
#include "process/environment.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace culprit::process {
namespace {

TEST(DescribeEnvironmentTest, NamesPyTorchAndTheProcessor) {
  const Environment environment = DescribeEnvironment();
  EXPECT_TRUE(environment.torch_version.starts_with("2.13.")) << environment.torch_version;
  EXPECT_TRUE(std::filesystem::exists(environment.torch_folder + "/lib/libtorch_cpu.so"))
      << environment.torch_folder;
  EXPECT_NE(environment.cpu_model, "unknown");
  EXPECT_FALSE(environment.cpu_model.empty());
  EXPECT_EQ(environment.threads, at::get_num_threads());
}

TEST(DescribeEnvironmentTest, NamesTheVectorInstructions) {
  const std::string capability = DescribeEnvironment().cpu_capability;
  EXPECT_TRUE(capability == "AVX2" || capability == "AVX512" || capability == "NO AVX" ||
              capability == "DEFAULT")
      << capability;
}

TEST(DescribeEnvironmentTest, NamesTheLibrariesOfMatrixProducts) {
  const Environment environment = DescribeEnvironment();
  EXPECT_TRUE(environment.blas.starts_with("MKL 20")) << environment.blas;
  EXPECT_TRUE(environment.onednn.starts_with("3.")) << environment.onednn;
}

}  // namespace
}  // namespace culprit::process
