// SPDX-License-Identifier: Apache-2.0
//
// Shared libraries that users name: plug-ins, and operators of their own.
#pragma once

#include <string>

#include "base/result.h"

namespace culprit::process {

/// Loads the library for the rest of the process, and gives dlopen's handle. The path is that of a file, also
/// without a slash in it: nothing is searched for. The error says why it cannot be loaded. What an
/// initialiser of the library throws is an error too, for example that an operator exists already.
base::Result<void*> LoadSharedLibrary(const std::string& path);

}  // namespace culprit::process
