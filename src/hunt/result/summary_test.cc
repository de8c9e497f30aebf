// SPDX-License-Identifier: Apache-2.0
#include "hunt/result/summary.h"

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
  report.signature = report.expected.signature;
  report.expected.signature.guilty_output = "outputs[3]";
  report.output_name = "tanh_7";
  report.original_how_wrong = check::HowWrong{.elements = 8, .wrong = 3, .max_abs = 0.25, .max_rel = 0.1};
  report.how_wrong =
      check::HowWrong{.elements = 1, .wrong = 1, .max_abs = 0.5, .max_rel = 2, .times_noise = 4000};
  report.switches = check::TriedSwitches{29, 29, {"torchscript:stage=ofi,off=peephole"}};
  report.fails_in_python = true;
  report.before = {40, 2, 1, 4096, 16384};
  report.after = {1, 1, 1, 1, 4};
  report.guilty = {{"tanh", "aten::tanh", "net.py:23"}};
  report.nearest = NearestPassing{"a simpler operator for tanh", "-tanh\n+relu\n"};
  report.tried = {{.strategy = "drop", .passes = 1}, {.strategy = "bypass", .passes = 2, .invalid = 1}};
  report.finds = {{"call 1: signal SIGSEGV", 3, "finds/01.py"}};
  report.verification = {.times = 10, .same = 10, .forked = 9};
  report.questions = 17;
  report.seconds = 1.25;
  report.shown.text = "outputs[0]  OFF\n";
  report.program_text =
      "import torch\nclass Repro(torch.nn.Module):\n    pass\n\ndef load_args(reader):\n    pass\n"
      "load_args._version = 0\n\n\ndef flat_bytes():\n    pass\n";
  return report;
}

constexpr const char* kExpected = R"(# aten::tanh: compare: wrong values in outputs[0] (call 1)

- compiler: `torchscript:stage=ofi`, with the injected fault `tanh:accuracy`
- outputs[0]: the only element is wrong, by up to 0.5 (relative 2), 4e+03 times the noise
- in the original program outputs[3] (tanh_7): 3 of 8 elements are wrong, by up to 0.25 (relative 0.1)
- verified: the failure came back in 10 of 10 processes, 9 of them forked
- passes with --backend torchscript:stage=ofi,off=peephole
- expected: the results are those of the program without the compiler (eager), up to rounding

## The program

```python
class Repro(torch.nn.Module):
    pass

def load_args(reader):
    pass
```

It is in `repro.py`:

```console
$ culprit run repro.py
$ python3 repro.py   # shows it without Culprit
```

## Guilty operators

- `tanh` = `aten::tanh`, net.py:23

The nearest program that passes (a simpler operator for tanh):

```diff
-tanh
+relu
```

<details><summary>What Culprit prints</summary>

```
outputs[0]  OFF
```

</details>

<details><summary>How it was found, and with which versions</summary>

- operators 40 -> 1, inputs 2 -> 1, outputs 1 -> 1, elements 4096 -> 1, bytes 16.0 KiB -> 4 B
- 17 questions in 1.2 s; no strategy finds a smaller one
- tried on the program above: drop: 1 passes; bypass: 2 pass, 1 does not run
- another failure that was met, `finds/01.py`: call 1: signal SIGSEGV
- culprit 1.0, libtorch 2.13.0, BLAS: MKL, CPU kernels: AVX2

</details>
)";

TEST(SummaryTest, EverythingThatIsKnownIsTold) {
  EXPECT_EQ(SummaryOf(Example()), kExpected);
}

TEST(SummaryTest, OfAJudgeTheProgramIsNamedAndNoCompiler) {
  Report report = Example();
  report.judge = "./judge.sh";
  const std::string summary = SummaryOf(report);
  EXPECT_THAT(summary, HasSubstr("$ ./judge.sh repro.py   # exits with 0\n"));
  EXPECT_THAT(summary, HasSubstr("- expected: `./judge.sh` does not exit with 0\n"));
  EXPECT_THAT(summary, Not(HasSubstr("- compiler:")));
}

TEST(SummaryTest, ACrashShouldNotHappen) {
  Report report = Example();
  report.expected.signature = {.kind = backend::FailureKind::kSignal, .signal = "SIGSEGV"};
  report.signature = report.expected.signature;
  EXPECT_THAT(SummaryOf(report),
              HasSubstr("\n- expected: the program compiles and runs, as it does without"));
  EXPECT_THAT(SummaryOf(report), Not(HasSubstr("in the original program")));
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
  EXPECT_THAT(summary, HasSubstr("It is in `repro.py`, which needs the folder `store` beside it:\n"));
  EXPECT_THAT(summary, HasSubstr("$ culprit run repro.py --load-library mine.so\n"));
}

TEST(SummaryTest, ManyOperatorsAreCountedInTheTitle) {
  Report report = Example();
  report.guilty.assign(5, {"tanh", "aten::tanh", ""});
  EXPECT_THAT(SummaryOf(report), testing::StartsWith("# 5 operators: compare"));
}

TEST(SummaryTest, NanAndInfinitiesAreInTheTitle) {
  Report report = Example();
  report.how_wrong = check::HowWrong{.elements = 8, .wrong = 3, .nan = 3};
  EXPECT_THAT(SummaryOf(report),
              testing::StartsWith("# aten::tanh: 3 of 8 elements are NaN in outputs[0] (call 1)\n"));
  report.how_wrong = check::HowWrong{.elements = 8, .wrong = 3, .inf = 1};
  EXPECT_THAT(SummaryOf(report),
              testing::StartsWith("# aten::tanh: 1 of 8 elements is infinite in outputs[0] (call 1)\n"));
}

TEST(SummaryTest, HoweverMuchThereIsToSayItIsAPage) {
  Report report = Example();
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += "    relu = torch.ops.aten.relu.default(x)\n";
  report.program_text = "class Repro(torch.nn.Module):\n" + lines;
  report.shown.text = report.nearest->difference = lines;
  report.guilty.assign(1000, {"tanh", "aten::tanh", "net.py:23"});
  report.finds.assign(20, {"call 1: signal SIGSEGV", 3, "finds/01.py"});
  report.tried.assign(16, {.strategy = "drop", .passes = 1});
  report.taken_back = 3;
  report.expected.repeats = 7;
  const std::string summary = SummaryOf(report);
  EXPECT_LE(std::ranges::count(summary, '\n'), 80) << summary;
  EXPECT_THAT(summary, testing::ContainsRegex("\n# \\.\\.\\. and 9[0-9][0-9] more lines\n"));
  EXPECT_THAT(summary, HasSubstr("\n- and 992 more\n"));
}

Report WithPlain(bool fails_so) {
  Report report = Example();
  report.plain = backend::PlainProgram{"import torch\nf()\n", fails_so, "AssertionError: not close"};
  return report;
}

TEST(SummaryTest, TheSameInPlainCallsIsReadyForAShell) {
  EXPECT_THAT(
      SummaryOf(WithPlain(true)),
      HasSubstr("(tried: it fails so):\n\n```sh\npython3 - <<'END'\nimport torch\nf()\nEND\n```\n\n```\n"
                "AssertionError: not close\n```\n"));
}

TEST(SummaryTest, PlainCallsThatDoNotFailAreNotShown) {
  const std::string summary = SummaryOf(WithPlain(false));
  EXPECT_THAT(summary, HasSubstr("it does not fail so (tried)"));
  EXPECT_THAT(summary, Not(HasSubstr("f()")));
}

TEST(SummaryTest, WhatCannotBeWrittenInPlainCallsHasAReason) {
  Report report = Example();
  report.plain = backend::PlainProgram{.text = "", .said = "inputs share memory"};
  EXPECT_THAT(SummaryOf(report), HasSubstr("it cannot be written: inputs share memory.\n"));
}

TEST(SummaryTest, LongPlainCallsAreInTheirFile) {
  Report report = WithPlain(true);
  for (int i = 0; i < 60; ++i) report.plain->text += "f()\n";
  const std::string summary = SummaryOf(report);
  EXPECT_THAT(summary, HasSubstr("it is in `plain.py` (tried: it fails so)."));
  EXPECT_LE(std::ranges::count(summary, '\n'), 80);
}

TEST(SummaryTest, WhatTheCompilerShowsIsNamed) {
  Report report = Example();
  report.shown.insight = {{"code.py", "text"}, {"kernel_1.cpp", "text"}};
  EXPECT_THAT(
      SummaryOf(report),
      HasSubstr("What the compiler made of it is in the folder `compiler`: `code.py`, `kernel_1.cpp`.\n"));
}

TEST(SummaryTest, VersionsOfTheCompilerAndTheProcessorAreTold) {
  Report report = Example();
  report.versions = {{"c++", "g++ 12"}, {"torch", "2.13.0+cpu"}};
  report.cpu_model = "A CPU";
  EXPECT_THAT(SummaryOf(report), HasSubstr("CPU kernels: AVX2, c++ g++ 12, torch 2.13.0+cpu, CPU: A CPU\n"));
}

TEST(SummaryTest, EagerOfAnotherEnvironmentIsNamed) {
  Report report = Example();
  report.place = "PyTorch 9.9, run by /opt/env/bin/python";
  EXPECT_THAT(SummaryOf(report),
              HasSubstr("with the injected fault `tanh:accuracy`\n- eager is that of PyTorch 9.9, run by "
                        "/opt/env/bin/python; gradients and float64 are Culprit's own\n"));
}

TEST(SummaryTest, WhatCouldNotBeVerifiedSaysSo) {
  Report report = Example();
  report.verification = {.times = 10, .same = 7, .otherwise = "passes"};
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

TEST(SummaryTest, TheGuiltyPartOfTheCompilerIsNamed) {
  Report report = Example();
  report.shown.python_frames = {
      "lower at /opt/env/lib/python3.11/site-packages/torch/_inductor/lowering.py:7",
      "compile at /opt/mine.py:12", "run at /opt/mine.py:3", "main at /opt/mine.py:1"};
  EXPECT_THAT(SummaryOf(report),
              HasSubstr("- in the compiler: `lower at torch/_inductor/lowering.py:7`, called by "
                        "`compile at /opt/mine.py:12`, called by `run at /opt/mine.py:3`\n"));
}

}  // namespace
}  // namespace culprit::hunt
