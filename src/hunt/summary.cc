// SPDX-License-Identifier: Apache-2.0
#include "hunt/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "repro/failing_command.h"

namespace culprit::hunt {
namespace {

using backend::FailureKind;

std::string Quoted(std::string_view language, std::string_view text) {
  const std::string_view end = text.ends_with('\n') ? "" : "\n";
  return fmt::format("```{}\n{}{}```\n", language, text, end);
}

std::string WhatShouldHappen(const Report& report) {
  if (!report.judge.empty()) return fmt::format("`{}` does not exit with 0.", report.judge);
  switch (report.expected.signature.kind) {
    case FailureKind::kException:
    case FailureKind::kSignal:
    case FailureKind::kTimeout:
    case FailureKind::kMemory:
    case FailureKind::kExit:
      return "The program compiles and runs, as it does without the compiler (eager).";
    case FailureKind::kNonDeterministic:
      return "The results are the same every time, as they are without the compiler (eager).";
    default:
      return "The results are those of the program without the compiler (eager), up to rounding.";
  }
}

std::string TitleOf(const Report& report) {
  std::vector<std::string> names;
  for (const GuiltyOperator& guilty : report.guilty) names.push_back(guilty.operator_name);
  constexpr size_t kMostNamed = 4;
  const std::string operators = names.size() <= kMostNamed ? fmt::format("{}", fmt::join(names, " and "))
                                                           : base::Counted(names.size(), "operator");
  return fmt::format("{}: {}", operators, report.expected.signature.ToString());
}

/// The class alone: what a reader wants to see first.
std::string ClassOf(const std::string& script) {
  const size_t begin = script.find("class Repro");
  const size_t end = script.find("\n\n\ndef flat_bytes");
  if (begin == std::string::npos) return script;
  return script.substr(begin, end == std::string::npos ? end : end - begin) + "\n";
}

/// Everything that Python needs; a tracker folds it.
std::string WholeFile(const Report& report) {
  return fmt::format("<details><summary>repro.py, the whole file</summary>\n\n{}\n</details>\n\n",
                     Quoted("python", report.program_text));
}

std::string HowToRun(const Report& report) {
  const std::string fails =
      report.judge.empty() ? repro::FailingCommand("repro.py", report.expected.repeats > 1) + report.options
                           : fmt::format("{} repro.py   # exits with 0", report.judge);
  return fmt::format("$ {}\n$ python3 repro.py   # with PyTorch's Inductor\n", fails);
}

std::string Guilty(const Report& report) {
  std::string text;
  for (const GuiltyOperator& guilty : report.guilty) {
    text += fmt::format("- `{}` = `{}`{}\n", guilty.name, guilty.operator_name,
                        guilty.source.empty() ? "" : ", " + guilty.source);
  }
  return text;
}

std::string Sizes(const Report& report) {
  const auto row = [](std::string_view name, auto before, auto after) {
    return fmt::format("| {} | {} | {} |\n", name, before, after);
  };
  return "| | before | after |\n|---|---|---|\n" +
         row("operators", report.before.operators, report.after.operators) +
         row("inputs", report.before.inputs, report.after.inputs) +
         row("outputs", report.before.outputs, report.after.outputs) +
         row("elements", report.before.elements, report.after.elements) +
         row("bytes", base::HumanBytes(report.before.bytes), base::HumanBytes(report.after.bytes));
}

std::string Versions(const Report& report) {
  std::string text = report.judge.empty() ? fmt::format("- backend: `{}`\n", report.header.backend) : "";
  for (const std::string& fault : report.header.faults)
    text += fmt::format("- with the injected fault `{}`\n", fault);
  if (!report.header.written_by) return text;
  const repro::Origin& origin = *report.header.written_by;
  return text + fmt::format("- culprit {}, libtorch {}\n- BLAS: {}\n- CPU kernels: {}\n", origin.culprit,
                            origin.libtorch, origin.blas, origin.cpu);
}

}  // namespace

std::string VerificationAsText(const Report& report) {
  const Verification& verification = report.verification;
  if (verification.times == 0) return "not verified";
  if (verification.times == 1 && verification.holds())
    return "verified: the failure came back in a fresh process";
  std::string text =
      fmt::format("{}: the failure came back in {} of {} fresh processes",
                  verification.holds() ? "verified" : "NOT verified", verification.same, verification.times);
  if (!verification.holds() && !verification.otherwise.empty()) text += ": " + verification.otherwise;
  return text;
}

std::string EndAsText(const Report& report) {
  switch (report.ended) {
    case minify::Ended::kMinimal:
      return report.is_last_step ? "no strategy finds a smaller one" : "smaller ones were not kept";
    case minify::Ended::kQuestions:
      return "the search ended at the limit of questions";
    case minify::Ended::kTime:
      return "the search ended at the limit of time";
    case minify::Ended::kStopped:
      break;
  }
  return "the search was interrupted";
}

std::string TriedAsText(const minify::Tried& tried) {
  std::vector<std::string> parts;
  const auto add = [&](size_t count, std::string_view what) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, what));
  };
  add(tried.passes, tried.passes == 1 ? "passes" : "pass");
  add(tried.other_failures, tried.other_failures == 1 ? "fails otherwise" : "fail otherwise");
  add(tried.not_smaller, tried.not_smaller == 1 ? "fails and is not smaller" : "fail and are not smaller");
  add(tried.invalid, tried.invalid == 1 ? "does not run" : "do not run");
  return fmt::format("{}: {}", tried.strategy, fmt::join(parts, ", "));
}

std::string SummaryOf(const Report& report) {
  std::string text = fmt::format("# {}\n\n## The program\n\n{}\n", TitleOf(report),
                                 Quoted("python", ClassOf(report.program_text)));
  text += fmt::format("## How to run it\n\n{}\n", Quoted("console", HowToRun(report)));
  text += report.needs_store ? "It needs the folder `store` beside it.\n\n" : WholeFile(report);
  text +=
      fmt::format("## What happens\n\n{}\n\n{}{}.\n\n", report.expected.signature.ToString(),
                  report.shown.empty() ? "" : Quoted("", report.shown) + "\n", VerificationAsText(report));
  if (report.expected.repeats > 1)
    text += fmt::format("It comes only sometimes: {} runs show it with a probability of 99 %.\n\n",
                        report.expected.repeats);
  text += fmt::format("## What should happen\n\n{}\n\n", WhatShouldHappen(report));
  text += fmt::format("## Guilty operators\n\n{}\n", Guilty(report));
  if (report.nearest)
    text += fmt::format("The nearest program that passes ({}):\n\n{}\n", report.nearest->edit,
                        Quoted("diff", report.nearest->difference));
  text += fmt::format("## How it was found\n\n{}\n{} in {:.1f} s; {}.\n", Sizes(report),
                      base::Counted(report.questions, "question"), report.seconds, EndAsText(report));
  if (report.taken_back > 0)
    text += fmt::format("\n{} did not fail again in a fresh process and {} taken back.\n",
                        base::Counted(report.taken_back, "smaller program"),
                        report.taken_back == 1 ? "was" : "were");
  if (!report.tried.empty()) text += "\nTried on the program above:\n\n";
  for (const minify::Tried& tried : report.tried) text += fmt::format("- {}\n", TriedAsText(tried));
  if (!report.finds.empty()) text += "\n## Other failures that were met\n\n";
  for (const Find& find : report.finds) text += fmt::format("- `{}`: {}\n", find.file, find.signature);
  return text + fmt::format("\n## Versions\n\n{}", Versions(report));
}

}  // namespace culprit::hunt
