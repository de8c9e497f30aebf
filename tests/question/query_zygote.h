// SPDX-License-Identifier: Apache-2.0
//
// The zygote of this test program. It starts before the first test, since children of a process that has run
// OpenMP would hang.
#pragma once

#include <memory>

#include "isolate/zygote.h"

namespace culprit::tests {

const std::shared_ptr<const isolate::Zygote>& QueryZygote();

}  // namespace culprit::tests
