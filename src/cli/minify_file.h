// SPDX-License-Identifier: Apache-2.0
//
// What `hunt` and `minify` share: from a file to the smallest program that fails in the same way.
#pragma once

#include "cli/minify_options.h"

namespace culprit::cli {

enum class Purpose : uint8_t {
  /// Is there a failure? If so, which?
  kHunt,
  /// There is one, perhaps recorded in the file.
  kMinify,
};

/// Gives the exit code.
int MinifyFile(const MinifyOptions& options, Purpose purpose);
/// Each graph of a TorchScript model, until one fails.
int HuntModel(const MinifyOptions& options);
int ResumeMinify(const MinifyOptions& options);

}  // namespace culprit::cli
