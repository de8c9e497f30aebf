// SPDX-License-Identifier: Apache-2.0
//
// Thousands of queries of all kinds, asked by two threads, leave this process and its zygote as they were.
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "check/query/query_task.h"
#include "tests/lib/process_census.h"
#include "tests/lib/volume.h"
#include "tests/question/faulty_repro.h"
#include "tests/question/query_zygote.h"

namespace culprit::tests {
namespace {

struct Query {
  const char* fault;
  const char* starts_with;
};

constexpr Query kMix[] = {
    {"", "passes"},
    {"accuracy", "compare: wrong values"},
    {"runtime-error", "call 1: exception"},
    {"segfault", "call 1: signal SIGSEGV"},
    {"compile-error", "compile: exception"},
    {"", "passes"},
    {"abort", "call 1: signal SIGABRT"},
};

/// In MiB.
double ResidentMemoryOf(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/statm", pid));
  double pages = 0;
  file >> pages >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

class Soak {
 public:
  /// Every 100th query has a large input of its own. Gives what was not as expected.
  std::vector<std::string> Ask(int first, int end, int step) {
    std::vector<std::string> surprises;
    for (int i = first; i < end; i += step) {
      const Query& query = kMix[static_cast<size_t>(i) % std::size(kMix)];
      const char* backend = i % 10 == 0 ? "torchscript:stage=plain" : "eager";
      const repro::Repro repro = FaultyRepro(backend, query.fault, i % 100 == 0 ? 1 << 19 : 64);
      const check::Finding finding = *query_.Ask(repro);
      const std::string met = finding.failure ? finding.failure->ToString() : finding.invalid + "passes";
      if (!met.starts_with(query.starts_with)) surprises.push_back(fmt::format("{}: {}", i, met));
    }
    return surprises;
  }

  void AskInTwoThreads(int queries) {
    std::vector<std::string> surprises[2];
    {
      std::jthread other([&] { surprises[1] = Ask(1, queries, 2); });
      surprises[0] = Ask(0, queries, 2);
    }
    for (const auto& of_thread : surprises) {
      for (const std::string& surprise : of_thread) ADD_FAILURE() << surprise;
    }
  }

 private:
  check::IsolatedQuery query_{QueryZygote(), {}};
};

TEST(SoakTest, MixedQueriesLeaveNothingBehind) {
  Soak soak;
  soak.AskInTwoThreads(60);
  const Census before = SettledCensus();
  const double memory = ResidentMemoryOf(getpid()), memory_of_zygote = ResidentMemoryOf(QueryZygote()->pid());
  soak.AskInTwoThreads(Volume(/*sample=*/120, /*full=*/20000));
  const Census after = SettledCensus();
  EXPECT_EQ(after.descendants, before.descendants);
  EXPECT_EQ(after.descriptors, before.descriptors);
  EXPECT_EQ(after.their_descriptors, before.their_descriptors);
  EXPECT_EQ(after.threads, before.threads);
  EXPECT_LT(ResidentMemoryOf(getpid()), memory + 8);
  EXPECT_LT(ResidentMemoryOf(QueryZygote()->pid()), memory_of_zygote + 8);
}

}  // namespace
}  // namespace culprit::tests
