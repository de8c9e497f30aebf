// SPDX-License-Identifier: Apache-2.0
//
// Writes the graph and the inputs of a file into a folder of their own.
#pragma once

#include <string>
#include <vector>

#include "open/file_request.h"
#include "tasks/typed_task.h"

namespace culprit::tasks {

struct ConvertRequest {
  open::FileRequest file;
  /// "python" or "cpp".
  std::string language;
  /// It must not exist, or be empty.
  std::string folder;
  bool no_data = false;
  bool stable_output = false;
};

struct ConvertAnswer {
  /// Inputs and constants whose data was not kept.
  std::vector<std::string> random;
};

base::Result<ConvertAnswer> ConvertFile(const ConvertRequest& request, open::Notes& notes);
inline constexpr TypedTask<ConvertRequest, ConvertAnswer> kConvertTask = {"convert"};

}  // namespace culprit::tasks
