// SPDX-License-Identifier: Apache-2.0
#include "cli/run_compiler.h"

#include <fmt/format.h>

#include "check/query/in_python.h"
#include "check/query/sample_inputs.h"
#include "check/query/stamp.h"
#include "check/question/question.h"
#include "cli/ask_child.h"
#include "cli/command.h"
#include "cli/compiled_run.h"
#include "cli/isolated_command.h"
#include "cli/load_for_query.h"
#include "cli/print.h"
#include "cli/progress_line.h"
#include "cli/repro_question.h"
#include "repro/write_repro.h"

namespace culprit::cli {
namespace {

/// Writes the repro with the failure that it has shown, and with what the failure depends on.
base::Status Record(repro::Repro repro, const std::string& signature, const RunOptions& options) {
  repro::Header& header = repro.header;
  header.expected = signature;
  header.backend = check::AbsoluteBackend(header.backend);
  if (options.record_repeats > 1)
    header.settings[repro::kRepeatsSetting] = std::to_string(options.record_repeats);
  check::Stamp(header);
  CULPRIT_TRY(
      repro::WriteRepro(options.record, repro, {.compiled_in_python = check::CompiledInPython(repro)}));
  PrintErr("note: wrote the failure to {}\n", options.record);
  return base::Done{};
}

int Recorded(const repro::Repro& repro, const std::string& signature, const RunOptions& options) {
  const base::Status status = Record(repro, signature, options);
  return status.ok() ? kFailure : Fail(status.error());
}

/// In a child, since this process does not have the graph: says what there is to say about the file, and
/// writes the failure if that is wanted.
int Conclude(const backend::FailureSignature& signature, int repeats, uint64_t sample,
             const RunOptions& options) {
  std::vector<std::string> words = CommandLine();
  words.insert(words.end(), {"--sample", std::to_string(sample)});
  if (options.record.empty()) {
    words.emplace_back("--load-only");
  } else {
    words.insert(words.end(),
                 {"--record-as", signature.ToJson(), "--record-repeats", std::to_string(repeats)});
  }
  const base::Result<ChildPrints> prints = RunWordsInChild(words, options.query.limits());
  if (!prints.ok()) return Fail(prints.error());
  PrintErr("{}", prints->err);
  return prints->status;
}

int ReportDeath(const isolate::Outcome& outcome, uint64_t sample, const RunOptions& options) {
  const check::Finding finding = check::SignEnding(outcome, options.query.ignored);
  if (outcome.phase == check::kLoadPhase) {
    base::Diagnostic error{{options.script.shown_file()},
                           "the process that opened it died: " + outcome.ToString()};
    error.cause = base::Cause::kEnvironment;
    error.help = finding.help;
    return Fail(error);
  }
  PrintOut("{}", options.json ? DeathAsJson(outcome, finding) : DeathAsText(outcome, finding));
  if (finding.passes()) return kSuccess;
  return finding.failure ? Conclude(*finding.failure, 1, sample, options) : kReference;
}

int RunOften(const RunOptions& options) {
  const std::vector<std::string> words = CommandLineAs("run", {{"--times", true}, {"--record", true}});
  const check::AskOnce ask = [&](const repro::Repro&) {
    return AskChild(words, options.query.limits(), options.query.ignored);
  };
  if (const base::Status status = PrepareChildren(); !status.ok()) return Fail(status.error());
  ProgressLine progress(kMorePatience);
  const auto on_run = [&](int run, int runs) { progress.Begin(fmt::format("run {} of {}", run, runs)); };
  const int times = static_cast<int>(options.times);
  const base::Result<check::Character> character = check::Characterize(
      ask, {},
      {.queries = times, .queries_if_flaky = times, .ignored = options.query.ignored, .on_query = on_run});
  if (!character.ok()) return Fail(character.error());
  PrintOut("{}", options.json ? CharacterAsJson(*character) : CharacterAsText(*character));
  if (!character->expectation)
    return character->invalid.empty() ? kSuccess : CodeOfReference(character->invalid);
  return Conclude(character->expectation->signature, character->expectation->repeats, 0, options);
}

}  // namespace

int RunInChildren(const RunOptions& given) {
  RunOptions options = given;
  if (const auto header = ReadHeaderInChild(options.script); header.ok()) options.query.TakeRecorded(*header);
  if (options.times > 1) return RunOften(options);
  for (uint64_t sample = 0;; ++sample) {
    std::vector<std::string> words = CommandLine();
    if (sample > 0) words.insert(words.end(), {"--sample", std::to_string(sample)});
    const base::Result<ChildEnding> ending = EndingInChild(words, options.query.limits());
    if (!ending.ok()) return Fail(ending.error());
    if (const auto* death = std::get_if<isolate::Outcome>(&*ending))
      return ReportDeath(*death, sample, options);
    const auto& prints = std::get<ChildPrints>(*ending);
    if (prints.status != kSuccess || sample + 1 >= options.samples) return Relay(prints);
  }
}

int RunCompiler(repro::ReadRepro read, const RunOptions& options) {
  if (options.fp64) {
    base::Diagnostic error{{"culprit run"}, "--fp64 is about eager, and a compiler is named"};
    error.help = "leave it out: float64 helps to judge a compiler anyway";
    return Fail(error);
  }
  base::Result<repro::Repro> repro =
      LoadForQuery(std::move(read), options.script, options.query, options.judge.seed);
  if (repro.ok()) repro = check::WithSample(*repro, options.sample);
  if (!repro.ok()) return Fail(repro.error());
  if (options.load_only) return kFailure;
  options.query.Remember(repro->header);
  if (!options.record_as.empty()) return Recorded(*repro, options.record_as, options);
  const base::Result<CompiledRun> run = RunCompiled(*repro, options.sample);
  if (!run.ok()) return Fail(run.error());
  PrintOut("{}", options.json ? CompiledRunAsJson(*run) : CompiledRunAsText(*run));
  if (run->finding.failure && !options.record.empty())
    return Recorded(*repro, run->finding.failure->ToJson(), options);
  if (!run->finding.invalid.empty()) return CodeOfReference(run->finding.invalid);
  return run->finding.passes() ? kSuccess : kFailure;
}

}  // namespace culprit::cli
