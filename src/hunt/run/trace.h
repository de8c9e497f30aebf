// SPDX-License-Identifier: Apache-2.0
//
// What happens during a run, one JSON object per line, written as it happens:
//
//   {"event": "begin", ...}                                                              plan.h
//   {"event": "answer", "hash": "...", "answer": "passes", ..., "strategy": "drop", "edit": "drop relu",
//    "operators": 7, "seconds": 0.03}
//   {"event": "smaller", "operators": 6, "strategy": "drop", "file": "checkpoints/004_6ops.py"}
//   {"event": "find", "operators": 3, "signature": "call 1: signal SIGSEGV", "file": "finds/01.py"}
//
// A resumed search reads its answers from here and does not ask again. If the writer was killed, the last line may be
// incomplete; it is cut off.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "hunt/result/report.h"
#include "hunt/run/plan.h"
#include "minify/search.h"

namespace culprit::hunt {

/// When a full disk or the like stops it, the first error is kept, and nothing more is written: half a trace
/// is worth more than one with holes.
class TraceWriter {
 public:
  static base::Result<TraceWriter> Create(const std::string& path, const Plan& plan);
  /// Goes on behind the last whole line.
  static base::Result<TraceWriter> Append(const std::string& path, size_t whole_bytes);
  TraceWriter(TraceWriter&& other) noexcept;
  TraceWriter& operator=(TraceWriter&&) = delete;
  ~TraceWriter();

  base::Status WriteAnswer(const minify::Asked& asked, double seconds);
  base::Status WriteSmaller(const minify::Smaller& smaller, const std::string& file);
  base::Status WriteFind(const Find& find);

 private:
  TraceWriter(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  base::Status WriteLine(std::string line);
  /// Two runs must not write into one folder.
  base::Status Lock() const;

  std::string path_;
  int descriptor_;
};

struct ReadTrace {
  Plan plan;
  minify::KnownReplies answers;
  /// The files of the steps, in order.
  std::vector<std::string> steps;
  std::vector<Find> finds;
  /// Between the beginning and the last answer.
  double seconds = 0;
  /// How many bytes are whole lines.
  size_t whole_bytes = 0;
};

base::Result<ReadTrace> OpenTrace(const std::string& path);

}  // namespace culprit::hunt
