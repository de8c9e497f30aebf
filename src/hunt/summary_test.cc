// SPDX-License-Identifier: Apache-2.0
#include "hunt/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit::hunt {
namespace {

using testing::HasSubstr;
using testing::Not;

Report Example() {
  Report report{.folder = "culprit_runs/latest"};
  report.header.backend = "torchscript:stage=ofi";
  report.header.faults = {"tanh:accuracy"};
  report.header.written_by = {.culprit = "1.0", .libtorch = "2.13.0", .blas = "MKL", .cpu = "AVX2"};
  report.expected.signature = {.phase = backend::FailurePhase::kCompare,
                               .kind = backend::FailureKind::kWrongValues,
                               .call = 1,
                               .guilty_output = "outputs[0]"};
  report.before = {40, 2, 1, 4096, 16384};
  report.after = {1, 1, 1, 1, 4};
  report.guilty = {{"tanh", "aten::tanh", "net.py:23"}};
  report.nearest = NearestPassing{"a simpler operator for tanh", "-tanh\n+relu\n"};
  report.tried = {{.strategy = "drop", .passes = 1}, {.strategy = "bypass", .passes = 2, .invalid = 1}};
  report.finds = {{"call 1: signal SIGSEGV", 3, "finds/01.py"}};
  report.verification = {10, 10};
  report.questions = 17;
  report.seconds = 1.25;
  report.shown = "outputs[0]  OFF\n";
  report.program_text =
      "import torch\nclass Repro(torch.nn.Module):\n    pass\n\n\ndef flat_bytes():\n    pass\n";
  return report;
}

constexpr const char* kExpected = R"(# aten::tanh: compare: wrong values in outputs[0] (call 1)

## The program

```python
class Repro(torch.nn.Module):
    pass
```

## How to run it

```console
$ culprit run repro.py
$ python3 repro.py   # with PyTorch's Inductor
```

<details><summary>repro.py, the whole file</summary>

```python
import torch
class Repro(torch.nn.Module):
    pass


def flat_bytes():
    pass
```

</details>

## What happens

compare: wrong values in outputs[0] (call 1)

```
outputs[0]  OFF
```

verified: the failure came back in 10 of 10 fresh processes.

## What should happen

The results are those of the program without the compiler (eager), up to rounding.

## Guilty operators

- `tanh` = `aten::tanh`, net.py:23

The nearest program that passes (a simpler operator for tanh):

```diff
-tanh
+relu
```

## How it was found

| | before | after |
|---|---|---|
| operators | 40 | 1 |
| inputs | 2 | 1 |
| outputs | 1 | 1 |
| elements | 4096 | 1 |
| bytes | 16.0 KiB | 4 B |

17 questions in 1.2 s; no strategy finds a smaller one.

Tried on the program above:

- drop: 1 passes
- bypass: 2 pass, 1 does not run

## Other failures that were met

- `finds/01.py`: call 1: signal SIGSEGV

## Versions

- backend: `torchscript:stage=ofi`
- with the injected fault `tanh:accuracy`
- culprit 1.0, libtorch 2.13.0
- BLAS: MKL
- CPU kernels: AVX2
)";

TEST(SummaryTest, EverythingThatIsKnownIsTold) {
  EXPECT_EQ(SummaryOf(Example()), kExpected);
}

TEST(SummaryTest, OfAJudgeTheProgramIsNamedAndNoCompiler) {
  Report report = Example();
  report.judge = "./judge.sh";
  const std::string summary = SummaryOf(report);
  EXPECT_THAT(summary, HasSubstr("$ ./judge.sh repro.py   # exits with 0\n"));
  EXPECT_THAT(summary, HasSubstr("`./judge.sh` does not exit with 0."));
  EXPECT_THAT(summary, Not(HasSubstr("- backend:")));
}

TEST(SummaryTest, ACrashShouldNotHappen) {
  Report report = Example();
  report.expected.signature = {.kind = backend::FailureKind::kSignal, .signal = "SIGSEGV"};
  EXPECT_THAT(SummaryOf(report), HasSubstr("\nThe program compiles and runs, as it does without"));
}

TEST(SummaryTest, WhatComesOnlySometimesSaysHowOftenToRunIt) {
  Report report = Example();
  report.expected.repeats = 7;
  EXPECT_THAT(SummaryOf(report), HasSubstr("7 runs show it with a probability of 99 %"));
}

TEST(SummaryTest, TheStoreAndOptionsAreMentionedWhereTheyAreNeeded) {
  Report report = Example();
  report.needs_store = true;
  report.options = " --load-library mine.so";
  const std::string summary = SummaryOf(report);
  EXPECT_THAT(summary, HasSubstr("It needs the folder `store` beside it."));
  EXPECT_THAT(summary, HasSubstr("$ culprit run repro.py --load-library mine.so\n"));
  EXPECT_THAT(summary, Not(HasSubstr("<details>")));
}

TEST(SummaryTest, ManyOperatorsAreCountedInTheTitle) {
  Report report = Example();
  report.guilty.assign(5, {"tanh", "aten::tanh", ""});
  EXPECT_THAT(SummaryOf(report), testing::StartsWith("# 5 operators: compare"));
}

TEST(SummaryTest, WhatCouldNotBeVerifiedSaysSo) {
  Report report = Example();
  report.verification = {10, 7, "passes"};
  EXPECT_EQ(VerificationAsText(report),
            "NOT verified: the failure came back in 7 of 10 fresh processes: passes");
  report.verification = {1, 1};
  EXPECT_EQ(VerificationAsText(report), "verified: the failure came back in a fresh process");
  report.verification = {};
  EXPECT_EQ(VerificationAsText(report), "not verified");
}

TEST(SummaryTest, EveryEndHasItsWords) {
  Report report = Example();
  report.is_last_step = false;
  EXPECT_EQ(EndAsText(report), "smaller ones were not kept");
  report.ended = minify::Ended::kQuestions;
  EXPECT_EQ(EndAsText(report), "the search ended at the limit of questions");
  report.ended = minify::Ended::kTime;
  EXPECT_EQ(EndAsText(report), "the search ended at the limit of time");
  report.ended = minify::Ended::kStopped;
  EXPECT_EQ(EndAsText(report), "the search was interrupted");
}

}  // namespace
}  // namespace culprit::hunt
