// SPDX-License-Identifier: Apache-2.0
//
// What a file is that somebody named where another kind of file is expected, so that the error can say so:
// "is an ONNX model" instead of something about its bytes.
#pragma once

#include <string>
#include <string_view>

namespace culprit::model {

struct FileKind {
  /// "a TorchScript archive"
  std::string_view name;
  /// What to do with it instead; {} stands for the file. Empty if there is nothing to say.
  std::string_view help;
  /// archive.h opens it, or says why it cannot.
  bool is_archive = false;

  std::string HelpFor(const std::string& file) const;
};

/// Archives of PyTorch are told apart by the names of what is in them, all others by their first bytes. Null
/// for a text, a file of no known kind, and one that cannot be read.
const FileKind* KindOfFile(const std::string& path);
/// By the first bytes only.
const FileKind* KindOfBytes(std::string_view beginning);

/// Of texts that could not be read as something else: whether it is a script with a graph
/// (docs/text-form.md), or TorchScript (source_model.h).
bool IsGraphText(std::string_view text);
bool IsModelText(std::string_view text);

}  // namespace culprit::model
