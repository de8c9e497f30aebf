// SPDX-License-Identifier: Apache-2.0
#include "faults/fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/text.h"
#include "faults/ends.h"
#include "faults/outputs.h"

namespace culprit::faults {
namespace {

constexpr FaultKind kKinds[] = {
    {"compile-error", FaultMoment::kCompile, ThrowCompileError, "",
     "the compilation throws a std::runtime_error"},
    {"runtime-error", FaultMoment::kCall, ThrowRuntimeError, "", "every call throws a std::runtime_error"},
    {"nonstandard-throw", FaultMoment::kCall, ThrowInteger, "", "every call throws an int"},
    {"accuracy", FaultMoment::kOutputs, MakeOutputsWrong, "",
     "wrong numbers, by more than rounding explains"},
    {"nan", FaultMoment::kOutputs, MakeOutputsNan, "", "a NaN in every output of floating-point numbers"},
    {"gradient", FaultMoment::kOutputs, MakeGradientsWrong, "", "right numbers with wrong gradients"},
    {"shape", FaultMoment::kOutputs, ChangeShapes, "", "outputs with a dimension more"},
    {"dtype", FaultMoment::kOutputs, ChangeDtypes, "", "outputs of another dtype"},
    {"writes-input", FaultMoment::kOutputs, WriteIntoInput, "",
     "wrong numbers in an input, right ones in outputs"},
    {"segfault", FaultMoment::kCall, WriteToNull, "", "every call writes to address 0"},
    {"abort", FaultMoment::kCall, Abort, "", "every call aborts the process"},
    {"stack-overflow", FaultMoment::kCall, OverflowStack, "", "every call recurses without end"},
    {"hang", FaultMoment::kCall, SleepForever, "", "no call returns"},
    {"compile-segfault", FaultMoment::kCompile, WriteToNull, "", "the compilation writes to address 0"},
    {"compile-hang", FaultMoment::kCompile, SleepForever, "", "the compilation does not return"},
    {"memory", FaultMoment::kCall, EatMemory, "", "every call allocates all memory there is"},
    {"exit0", FaultMoment::kCall, ExitWith0, "", "every call ends the process with exit code 0"},
    {"exit7", FaultMoment::kCall, ExitWith7, "", "every call ends the process with exit code 7"},
    {"late", FaultMoment::kOutputs, MakeOutputsWrongLate, "", "wrong numbers from the 2nd call on",
     /*calls=*/2},
    {"flaky", FaultMoment::kOutputs, MakeOutputsWrongSometimes, "N",
     "wrong numbers at one call in N, at random"},
    {"above", FaultMoment::kOutputs, MakeOutputsWrongAbove, "NUMEL",
     "wrong numbers if the operator has a tensor of more than NUMEL elements"},
    {"wrong-loop", FaultMoment::kPass, nullptr, "",
     "native only, lower: the operator's loop computes wrong numbers", /*calls=*/1, "lower", MakeLoopsWrong},
    {"pass-crash", FaultMoment::kPass, nullptr, "",
     "native only, lower: writes to address 0 when it has made the loop", /*calls=*/1, "lower", CrashAtLoops},
    {"wrong-fusion", FaultMoment::kPass, nullptr, "",
     "native only, fuse: loops of one kernel read the operator's results too early", /*calls=*/1, "fuse",
     ReadTooEarly},
    {"wrong-index", FaultMoment::kPass, nullptr, "",
     "native only, arrange: the operator's kernel loads one element too early", /*calls=*/1, "arrange",
     ShiftLoads},
    {"wrong-memory", FaultMoment::kPass, nullptr, "",
     "native only, plan_memory: the result lies where another is that is needed", /*calls=*/1, "plan_memory",
     TakeMemoryInUse},
    {"wrong-code", FaultMoment::kPass, nullptr, "",
     "native only, codegen: the operator's kernel is wrong in the last iteration", /*calls=*/1, "codegen",
     MakeCodeWrong},
};

base::Diagnostic Wrong(std::string_view text, std::string message) {
  base::Diagnostic error{{fmt::format("fault '{}'", base::Printable(text))}, std::move(message)};
  error.help =
      "a fault is written as WHERE:KIND or WHERE:KIND:ARGUMENT; to see all kinds, run: culprit faults";
  return error;
}

/// The colon that ends WHERE, in which colons come in pairs.
size_t EndOfWhere(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ':') continue;
    if (i + 1 == text.size() || text[i + 1] != ':') return i;
    ++i;
  }
  return std::string_view::npos;
}

base::Result<uint64_t> ParseArgument(const FaultKind& kind, std::string_view whole, std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value > 0) return value;
  return Wrong(whole, fmt::format("{} of '{}' is an integer from 1 on, not '{}'", kind.argument, kind.name,
                                  base::Printable(text)));
}

}  // namespace

std::span<const FaultKind> AllFaultKinds() {
  return kKinds;
}

std::string Fault::ToString() const {
  std::string text = fmt::format("{}:{}", where.ToString(), kind->name);
  if (!kind->argument.empty()) text += fmt::format(":{}", argument);
  return text;
}

base::Result<Fault> ParseFault(std::string_view text) {
  const size_t colon = EndOfWhere(text);
  if (colon == std::string_view::npos) return Wrong(text, "there is no kind");
  base::Result<Where> where = ParseWhere(text.substr(0, colon));
  if (!where.ok()) return Wrong(text, where.error().message);
  Fault fault{*std::move(where)};
  const std::string_view rest = text.substr(colon + 1);
  const size_t second = rest.find(':');
  const std::string_view name = rest.substr(0, second);
  const auto* kind = std::ranges::find(kKinds, name, &FaultKind::name);
  if (kind == std::end(kKinds)) {
    std::vector<std::string_view> names;
    for (const FaultKind& one : kKinds) names.push_back(one.name);
    return Wrong(text,
                 fmt::format("unknown kind '{}'{}", base::Printable(name), base::DidYouMean(name, names)));
  }
  fault.kind = kind;
  const bool has_argument = second != std::string_view::npos;
  if (has_argument && kind->argument.empty()) return Wrong(text, fmt::format("'{}' takes no argument", name));
  if (!has_argument && !kind->argument.empty())
    return Wrong(text, fmt::format("'{0}' lacks its argument, as in {0}:{1}", name, kind->argument));
  if (has_argument) fault.argument = CULPRIT_TRY(ParseArgument(*kind, text, rest.substr(second + 1)));
  return fault;
}

base::Result<std::vector<Fault>> ParseFaults(std::span<const std::string> texts, bool below_autograd) {
  std::vector<Fault> faults;
  for (const std::string& text : texts) {
    faults.push_back(CULPRIT_TRY(ParseFault(text)));
    if (below_autograd) faults.back().where = faults.back().where.BelowAutograd();
  }
  return faults;
}

}  // namespace culprit::faults
