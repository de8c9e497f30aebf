// SPDX-License-Identifier: Apache-2.0
#include "tasks/ask.h"

#include <algorithm>
#include <cstdlib>

#include "check/query/query.h"
#include "repro/header/header_settings.h"

namespace culprit::tasks {

base::Status CheckIsQuestion(const repro::Header& header, const open::FileRequest& file) {
  if (open::NamesCompiler(header) || !header.expected.empty()) return base::Done{};
  base::Diagnostic error{{file.shown_file()},
                         "names neither a compiler nor a failure, so there is nothing to ask"};
  error.help = "name a compiler, as in: --backend torchscript:stage=ofi; `culprit backends` lists them";
  return error;
}

base::Result<check::Expectation> ExpectationOf(const repro::Header& header, backend::MatchMode match) {
  if (header.expected.empty()) return check::Expectation{.match = backend::MatchMode::kAny};
  check::Expectation expected{CULPRIT_TRY(backend::FailureSignature::FromJson(header.expected)), match};
  if (const auto repeats = header.settings.find(repro::kRepeatsSetting); repeats != header.settings.end())
    expected.repeats = std::clamp(std::atoi(repeats->second.c_str()), 1, check::kMostRepeats);
  return expected;
}

base::Result<check::Finding> FindingOf(const Children& children, const RunRequest& request,
                                       const isolate::Limits& limits, const backend::FailureKinds& ignored) {
  const TaskEnd<RunAnswer> ending = CULPRIT_TRY(children.Run(request, limits));
  if (const auto* death = std::get_if<isolate::Outcome>(&ending)) {
    check::Finding finding = check::SignEnding(*death, ignored);
    if (death->phase != check::kLoadPhase) return finding;
    base::Diagnostic error = DeathOfReader(*death);
    error.help = std::move(finding.help);
    return error;
  }
  const RunAnswer answer = CULPRIT_TRY(std::get<Answered<RunAnswer>>(ending).answer);
  if (answer.compiled) return answer.compiled->finding;
  return base::Diagnostic{{request.load.file.shown_file()},
                          "the file names no compiler, so there is nothing to ask"};
}

base::Result<check::QuestionReply> Ask(const Children& children, const AskRequest& request) {
  repro::Header header = CULPRIT_TRY(ReadHeader(children, request.file));
  const check::Expectation expected = CULPRIT_TRY(ExpectationOf(header, request.match));
  RunRequest run{.load = {.file = request.file, .compiler = request.compiler}};
  CULPRIT_TRY(request.compiler.Apply(header, request.file.shown_file()));
  // Without any compiler there would be nothing but outputs.
  if (!request.compiler.backend) {
    CULPRIT_TRY(CheckIsQuestion(header, request.file));
    if (!open::NamesCompiler(header)) run.load.compiler.backend = "eager";
  }
  const backend::FailureKinds ignored = CULPRIT_TRY(check::IgnoredKinds(header));
  const isolate::Limits limits = request.compiler.limits(header);
  const check::AskOnce ask = [&](const repro::Repro&) { return FindingOf(children, run, limits, ignored); };
  return check::AskRepeatedly(ask, {}, expected);
}

}  // namespace culprit::tasks
