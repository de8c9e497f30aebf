// SPDX-License-Identifier: Apache-2.0
//
// Standard input, and what is no file but a pipe or the like (`culprit graph <(...)`): it can be read once
// only, and a child does not have it. So the parent reads it, and a child gets the contents as its standard
// input.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "isolate/wire/shared_memory.h"

namespace culprit::cli {

/// "-", or the name of a pipe or device.
bool IsPiped(const std::string& word);

/// The one among the words of a command line that is read and piped, or null. What --record names is written.
const std::string* FindPiped(const std::vector<std::string>& words);

/// What it holds; the same however often it is asked for.
base::Result<std::shared_ptr<isolate::SharedMemory>> PipedContents(const std::string& file);

/// In a child: from now on these are the contents of standard input, and of the file.
void UseAsStandardInput(const isolate::SharedMemory& contents, const std::string& file);

/// Whether the file is to be read from standard input.
bool IsStandardInput(const std::string& file);

}  // namespace culprit::cli
