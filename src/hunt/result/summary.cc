// SPDX-License-Identifier: Apache-2.0
#include "hunt/result/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

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
  if (!report.judge.empty()) return fmt::format("`{}` does not exit with 0", report.judge);
  switch (report.signature.kind) {
    case FailureKind::kException:
    case FailureKind::kSignal:
    case FailureKind::kTimeout:
    case FailureKind::kMemory:
    case FailureKind::kExit:
      return "the program compiles and runs, as it does without the compiler (eager)";
    case FailureKind::kNonDeterministic:
      return "the results are the same every time, as they are without the compiler (eager)";
    default:
      return "the results are those of the program without the compiler (eager), up to rounding";
  }
}

/// NaN and infinities are what a reader looks for first, unless they are chance.
std::string Headline(const Report& report) {
  const bool shows = report.how_wrong && report.signature.kind != FailureKind::kNonDeterministic;
  const std::string odd = shows ? report.how_wrong->NonFiniteAsText() : "";
  if (odd.empty()) return report.signature.ToString();
  return fmt::format("{} in {} (call {})", odd, report.signature.guilty_output, report.signature.call);
}

std::string TitleOf(const Report& report) {
  std::vector<std::string> names;
  for (const GuiltyOperator& guilty : report.guilty) names.push_back(guilty.operator_name);
  constexpr size_t kMostNamed = 4;
  const std::string operators = names.size() <= kMostNamed ? fmt::format("{}", fmt::join(names, " and "))
                                                           : base::Counted(names.size(), "operator");
  return fmt::format("{}: {}", operators, Headline(report));
}

constexpr size_t kMostLines = 80;

size_t CountLines(std::string_view text) {
  return static_cast<size_t>(std::ranges::count(text, '\n'));
}

/// So many lines, none too long to be read; the last one counts the rest, if there is one.
std::string FirstLines(std::string_view text, size_t most, std::string_view comment = "") {
  constexpr size_t kLongest = 200;
  const size_t lines = CountLines(text) + (text.ends_with('\n') || text.empty() ? 0 : 1);
  const size_t whole = lines <= most ? lines : most - 1;
  std::string shown;
  for (size_t i = 0; i < whole; ++i) {
    const size_t end = std::min(text.find('\n'), text.size());
    shown += fmt::format("{}{}\n", text.substr(0, std::min(end, kLongest)), end > kLongest ? " ..." : "");
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (whole < lines) shown += fmt::format("{}... and {} more lines\n", comment, lines - whole);
  return shown;
}

/// The class and its inputs: what a reader wants to see. The rest of the file is there to run it.
std::string_view ProgramOf(std::string_view script) {
  const size_t begin = script.find("class Repro");
  if (begin == std::string_view::npos) return script;
  size_t end = script.find("\nload_args._version", begin);
  if (end == std::string_view::npos) end = script.find("\n\n\ndef ", begin);
  return script.substr(begin, end - begin);
}

std::string HowToRun(const Report& report) {
  const std::string fails =
      report.judge.empty() ? repro::FailingCommand("repro.py", report.expected.repeats > 1) + report.options
                           : fmt::format("{} repro.py   # exits with 0", report.judge);
  // Of a judge nobody knows what it does with the file.
  const std::string_view python =
      report.fails_in_python ? "$ python3 repro.py   # shows it without Culprit\n" : "";
  return fmt::format("$ {}\n{}", fails, python);
}

std::string Point(std::string_view text) {
  return text.empty() ? "" : fmt::format("- {}\n", text);
}

/// Outputs are named by their index in the program that is meant.
std::string OriginalAsText(const Report& report) {
  const std::string text = OriginalFailureAsText(report);
  return text.empty() ? "" : Point("in the original program " + text);
}

std::string Compiler(const Report& report) {
  if (!report.judge.empty()) return "";
  std::string text = fmt::format("compiler: `{}`", report.header.backend);
  for (const std::string& fault : report.header.faults)
    text += fmt::format(", with the injected fault `{}`", fault);
  return text;
}

std::string Versions(const Report& report) {
  if (!report.header.written_by) return "";
  const repro::WrittenBy& origin = *report.header.written_by;
  std::string text = fmt::format("culprit {}, libtorch {}, BLAS: {}, CPU kernels: {}", origin.culprit,
                                 origin.libtorch, origin.blas, origin.cpu);
  for (const auto& [name, version] : report.versions) text += fmt::format(", {} {}", name, version);
  return text + (report.cpu_model.empty() ? "" : fmt::format(", CPU: {}", report.cpu_model));
}

/// In the words of the compiler's users, ready for a shell. Without it a reader would try that first.
std::string InPlainCalls(const Report& report, bool as_file) {
  if (!report.plain) return "";
  if (report.plain->text.empty())
    return fmt::format("\nIn plain calls of the compiler's users it cannot be written: {}.\n",
                       report.plain->said);
  if (!report.plain->fails_so)
    return "\nWritten in plain calls of the compiler's users it does not fail so (tried): the file is "
           "needed.\n";
  if (as_file) return "\nIn plain calls of the compiler's users it is in `plain.py` (tried: it fails so).\n";
  return fmt::format("\nIn plain calls of the compiler's users (tried: it fails so):\n\n{}\n{}",
                     Quoted("sh", fmt::format("python3 - <<'END'\n{}END\n", report.plain->text)),
                     Quoted("", report.plain->said));
}

std::string Insight(const Report& report) {
  if (report.shown.insight.empty()) return "";
  std::vector<std::string> names;
  for (const auto& [name, text] : report.shown.insight) names.push_back(fmt::format("`{}`", name));
  constexpr size_t kMostNamed = 4;
  if (names.size() > kMostNamed) names.resize(kMostNamed);
  return fmt::format("\nWhat the compiler made of it is in the folder `compiler`: {}{}.\n",
                     fmt::join(names, ", "), report.shown.insight.size() > kMostNamed ? " and more" : "");
}

/// The part of the compiler that is to blame, as far as its own frames tell: files as its project names them.
std::string InTheCompiler(const Report& report) {
  constexpr size_t kMostNamed = 3;
  constexpr std::string_view kPackages = "/site-packages/";
  std::vector<std::string> named;
  for (const std::string& frame : report.shown.python_frames) {
    if (named.size() == kMostNamed) break;
    const size_t at = frame.find(" at ");
    const size_t packages = frame.find(kPackages);
    const bool is_package = at != std::string::npos && packages != std::string::npos;
    named.push_back(fmt::format(
        "`{}`", is_package ? frame.substr(0, at + 4) + frame.substr(packages + kPackages.size()) : frame));
  }
  return named.empty() ? "" : fmt::format("in the compiler: {}", fmt::join(named, ", called by "));
}

std::string WhatHappens(const Report& report) {
  std::string text = Point(Compiler(report));
  if (!report.place.empty())
    text += Point(fmt::format("eager is that of {}; gradients and float64 are Culprit's own", report.place));
  // Otherwise it is the headline.
  if (Headline(report) != report.signature.ToString()) text += Point(report.signature.ToString());
  if (report.how_wrong)
    text += Point(fmt::format("{}: {}", report.signature.guilty_output, report.how_wrong->ToString()));
  text += Point(InTheCompiler(report)) + OriginalAsText(report) + Point(VerificationAsText(report));
  if (report.expected.repeats > 1)
    text += Point(fmt::format("it comes only sometimes: {} runs show it with a probability of 99 %",
                              report.expected.repeats));
  if (report.switches) text += Point(report.switches->ToString());
  return text + Point("expected: " + WhatShouldHappen(report));
}

std::string Guilty(const Report& report) {
  constexpr size_t kMostNamed = 8;
  std::string text;
  for (size_t i = 0; i < std::min(report.guilty.size(), kMostNamed); ++i) {
    const GuiltyOperator& guilty = report.guilty[i];
    text += fmt::format("- `{}` = `{}`{}\n", guilty.name, guilty.operator_name,
                        guilty.source.empty() ? "" : ", " + guilty.source);
  }
  if (report.guilty.size() > kMostNamed)
    text += Point(fmt::format("and {} more", report.guilty.size() - kMostNamed));
  return text;
}

std::string Sizes(const Report& report) {
  const Extent& before = report.before;
  const Extent& after = report.after;
  return fmt::format(
      "operators {} -> {}, inputs {} -> {}, outputs {} -> {}, elements {} -> {}, bytes {} -> {}",
      before.operators, after.operators, before.inputs, after.inputs, before.outputs, after.outputs,
      before.elements, after.elements, base::HumanBytes(before.bytes), base::HumanBytes(after.bytes));
}

std::string HowItWasFound(const Report& report) {
  std::string text = Point(Sizes(report));
  text += Point(fmt::format("{} in {:.1f} s; {}", base::Counted(report.questions, "question"), report.seconds,
                            EndAsText(report)));
  if (report.taken_back > 0)
    text += Point(fmt::format("{} did not fail again in a fresh process and {} taken back",
                              base::Counted(report.taken_back, "smaller program"),
                              report.taken_back == 1 ? "was" : "were"));
  std::vector<std::string> tried;
  for (const minify::Tried& one : report.tried) tried.push_back(TriedAsText(one));
  if (!tried.empty()) text += Point(fmt::format("tried on the program above: {}", fmt::join(tried, "; ")));
  constexpr size_t kMostFinds = 5;
  for (size_t i = 0; i < std::min(report.finds.size(), kMostFinds); ++i)
    text += Point(fmt::format("another failure that was met, `{}`: {}", report.finds[i].file,
                              report.finds[i].signature));
  if (report.finds.size() > kMostFinds)
    text += Point(fmt::format("and {} more in `finds`", report.finds.size() - kMostFinds));
  return text + Point(Versions(report));
}

/// What is left out where there is little room.
struct Shortened {
  bool nearest = false;
  bool plain = false;
};
constexpr Shortened kShortened[] = {{}, {.nearest = true}, {.nearest = true, .plain = true}};

std::string BelowTheProgram(const Report& report, const Shortened& shortened) {
  constexpr size_t kMostDifferent = 9;
  std::string text = fmt::format("\nIt is in `repro.py`{}:\n\n{}{}{}\n## Guilty operators\n\n{}\n",
                                 report.needs_store ? ", which needs the folder `store` beside it" : "",
                                 Quoted("console", HowToRun(report)), InPlainCalls(report, shortened.plain),
                                 Insight(report), Guilty(report));
  if (!report.nearest || shortened.nearest) return text;
  return text + fmt::format("The nearest program that passes ({}):\n\n{}\n", report.nearest->edit,
                            Quoted("diff", FirstLines(report.nearest->difference, kMostDifferent)));
}

std::string Details(std::string_view title, std::string_view text) {
  return fmt::format("<details><summary>{}</summary>\n\n{}\n</details>\n", title, text);
}

}  // namespace

std::string VerificationAsText(const Report& report) {
  const Verification& verification = report.verification;
  if (verification.times == 0) return "not verified";
  if (verification.times == 1 && verification.holds())
    return "verified: the failure came back in a fresh process";
  std::string text = fmt::format("{}: the failure came back in {} of {} {}processes",
                                 verification.holds() ? "verified" : "NOT verified", verification.same,
                                 verification.times, verification.forked == 0 ? "fresh " : "");
  if (verification.forked > 0) text += fmt::format(", {} of them forked", verification.forked);
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

std::string OriginalFailureAsText(const Report& report) {
  const std::string& output = report.expected.signature.guilty_output;
  if (output.empty()) return "";
  const std::string name = report.output_name.empty() ? "" : fmt::format(" ({})", report.output_name);
  const std::string how = report.original_how_wrong ? ": " + report.original_how_wrong->ToString() : "";
  return fmt::format("{}{}{}", output, name, how);
}

std::string SummaryOf(const Report& report) {
  constexpr size_t kLinesOfDetails = 7;
  constexpr size_t kFewestShown = 4;
  constexpr size_t kLinesOfProgram = 24;
  const std::string top = fmt::format("# {}\n\n{}\n## The program\n\n", TitleOf(report), WhatHappens(report));
  const std::string found = Details("How it was found, and with which versions", HowItWasFound(report));
  std::string below;
  size_t taken = 0;
  const std::string_view whole = ProgramOf(report.program_text);
  // What stands in a file, too, makes room for the program.
  for (const Shortened& shortened : kShortened) {
    below = BelowTheProgram(report, shortened);
    taken = CountLines(top) + CountLines(below) + CountLines(found) + CountLines(Quoted("", "\n")) - 1;
    if (taken + std::min(CountLines(whole) + 1, kLinesOfProgram) <= kMostLines) break;
  }
  const std::string program = FirstLines(whole, std::max(kMostLines, taken + 1) - taken, "# ");
  const size_t left = std::max(kMostLines, taken + CountLines(program)) - taken - CountLines(program);
  // What few readers miss comes last, if there is room.
  if (!report.shown.text.empty() && left >= kLinesOfDetails + kFewestShown)
    below +=
        Details("What Culprit prints", Quoted("", FirstLines(report.shown.text, left - kLinesOfDetails))) +
        "\n";
  return top + Quoted("python", program) + below + found;
}

}  // namespace culprit::hunt
