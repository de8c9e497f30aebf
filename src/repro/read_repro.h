// SPDX-License-Identifier: Apache-2.0
//
// Opens a script, whoever wrote it: Culprit, with a header and a store, or PyTorch, with its own content
// store or nothing.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "graph/text/script/script.h"
#include "repro/repro.h"
#include "store/store.h"

namespace culprit::repro {

struct ReadOptions {
  std::optional<size_t> which;
  /// All devices are mapped to this one.
  std::optional<at::Device> device;
  /// Of data that is absent; without it that of the header.
  std::optional<uint64_t> seed;
  /// Where data is; an error if there is no such folder. Without it the folder that PyTorch's script names,
  /// or `store` beside the file, which has to exist only if the script needs it.
  std::string store = {};
  /// Of a script that PyTorch wrote, take entries of its configuration that lead to programs and folders.
  bool trust = false;
};

struct ReadRepro {
  graph::text::Script script;
  Header header;
  /// Where the stored data is; nothing if there is no such folder.
  std::shared_ptr<const store::Store> store;
  /// By ReadOptions; without that it is the folder beside the file.
  bool store_was_named = false;
  /// From the store; an error that says what to do, if there is none.
  graph::LoadBytes load;
  /// What was odd but did not stop the reading.
  std::vector<base::Diagnostic> warnings;
};

/// The script without making its inputs.
base::Result<ReadRepro> OpenRepro(const std::string& path, std::string_view text,
                                  const ReadOptions& options = {});

struct LoadedRepro {
  Repro repro;
  /// Inputs and constants that hold random numbers, by name.
  std::vector<std::string> random;
};

/// Makes the inputs: from the script, the store, or at random. Data that the script says is in the store has
/// to be there.
base::Result<LoadedRepro> LoadRepro(ReadRepro read, const ReadOptions& options = {});

}  // namespace culprit::repro
