// SPDX-License-Identifier: Apache-2.0
//
// Opens a file with a graph and tells about it. A file may come from a stranger, so a child reads it.
#pragma once

#include <optional>
#include <string>

#include "graph/analysis/statistics.h"
#include "open/compiler_request.h"
#include "open/file_request.h"
#include "open/judge_request.h"
#include "repro/header/header.h"
#include "tasks/typed_task.h"

namespace culprit::tasks {

enum class ReadWhat : uint8_t { kText, kStatistics, kHeader };

struct ReadRequest {
  open::FileRequest file;
  ReadWhat what = ReadWhat::kText;
};

/// Has what was asked for.
struct ReadAnswer {
  std::string name;
  /// The graph in normal form.
  std::string text;
  std::string hash;
  graph::Statistics statistics;
  /// What the file says beside the graph, as JSON.
  std::string header;
};

base::Result<ReadAnswer> ReadFile(const ReadRequest& request, open::Notes& notes);
inline constexpr TypedTask<ReadRequest, ReadAnswer> kReadTask = {"read"};

/// Loads the file for a compiler, its inputs too, and tells nothing but whether it can.
struct LoadRequest {
  open::FileRequest file;
  open::CompilerRequest compiler;
  open::JudgeRequest judge;
  /// Which set of inputs (check/query/sample_inputs.h).
  uint64_t sample = 0;
};
struct LoadAnswer {
  bool names_compiler = false;
};

base::Result<LoadAnswer> LoadFile(const LoadRequest& request, open::Notes& notes);
inline constexpr TypedTask<LoadRequest, LoadAnswer> kLoadTask = {"load"};

/// In this process.
base::Result<repro::Repro> OpenForQuery(const LoadRequest& request, open::Notes& notes);

}  // namespace culprit::tasks
