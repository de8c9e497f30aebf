// SPDX-License-Identifier: Apache-2.0
//
// libtorch in children: its pool of threads works in each, since the zygote never had one.
#include <ATen/Parallel.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "isolate/worker.h"
#include "isolate/zygote.h"

namespace culprit::isolate {
namespace {

size_t ThreadsOfThisProcess() {
  const std::filesystem::directory_iterator threads("/proc/self/task");
  return std::distance(begin(threads), end(threads));
}

/// Large enough that libtorch divides the work.
double AddInParallel() {
  at::set_num_threads(2);
  const at::Tensor ones = at::ones({1 << 20});
  return ones.add(ones).sum().item<double>();
}

constexpr Task kTasks[] = {
    {"add",
     [](const Message&) {
       const size_t threads_before = ThreadsOfThisProcess();
       const double sum = AddInParallel();
       const bool has_pool = ThreadsOfThisProcess() > threads_before;
       return Message{fmt::format("{} {}", sum, has_pool ? "pool started" : "pool was there")};
     }},
    {"throw",
     [](const Message&) {
       return Message{at::ones({2, 3}).mm(at::ones({2, 3})).toString()};
     }},
};

class OpenMpInChildren : public testing::Test {
 protected:
  /// Once, before any test uses OpenMP in this process.
  static void SetUpTestSuite() { zygote = *Zygote::Start(kTasks); }
  static void TearDownTestSuite() { zygote.reset(); }

  static inline std::shared_ptr<const Zygote> zygote;
};

TEST_F(OpenMpInChildren, RunsInEveryFreshChildAlthoughTheCallerUsesIt) {
  for (int i = 0; i < 3; ++i) {
    const auto outcome = zygote->RunFresh("add", {}, {.wall_time = std::chrono::seconds(20)});
    ASSERT_TRUE(outcome->ok()) << outcome->ToString();
    EXPECT_EQ(std::get<Returned>(outcome->ending).message.bytes, "2097152 pool started");
    EXPECT_EQ(AddInParallel(), 2 << 20);
  }
}

TEST_F(OpenMpInChildren, StaysWarmInAWorker) {
  Worker worker(zygote);
  EXPECT_EQ(std::get<Returned>(worker.Run("add", {})->ending).message.bytes, "2097152 pool started");
  EXPECT_EQ(std::get<Returned>(worker.Run("add", {})->ending).message.bytes, "2097152 pool was there");
}

TEST_F(OpenMpInChildren, ErrorsOfLibtorchComeBackByType) {
  const auto outcome = zygote->RunFresh("throw", {});
  const Exception& exception = std::get<Exception>(outcome->ending);
  EXPECT_EQ(exception.type, "c10::Error");
  EXPECT_NE(exception.message.find("mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"),
            std::string::npos)
      << exception.message;
}

}  // namespace
}  // namespace culprit::isolate
