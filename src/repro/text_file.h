// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"

namespace culprit::repro {

/// A script in the folder of a run, which may come from a stranger: a regular file, no link, no FIFO, and not
/// larger than a script may be.
base::Result<std::string> ReadText(const std::string& path);

}  // namespace culprit::repro
