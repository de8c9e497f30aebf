// SPDX-License-Identifier: Apache-2.0
#include "tasks/children.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "backend/failure/top_frames.h"
#include "base/printable_lines.h"
#include "tasks/wire/explanation_json.h"
#include "tasks/wire/request_json.h"
#include "tasks/wire/run_json.h"

namespace culprit::backend {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PlainProgram, text, fails_so, said)
}  // namespace culprit::backend

namespace culprit::graph {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Statistics, operators, builtins, calls_by_operator, inputs, parameters,
                                   buffers, tensor_constants, constant_bytes, outputs, unused_values, depth,
                                   random_operators, mutating_operators)
}  // namespace culprit::graph

namespace culprit::tasks {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReadRequest, file, what)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReadAnswer, name, text, hash, statistics, header)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LoadRequest, file, compiler, judge, sample)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LoadAnswer, names_compiler)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunRequest, load, fp64, record, wants_insight, only_compiles)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunAnswer, eager, judged, compiled, record_error, insight)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RecordRequest, load, signature, repeats, path)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ConvertRequest, file, language, folder, no_data, stable_output)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ConvertAnswer, random)
static void to_json(nlohmann::json& object, const RecordAnswer& /*answer*/) {
  object = true;
}
static void from_json(const nlohmann::json& /*object*/, RecordAnswer& /*answer*/) {}

namespace {

using base::Result;

Result<explain::Explanation> Capture(const explain::CaptureRequest& request, open::Notes& /*notes*/) {
  return explain::CaptureModel(request);
}
constexpr TypedTask<explain::CaptureRequest, explain::Explanation> kCaptureTask = {"capture"};

constexpr isolate::Task kTasks[] = {
    {kReadTask.name, &RunTyped<&ReadFile>},
    {kLoadTask.name, &RunTyped<&LoadFile>},
    {kRunTask.name, &RunTyped<&RunFile>},
    {kRecordTask.name, &RunTyped<&RecordFailure>},
    {kConvertTask.name, &RunTyped<&ConvertFile>},
    {kCaptureTask.name, &RunTyped<&Capture>},
    {kPlainTask.name, &RunTyped<&WriteInPlainCalls>},
};

}  // namespace

Result<Children> Children::Start() {
  return Children(CULPRIT_TRY(isolate::Zygote::Start(kTasks)));
}

Result<TaskEnd<ReadAnswer>> Children::Read(const ReadRequest& request) const {
  return RunInChild(*zygote_, kReadTask, request, kReadingLimits);
}

Result<TaskEnd<LoadAnswer>> Children::Load(const LoadRequest& request, const isolate::Limits& limits) const {
  return RunInChild(*zygote_, kLoadTask, request, limits);
}

Result<TaskEnd<RunAnswer>> Children::Run(const RunRequest& request, const isolate::Limits& limits) const {
  return RunInChild(*zygote_, kRunTask, request, limits);
}

Result<TaskEnd<RecordAnswer>> Children::Record(const RecordRequest& request,
                                               const isolate::Limits& limits) const {
  return RunInChild(*zygote_, kRecordTask, request, limits);
}

Result<TaskEnd<backend::PlainProgram>> Children::Plain(const LoadRequest& request,
                                                       const isolate::Limits& limits) const {
  return RunInChild(*zygote_, kPlainTask, request, limits);
}

Result<TaskEnd<ConvertAnswer>> Children::Convert(const ConvertRequest& request) const {
  return RunInChild(*zygote_, kConvertTask, request, kReadingLimits);
}

Result<TaskEnd<explain::Explanation>> Children::Capture(const explain::CaptureRequest& request,
                                                        const isolate::Limits& limits) const {
  return RunInChild(*zygote_, kCaptureTask, request, limits);
}

base::Diagnostic DeathOfReader(const isolate::Outcome& death) {
  base::Diagnostic error{{"culprit"}, "the child that opened the file died: " + death.ToString()};
  error.cause = base::Cause::kEnvironment;
  if (!death.output.empty()) error.notes.push_back("it had printed:" + base::LinesBelow(death.output));
  return error;
}

std::vector<std::string> FramesOf(const isolate::Outcome& death) {
  const auto* signal = std::get_if<isolate::Signal>(&death.ending);
  if (signal == nullptr) return {};
  std::vector<backend::NativeFrame> stack;
  for (const isolate::StackFrame& frame : signal->frames) stack.push_back({frame.symbol, frame.module});
  return backend::TopFrames(stack);
}

base::Diagnostic DeathWhileCapturing(const std::string& file, const isolate::Outcome& death) {
  base::Diagnostic error{{file}, "its process died " + death.ToString()};
  // Once it is loaded, what runs is the model, with eager kernels.
  error.cause = death.phase == explain::kModelLoadPhase ? base::Cause::kEnvironment : base::Cause::kReference;
  if (const std::vector<std::string> frames = FramesOf(death); !frames.empty())
    error.notes.push_back(fmt::format("it was in {}", fmt::join(frames, ", called by ")));
  if (!death.output.empty()) error.notes.push_back("it had printed:" + base::LinesBelow(death.output));
  if (std::holds_alternative<isolate::Timeout>(death.ending))
    error.help = "to give it more time, use: --timeout SECONDS";
  if (std::holds_alternative<isolate::MemoryLimit>(death.ending))
    error.help = "to give it more memory, use: --memory-limit MIB";
  return error;
}

Result<repro::Header> ReadHeader(const Children& children, const open::FileRequest& file) {
  const Answered<ReadAnswer> read =
      CULPRIT_TRY(AnswerOf(children.Read({.file = file, .what = ReadWhat::kHeader})));
  if (!read.answer.ok()) return read.answer.error();
  return CULPRIT_TRY(repro::HeaderFromJson(read.answer->header)).header;
}

}  // namespace culprit::tasks
