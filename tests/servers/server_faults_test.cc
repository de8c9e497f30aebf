// SPDX-License-Identifier: Apache-2.0
//
// The kinds of faults, put into a compiler that lives in a server: one that forks, and one that is started
// again for every query. A sample, or all with CULPRIT_TEST_VOLUME=full.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/query/query_task.h"
#include "tests/lib/volume.h"
#include "tests/question/fault_rows.h"
#include "tests/question/faulty_repro.h"
#include "tests/question/query_zygote.h"

namespace culprit::tests {
namespace {

using namespace std::chrono_literals;

struct Mode {
  const char* name;
  const char* argument;
  /// Every so many-th row is in the sample.
  size_t step;
  /// Until what hangs is ended: a program that is started again needs seconds to begin.
  std::chrono::seconds hangs;
};

constexpr Mode kModes[] = {{"forked", "", 2, 6s}, {"restarted", " --restart", 8, 30s}};

class ServerFaults : public testing::TestWithParam<Mode> {};

INSTANTIATE_TEST_SUITE_P(Modes, ServerFaults, testing::ValuesIn(kModes),
                         [](const auto& info) { return std::string(info.param.name); });

std::string Ask(const std::string& argument, std::string_view fault, std::chrono::nanoseconds wall_time) {
  const std::string backend =
      fmt::format("exec:{} -P {}/tests/servers/toy.py{}", CULPRIT_PYTHON, CULPRIT_SOURCE_FOLDER, argument);
  check::IsolatedQuery query(QueryZygote(), {.wall_time = wall_time, .memory_bytes = uint64_t{400} << 20});
  return WithoutFrames(*query.Ask(FaultyRepro(backend, std::string(fault))));
}

TEST_P(ServerFaults, AreSignedAsInAnyCompiler) {
  const size_t step = FullVolume() ? 1 : GetParam().step;
  for (size_t i = 0; i < std::size(kFaultRows); i += step) {
    const FaultRow& row = kFaultRows[i];
    EXPECT_EQ(Ask(GetParam().argument, row.fault, row.Hangs() ? GetParam().hangs : 60s),
              ExpectedWithoutGradients(row))
        << row.fault;
  }
}

}  // namespace
}  // namespace culprit::tests
