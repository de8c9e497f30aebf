// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "isolate/zygote.h"

namespace culprit::bench {

/// The zygote of isolate_bench.cc. The first call starts it, and must come before any benchmark runs.
const std::shared_ptr<const isolate::Zygote>& EarlyZygote();

}  // namespace culprit::bench
