// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "backend/backend.h"

namespace culprit::backend {

/// For several threads: calls of what is not thread-safe wait for each other.
std::unique_ptr<Compiled> OneAtATime(std::unique_ptr<Compiled> compiled);

}  // namespace culprit::backend
