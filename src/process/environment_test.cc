// SPDX-License-Identifier: Apache-2.0
#include "process/environment.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

namespace culprit::process {
namespace {

TEST(DescribeEnvironmentTest, NamesLibtorchAndTheProcessor) {
  const Environment environment = DescribeEnvironment();
  EXPECT_TRUE(environment.torch_version.starts_with("1.13.")) << environment.torch_version;
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

// packages.txt asks for OpenBLAS, so that is what tests run with.
TEST(DescribeEnvironmentTest, NamesTheBlas) {
  const Environment environment = DescribeEnvironment();
  EXPECT_TRUE(environment.blas.starts_with("OpenBLAS ")) << environment.blas;
  EXPECT_FALSE(environment.blas_is_slow);
}

TEST(SlowBlasWarningTest, IsSilentForAFastOne) {
  EXPECT_EQ(SlowBlasWarning({.blas = "OpenBLAS", .blas_is_slow = false}), std::nullopt);
}

TEST(SlowBlasWarningTest, SaysWhatToInstall) {
  EXPECT_EQ(SlowBlasWarning({.blas_is_slow = true}).value().Render("warning"),
            "warning: matrix products use the reference BLAS, which is up to 40 times too slow\n"
            "  help: install a fast one: apt-get install libopenblas0-openmp");
}

}  // namespace
}  // namespace culprit::process
