// SPDX-License-Identifier: Apache-2.0
//
// Standard input, and what is no file but a pipe or the like (`culprit graph <(...)`): it can be read once
// only, and a child does not have it. So this process reads it, and requests carry what it holds.
#pragma once

#include <string>

#include "base/result.h"
#include "open/file_request.h"

namespace culprit::cli {

/// "-", or the name of a pipe or device.
bool IsPiped(const std::string& file);

/// Reads the file into the request if it is piped.
base::Status TakePiped(open::FileRequest& request);

}  // namespace culprit::cli
