// SPDX-License-Identifier: Apache-2.0
//
// The kinds of faults in a compiler that lives in a server: one that forks, and one that is started again for
// every query. They are put around it, as around any compiler, and into the server itself. A sample, or all with
// CULPRIT_TEST_VOLUME=full.
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

/// What goes wrong in the process of the server.
struct InsideRow {
  const char* options;
  std::string_view signature;

  bool Hangs() const { return signature.ends_with("time limit exceeded"); }
};

constexpr InsideRow kInside[] = {
    {"fault=throw", "compile: exception __main__.ToyError: it does not compile"},
    {"fault=crash,at=call", "call 1: signal SIGSEGV"},
    {"fault=nan", "compare: NaN in outputs[0] (call 1)"},
    {"fault=hang,at=call", "call 1: time limit exceeded"},
    {"fault=throw,at=call", "call 1: exception __main__.ToyError: it does not compile"},
    {"fault=crash", "compile: signal SIGSEGV"},
    {"fault=abort", "compile: signal SIGABRT"},
    {"fault=exit,at=call", "call 1: exit with code 3"},
    {"fault=memory,at=call", "call 1: memory limit exceeded"},
    {"fault=abort,at=call", "call 1: signal SIGABRT"},
    {"fault=stack_overflow", "compile: signal SIGSEGV"},
    {"fault=stack_overflow,at=call", "call 1: signal SIGSEGV"},
    {"fault=exit", "compile: exit with code 3"},
    {"fault=exit_well", "compile: exit with code 0"},
    {"fault=exit_well,at=call", "call 1: exit with code 0"},
    {"fault=memory", "compile: memory limit exceeded"},
    {"fault=wrong", "compare: wrong values in outputs[0] (call 1)"},
    {"fault=hang", "compile: time limit exceeded"},
    {"fault=shape", "compare: wrong shape in outputs[0] (call 1)"},
    {"fault=dtype", "compare: wrong dtype in outputs[0] (call 1)"},
    {"fault=write", "compare: mutated input in inputs[0] (call 1)"},
    {"fault=late", "compare: wrong values in outputs[0] (call 2)"},
};

class ServerFaults : public testing::TestWithParam<Mode> {};

INSTANTIATE_TEST_SUITE_P(Modes, ServerFaults, testing::ValuesIn(kModes),
                         [](const auto& info) { return std::string(info.param.name); });

std::string Toy(const Mode& mode) {
  return fmt::format("exec:{} -P {}/tests/servers/toy.py{}", CULPRIT_PYTHON, CULPRIT_SOURCE_FOLDER,
                     mode.argument);
}

std::string Ask(const std::string& backend, std::string_view fault, std::chrono::nanoseconds wall_time) {
  check::IsolatedQuery query(QueryZygote(), {.wall_time = wall_time, .memory_bytes = uint64_t{400} << 20});
  return WithoutFrames(*query.Ask(FaultyRepro(backend, std::string(fault))));
}

TEST_P(ServerFaults, AreSignedAsInAnyCompiler) {
  const size_t step = FullVolume() ? 1 : GetParam().step;
  for (size_t i = 0; i < std::size(kFaultRows); i += step) {
    const FaultRow& row = kFaultRows[i];
    EXPECT_EQ(Ask(Toy(GetParam()), row.fault, row.Hangs() ? GetParam().hangs : 60s),
              ExpectedWithoutGradients(row))
        << row.fault;
  }
}

TEST_P(ServerFaults, AreSignedSoInTheServerItself) {
  const size_t step = FullVolume() ? 1 : GetParam().step;
  for (size_t i = 0; i < std::size(kInside); i += step) {
    const InsideRow& row = kInside[i];
    EXPECT_EQ(Ask(Toy(GetParam()) + ":" + row.options, "", row.Hangs() ? GetParam().hangs : 60s),
              row.signature)
        << row.options;
  }
}

}  // namespace
}  // namespace culprit::tests
