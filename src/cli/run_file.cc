// SPDX-License-Identifier: Apache-2.0
#include "cli/run_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/printable_lines.h"
#include "cli/command.h"
#include "cli/show/print.h"
#include "cli/show/progress_line.h"
#include "report/finding_text.h"
#include "report/output_table.h"
#include "report/run_text.h"
#include "report/verdict_table.h"
#include "tasks/ask.h"

namespace culprit::cli {
namespace {

using base::Result;
using tasks::RunAnswer;

bool Judges(const repro::Header& header) {
  return header.accuracy.value_or(repro::Accuracy::kOff) != repro::Accuracy::kOff;
}

/// An option that would mean nothing here, and how it would mean something.
struct IdleOption {
  const char* name = nullptr;
  const char* why = "";
  const char* help = "";
};

IdleOption FirstIdle(const RunFileOptions& options, const repro::Header& header) {
  constexpr const char* kNoCompiler = "is about compilers, and none is named";
  constexpr const char* kNameOne = "add --backend B";
  if (!options.request.record.empty()) return {"--record", kNoCompiler, kNameOne};
  if (options.samples > 1) return {"--samples", kNoCompiler, kNameOne};
  if (options.request.load.compiler.freeze) return {"--freeze", kNoCompiler, kNameOne};
  if (Judges(header)) return {};
  constexpr const char* kNotJudged = "is about judging numbers, which nobody asked for";
  constexpr const char* kJudge = "add --accuracy or --strict-accuracy";
  const open::JudgeRequest& judge = options.request.load.judge;
  if (judge.tolerance) return {"--tolerance", kNotJudged, kJudge};
  if (judge.calls) return {"--calls", kNotJudged, kJudge};
  if (judge.only_forward) return {"--only-forward", kNotJudged, kJudge};
  return {};
}

/// `header` is the file's.
base::Status CheckIdle(const RunFileOptions& options, repro::Header header) {
  const tasks::LoadRequest& load = options.request.load;
  if (options.request.fp64) header.accuracy = repro::Accuracy::kOff;
  load.judge.Apply(header);
  // The child says what is wrong with the compiler.
  if (!load.compiler.Apply(header, load.file.shown_file()).ok()) return base::Done{};
  IdleOption idle;
  if (!open::NamesCompiler(header) && !load.compiler.backend) {
    idle = FirstIdle(options, header);
  } else if (options.request.fp64) {
    idle = {"--fp64", "is about eager, and a compiler is named",
            "leave it out: float64 helps to judge a compiler anyway"};
  }
  if (idle.name == nullptr) return base::Done{};
  base::Diagnostic error{{"culprit run"}, fmt::format("{} {}", idle.name, idle.why)};
  error.help = idle.help;
  return error;
}

std::string NotesText(const open::Notes& notes) {
  std::string text;
  for (const std::string& note : notes) text += note + "\n";
  return text;
}

int StatusOf(const check::Finding& finding) {
  if (!finding.invalid.empty()) return CodeOfInvalid(finding.invalid);
  return finding.passes() ? kSuccess : kFailure;
}

Shown ShowAnswer(const RunAnswer& answer, bool json) {
  if (answer.compiled) {
    const check::CompiledRun& run = *answer.compiled;
    return {StatusOf(run.finding), json ? report::CompiledRunAsJson(run) : report::CompiledRunAsText(run)};
  }
  if (answer.judged) {
    const bool is_same = answer.judged->check.status == check::CheckStatus::kSame;
    return {is_same ? kSuccess : kFailure, json ? report::VerdictAsJson(*answer.judged).dump(2) + "\n"
                                                : report::VerdictAsTable(*answer.judged)};
  }
  return {kSuccess,
          json ? report::OutputsAsJson(*answer.eager).dump(2) + "\n" : report::OutputsAsTable(*answer.eager)};
}

void AddError(const base::Diagnostic& error, Shown& shown) {
  shown.status = CodeOf(error.cause);
  shown.err += error.Render() + "\n";
}

Shown ShowAnswered(const tasks::Answered<RunAnswer>& answered, bool json) {
  Shown shown;
  if (answered.answer.ok()) shown = ShowAnswer(*answered.answer, json);
  shown.err = NotesText(answered.notes);
  if (!answered.answer.ok()) AddError(answered.answer.error(), shown);
  if (answered.answer.ok() && answered.answer->record_error) AddError(*answered.answer->record_error, shown);
  if (!answered.output.empty())
    shown.err += "note: the compiler printed:\n" + base::PrintableLines(answered.output);
  return shown;
}

/// Says in a child, since this process does not have the graph, what there is to say about the file, and
/// writes the failure down if that is wanted.
void Conclude(const tasks::Children& children, const tasks::RunRequest& request,
              const backend::FailureSignature& signature, int repeats, Shown& shown) {
  const isolate::Limits limits = request.load.compiler.limits();
  const auto take = [&](const auto& answered) {
    if (!answered.ok()) return AddError(answered.error(), shown);
    shown.err += NotesText(answered->notes);
    if (!answered->answer.ok()) AddError(answered->answer.error(), shown);
  };
  shown.status = kFailure;
  if (request.record.empty()) return take(tasks::AnswerOf(children.Load(request.load, limits)));
  const tasks::RecordRequest record{request.load, signature.ToJson(), repeats, request.record};
  take(tasks::AnswerOf(children.Record(record, limits)));
}

Shown ShowDeath(const tasks::Children& children, const tasks::RunRequest& request,
                const isolate::Outcome& death, bool json) {
  const check::Finding finding = check::SignEnding(death, request.load.compiler.ignored);
  if (death.phase == check::kLoadPhase) {
    base::Diagnostic error{{request.load.file.shown_file()},
                           "the process that opened it died: " + death.ToString()};
    error.cause = base::Cause::kEnvironment;
    error.help = finding.help;
    return ShownError(error);
  }
  Shown shown{kSuccess, json ? report::DeathAsJson(death, finding) : report::DeathAsText(death, finding)};
  if (finding.failure) {
    Conclude(children, request, *finding.failure, /*repeats=*/1, shown);
  } else if (!finding.passes()) {
    shown.status = kReference;
  }
  return shown;
}

Shown RunOften(const tasks::Children& children, const RunFileOptions& options) {
  tasks::RunRequest request = options.request;
  request.record.clear();
  const open::CompilerRequest& compiler = request.load.compiler;
  const check::AskOnce ask = [&](const repro::Repro&) {
    return tasks::FindingOf(children, request, compiler.limits(), compiler.ignored);
  };
  ProgressLine progress(kMorePatience);
  const int times = static_cast<int>(options.times);
  const Result<check::Character> character = check::Characterize(
      ask, {},
      {.queries = times,
       .queries_if_flaky = times,
       .ignored = compiler.ignored,
       .on_query = [&](int run, int runs) { progress.Begin(fmt::format("run {} of {}", run, runs)); }});
  if (!character.ok()) return ShownError(character.error());
  Shown shown{kSuccess,
              options.json ? report::CharacterAsJson(*character) : report::CharacterAsText(*character)};
  if (character->expectation) {
    Conclude(children, options.request, character->expectation->signature, character->expectation->repeats,
             shown);
  } else if (!character->invalid.empty()) {
    shown.status = CodeOfInvalid(character->invalid);
  }
  return shown;
}

}  // namespace

Shown ShownError(const base::Diagnostic& error) {
  Shown shown;
  AddError(error, shown);
  return shown;
}

int Print(const Shown& shown) {
  WriteOut(shown.out);
  WriteMessage(shown.err);
  return shown.status;
}

Shown RunFile(const tasks::Children& children, RunFileOptions options) {
  tasks::LoadRequest& load = options.request.load;
  // What is wrong with the file the child says that runs it, with all its notes.
  if (const auto header = tasks::ReadHeader(children, load.file); header.ok()) {
    if (const base::Status idle = CheckIdle(options, *header); !idle.ok()) return ShownError(idle.error());
    load.compiler.TakeRecorded(*header);
  }
  if (options.times > 1) return RunOften(children, options);
  for (load.sample = 0;; ++load.sample) {
    const auto ending = children.Run(options.request, load.compiler.limits());
    if (!ending.ok()) return ShownError(ending.error());
    if (const auto* death = std::get_if<isolate::Outcome>(&*ending))
      return ShowDeath(children, options.request, *death, options.json);
    Shown shown = ShowAnswered(std::get<tasks::Answered<RunAnswer>>(*ending), options.json);
    if (shown.status != kSuccess || load.sample + 1 >= options.samples) return shown;
  }
}

}  // namespace culprit::cli
