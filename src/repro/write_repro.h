// SPDX-License-Identifier: Apache-2.0
//
// Writes a repro. The data comes first and the script last, at once: whoever finds the script finds a whole
// repro.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "repro/repro.h"

namespace culprit::repro {

struct WriteOptions {
  /// Tensors of up to so many elements are written out in the script.
  int64_t inline_elements = 1024;
  enum class Data : uint8_t {
    /// Larger tensors go to the store beside the script.
    kStore,
    /// Larger tensors are replaced by numbers from a seed: the script is all there is.
    kSeed,
    /// Only shapes: whoever runs it gets random numbers for all inputs, and constants from a seed.
    kNone,
  };
  Data data = Data::kStore;
  /// Without what differs between machines: versions, processor, threads.
  bool stable_output = false;
  /// How Python has the compiler of the header compile it (python_text.h); nothing if it cannot.
  std::optional<std::string> compiled_in_python = std::nullopt;
};

struct WrittenRepro {
  std::string text;
  /// Inputs and constants that hold other numbers than they did.
  std::vector<std::string> random;
};

/// A whole file or none. Replaces the one that exists; makes the folder if it does not.
base::Status WriteText(const std::string& path, const std::string& text);

/// The text of the file at `path`, with the data that it refers to in the store beside it.
base::Result<WrittenRepro> PrintRepro(const std::string& path, const Repro& repro,
                                      const WriteOptions& options = {});

/// Replaces the file if it exists. A repro with an input that cannot be kept is an error; the file then holds
/// one sentence that says so, instead of a script that does not run.
base::Result<WrittenRepro> WriteRepro(const std::string& path, const Repro& repro,
                                      const WriteOptions& options = {});

}  // namespace culprit::repro
