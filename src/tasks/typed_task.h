// SPDX-License-Identifier: Apache-2.0
//
// A task of a child whose request and answer are structs:
//
//   base::Result<Explanation> CaptureTask(const CaptureRequest& request, open::Notes& notes);
//   constexpr TypedTask<CaptureRequest, Explanation> kCaptureTask = {"capture"};
//   ... {kCaptureTask.name, &RunTyped<CaptureTask>}                    in the table of the zygote
//   RunInChild(zygote, kCaptureTask, request, limits)                  in the caller
//
// A struct travels as CBOR, which keeps NaN and any bytes; src/tasks/wire says what its members are.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "isolate/zygote.h"
#include "open/notes.h"

namespace c10 {
class WarningHandler;
}  // namespace c10

namespace culprit::tasks {

template <typename Request, typename Answer>
struct TypedTask {
  std::string_view name;
};

/// What a child gave back: the answer, or what is wrong with the request.
template <typename Answer>
struct Answered {
  base::Result<Answer> answer;
  open::Notes notes;
  /// What the compiler or the model printed.
  std::string output;
};

/// Or how the child died instead.
template <typename Answer>
using TaskEnd = std::variant<Answered<Answer>, isolate::Outcome>;

std::string ToBytes(const nlohmann::json& object);
nlohmann::json FromBytes(const std::string& bytes);
nlohmann::json ErrorToJson(const base::Diagnostic& error);
base::Diagnostic ErrorFromJson(const nlohmann::json& object);

/// In the child, before and after a task.
class TaskScope {
 public:
  TaskScope();
  ~TaskScope();
  TaskScope(const TaskScope&) = delete;
  TaskScope& operator=(const TaskScope&) = delete;

  /// Has libtorch's warnings, each once, beside what the task notes.
  open::Notes& notes() { return notes_; }

 private:
  open::Notes notes_;
  std::unique_ptr<c10::WarningHandler> warnings_;
  c10::WarningHandler* handler_before_;
};

template <typename Answer>
std::string AnswerToBytes(const base::Result<Answer>& answer, const open::Notes& notes) {
  nlohmann::json object = {{"notes", notes}};
  if (answer.ok()) object["answer"] = *answer;
  if (!answer.ok()) object["error"] = ErrorToJson(answer.error());
  return ToBytes(object);
}

/// Throws if they are no answer.
template <typename Answer>
Answered<Answer> AnswerFromBytes(const std::string& bytes, std::string output) {
  const nlohmann::json object = FromBytes(bytes);
  open::Notes notes = object.at("notes");
  if (object.contains("error"))
    return {ErrorFromJson(object.at("error")), std::move(notes), std::move(output)};
  return {object.at("answer").get<Answer>(), std::move(notes), std::move(output)};
}

template <typename Function>
struct Signature;
template <typename Request, typename Answer>
struct Signature<base::Result<Answer> (*)(const Request&, open::Notes&)> {
  using RequestType = Request;
};

/// The task as isolate::Task wants it.
template <auto kRun>
isolate::Message RunTyped(const isolate::Message& message) {
  using Request = typename Signature<decltype(kRun)>::RequestType;
  TaskScope scope;
  const auto answer = kRun(FromBytes(message.bytes).get<Request>(), scope.notes());
  return {AnswerToBytes(answer, scope.notes())};
}

/// An error is none of the task's: nothing can be forked.
template <typename Request, typename Answer>
base::Result<TaskEnd<Answer>> RunInChild(const isolate::Zygote& zygote,
                                         const TypedTask<Request, Answer>& task, const Request& request,
                                         const isolate::Limits& limits) {
  isolate::Outcome outcome = CULPRIT_TRY(zygote.RunFresh(task.name, {ToBytes(request)}, limits));
  const auto* result = std::get_if<isolate::Returned>(&outcome.ending);
  if (result == nullptr) return TaskEnd<Answer>(std::move(outcome));
  try {
    return TaskEnd<Answer>(AnswerFromBytes<Answer>(result->message.bytes, outcome.output));
  } catch (const std::exception& error) {
    // Whatever damaged the child.
    outcome.ending = isolate::Garbage{error.what()};
    return TaskEnd<Answer>(std::move(outcome));
  }
}

}  // namespace culprit::tasks
