// SPDX-License-Identifier: Apache-2.0
//
// All backends, and the way from their name to a compiler.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "backend/spec.h"
#include "base/result.h"

namespace culprit::backends {

/// In the order of `culprit backends`. Each lives as long as the process.
std::span<const backend::Kind* const> AllKinds();

/// The backend with its settings; the error names what is wrong and the nearest name that exists.
base::Result<std::unique_ptr<backend::Backend>> Open(const backend::Spec& spec);

}  // namespace culprit::backends
