// SPDX-License-Identifier: Apache-2.0
//
// The children of a command: what opens files of strangers, runs their models or calls compilers does so in a
// child with limits. Whatever happens there, this process goes on and says what it was.
#pragma once

#include <chrono>
#include <memory>

#include "explain/capture_model.h"
#include "tasks/convert_task.h"
#include "tasks/plain_task.h"
#include "tasks/read_task.h"
#include "tasks/run_task.h"

namespace culprit::tasks {

/// For tasks that only read: more time and memory than a query has.
inline constexpr isolate::Limits kReadingLimits = {.wall_time = std::chrono::minutes(10),
                                                   .memory_bytes = uint64_t{16} << 30};

class Children {
 public:
  /// Forks the process that children come from. To be called before a thread is started.
  static base::Result<Children> Start();

  base::Result<TaskEnd<ReadAnswer>> Read(const ReadRequest& request) const;
  base::Result<TaskEnd<LoadAnswer>> Load(const LoadRequest& request,
                                         const isolate::Limits& limits = kReadingLimits) const;
  base::Result<TaskEnd<RunAnswer>> Run(const RunRequest& request, const isolate::Limits& limits) const;
  base::Result<TaskEnd<RecordAnswer>> Record(const RecordRequest& request,
                                             const isolate::Limits& limits) const;
  base::Result<TaskEnd<backend::PlainProgram>> Plain(const LoadRequest& request,
                                                     const isolate::Limits& limits) const;
  base::Result<TaskEnd<ConvertAnswer>> Convert(const ConvertRequest& request) const;
  base::Result<TaskEnd<explain::Explanation>> Capture(const explain::CaptureRequest& request,
                                                      const isolate::Limits& limits) const;

 private:
  explicit Children(std::shared_ptr<const isolate::Zygote> zygote) : zygote_(std::move(zygote)) {}

  std::shared_ptr<const isolate::Zygote> zygote_;
};

/// The error if a child died that only had to open a file.
base::Diagnostic DeathOfReader(const isolate::Outcome& death);

/// The error if the child died that loaded and captured a model: what it was doing, how it ended, and where.
base::Diagnostic DeathWhileCapturing(const std::string& file, const isolate::Outcome& death);
/// The innermost functions of a crash, without those that only pass a call on.
std::vector<std::string> FramesOf(const isolate::Outcome& death);

/// What a child answered; its death is an error.
template <typename Answer>
base::Result<Answered<Answer>> AnswerOf(base::Result<TaskEnd<Answer>> ending) {
  if (!ending.ok()) return std::move(ending).error();
  if (const auto* death = std::get_if<isolate::Outcome>(&*ending)) return DeathOfReader(*death);
  return std::get<Answered<Answer>>(*std::move(ending));
}

/// What the file says beside its graph.
base::Result<repro::Header> ReadHeader(const Children& children, const open::FileRequest& file);

}  // namespace culprit::tasks
