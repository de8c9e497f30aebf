// SPDX-License-Identifier: Apache-2.0
#include "cli/show/report_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/shell_word.h"
#include "base/text.h"
#include "base/utf8.h"
#include "hunt/result/summary.h"
#include "hunt/run/way_on.h"
#include "report/wrap.h"
#include "repro/failing_command.h"

namespace culprit::cli {
namespace {

using nlohmann::ordered_json;

/// Below, all is shown.
constexpr size_t kMostGuilty = 12;

std::string SizesAsText(const hunt::Report& report) {
  const hunt::Extent& before = report.before;
  const hunt::Extent& after = report.after;
  return fmt::format(
      "operators {} -> {}, inputs {} -> {}, outputs {} -> {}\n"
      "elements {} -> {}, bytes {} -> {}\n",
      before.operators, after.operators, before.inputs, after.inputs, before.outputs, after.outputs,
      before.elements, after.elements, base::HumanBytes(before.bytes), base::HumanBytes(after.bytes));
}

/// Of one operator nothing can be cut off.
bool IsMinimal(const hunt::Report& report) {
  const bool was_cut = std::ranges::count(report.tried, "drop", &minify::Tried::strategy) > 0;
  return report.is_last_step && report.ended == minify::Ended::kMinimal &&
         (was_cut || report.after.operators == 1);
}

/// Behind the operator, if there is room. Otherwise below it, and the code below that.
std::string SourceAsText(const hunt::GuiltyOperator& guilty) {
  if (guilty.source.empty()) return "";
  const size_t width =
      base::CountColumns(fmt::format("  {} = {}   {}", guilty.name, guilty.operator_name, guilty.source));
  if (report::Columns() == 0 || width <= report::Columns()) return "   " + guilty.source;
  const size_t code = guilty.source.find(" code: ");
  if (code == std::string::npos) return "\n    " + guilty.source;
  return fmt::format("\n    {}\n      {}", guilty.source.substr(0, code), guilty.source.substr(code + 1));
}

std::string GuiltyAsText(const hunt::Report& report) {
  // Only a search that came to its end has seen that each is needed.
  const char* what = IsMinimal(report) ? "guilty operator" : "operator left";
  std::string text = fmt::format("{}{}:\n", what, report.guilty.size() == 1 || !IsMinimal(report) ? "" : "s");
  for (size_t i = 0; i < std::min(report.guilty.size(), kMostGuilty); ++i) {
    const hunt::GuiltyOperator& guilty = report.guilty[i];
    text += fmt::format("  {} = {}{}\n", guilty.name, guilty.operator_name, SourceAsText(guilty));
  }
  if (report.guilty.size() > kMostGuilty)
    text += fmt::format("  and {} more\n", report.guilty.size() - kMostGuilty);
  return text;
}

std::string Indented(const std::string& lines) {
  std::string text;
  for (size_t begin = 0; begin < lines.size();) {
    const size_t end = std::min(lines.find('\n', begin), lines.size());
    text += "  " + lines.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return text;
}

std::string NextSteps(const hunt::Report& report) {
  const std::string repro = base::ShellWord(report.folder + "/repro.py");
  std::string text = fmt::format("the repro:   {}{}\nthe report:  {}\n", repro,
                                 report.needs_store ? " (with the folder store beside it)" : "",
                                 base::ShellWord(report.folder + "/summary.md"));
  text += report.judge.empty()
              ? fmt::format("to see it fail:  {}{}\n",
                            repro::FailingCommand(repro, report.expected.repeats > 1), report.options)
              : fmt::format("to see it fail:  {} {}\n", base::ShellWord(report.judge), repro);
  if (report.fails_in_python) text += fmt::format("without Culprit: python3 {}\n", repro);
  if (report.ended != minify::Ended::kMinimal)
    text += fmt::format("to go on:        {}\n",
                        hunt::ResumeCommand(report.folder, report.options, report.judge));
  return text;
}

ordered_json ExtentAsJson(const hunt::Extent& extent) {
  return {{"operators", extent.operators},
          {"inputs", extent.inputs},
          {"outputs", extent.outputs},
          {"elements", extent.elements},
          {"bytes", extent.bytes}};
}

/// The failure of the original, by its own outputs.
ordered_json OriginalAsJson(const hunt::Report& report) {
  ordered_json object{{"signature", report.expected.signature.ToString()}};
  if (!report.output_name.empty()) object["output_name"] = report.output_name;
  if (report.original_how_wrong) object["how_wrong"] = check::HowWrongToJson(*report.original_how_wrong);
  return object;
}

}  // namespace

std::string ReportAsText(const hunt::Report& report) {
  std::string text = fmt::format("failure: {}\n", report.signature.ToString());
  if (report.how_wrong) text += fmt::format("  {}\n", report.how_wrong->ToString());
  if (const std::string original = hunt::OriginalFailureAsText(report); !original.empty())
    text += fmt::format("in the original program: {}\n", original);
  text += SizesAsText(report) + GuiltyAsText(report);
  if (report.nearest) text += fmt::format("the nearest program that passes ({}):\n", report.nearest->edit);
  // Lines of a program stay lines.
  const std::string above =
      report::Wrapped(text) + (report.nearest ? Indented(report.nearest->difference) : "");
  text.clear();
  text += fmt::format("{} in {:.1f} s; {}\n", base::Counted(report.questions, "question"), report.seconds,
                      hunt::EndAsText(report));
  if (report.taken_back > 0)
    text += fmt::format("{} did not fail again in a fresh process\n",
                        base::Counted(report.taken_back, "smaller program"));
  for (const hunt::Find& find : report.finds)
    text += fmt::format("another failure: {}\n  {}/{}\n", find.signature, report.folder, find.file);
  text += hunt::VerificationAsText(report) + "\n";
  if (const std::string tried = report.switches ? report.switches->ToString() : ""; !tried.empty())
    text += tried + "\n";
  return above + report::Wrapped(text + NextSteps(report));
}

ordered_json ReportToJson(const hunt::Report& report) {
  ordered_json object{{"failure", ordered_json::parse(report.signature.ToJson())},
                      {"signature", report.signature.ToString()},
                      {"folder", report.folder},
                      {"repro", report.folder + "/repro.py"},
                      {"verified", report.verification.holds()},
                      {"before", ExtentAsJson(report.before)},
                      {"after", ExtentAsJson(report.after)}};
  if (report.how_wrong) object["how_wrong"] = check::HowWrongToJson(*report.how_wrong);
  object["original"] = OriginalAsJson(report);
  if (report.switches)
    object["switches"] = {{"tried", report.switches->tried},
                          {"of", report.switches->switches},
                          {"passes_with", report.switches->passing}};
  object["fails_in_python"] = report.fails_in_python;
  object["guilty"] = ordered_json::array();
  for (const hunt::GuiltyOperator& guilty : report.guilty) {
    ordered_json entry{{"name", guilty.name}, {"operator", guilty.operator_name}};
    if (!guilty.module.empty()) entry["module"] = guilty.module;
    if (!guilty.source.empty()) entry["source"] = guilty.source;
    object["guilty"].push_back(std::move(entry));
  }
  if (report.nearest)
    object["nearest_passing"] = {{"edit", report.nearest->edit}, {"difference", report.nearest->difference}};
  object["tried"] = ordered_json::array();
  for (const minify::Tried& tried : report.tried) {
    object["tried"].push_back({{"strategy", tried.strategy},
                               {"pass", tried.passes},
                               {"fail_otherwise", tried.other_failures},
                               {"not_smaller", tried.not_smaller},
                               {"do_not_run", tried.invalid}});
  }
  object["finds"] = ordered_json::array();
  for (const hunt::Find& find : report.finds)
    object["finds"].push_back({{"signature", find.signature}, {"file", report.folder + "/" + find.file}});
  object["ended"] = hunt::EndAsText(report);
  object["taken_back"] = report.taken_back;
  object["questions"] = report.questions;
  object["seconds"] = report.seconds;
  object["needs_store"] = report.needs_store;
  return object;
}

std::string ReportAsJson(const hunt::Report& report) {
  return ReportToJson(report).dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace culprit::cli
