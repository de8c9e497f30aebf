// SPDX-License-Identifier: Apache-2.0
//
// The file that a user names, and how it is to be read.
#pragma once

#include <c10/core/Device.h>

#include <optional>
#include <string>
#include <vector>

namespace culprit::open {

struct FileRequest {
  /// "-" is standard input.
  std::string file;
  /// What the file holds, if it can be read only once: standard input, a pipe. Whoever makes the request
  /// reads it, since a child has neither.
  std::optional<std::string> contents = std::nullopt;
  /// Which graph of the file, counted from 1.
  std::optional<size_t> which = std::nullopt;
  /// All devices of the graph are mapped to this one.
  std::optional<at::Device> device = std::nullopt;
  /// Where the data is; empty for the folder beside the file.
  std::string store = {};
  /// Loaded before the file is read: they bring operators.
  std::vector<std::string> libraries = {};
  bool allow_file_operators = false;

  /// The file as errors name it.
  std::string shown_file() const { return file == "-" ? "<stdin>" : file; }
  /// The options that every command about this graph needs.
  std::vector<std::string> words_for_reading() const {
    std::vector<std::string> words;
    for (const std::string& library : libraries) words.insert(words.end(), {"--load-library", library});
    if (allow_file_operators) words.emplace_back("--allow-file-operators");
    return words;
  }
};

}  // namespace culprit::open
