// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backend/configuration.h"
#include "backend/description.h"
#include "base/result.h"
#include "compiler/pipeline/compilation.h"

namespace culprit::backends::native {

/// The options that ReadOptions understands.
std::vector<backend::OptionDescription> DescribeOptions();

base::Result<compiler::pipeline::Options> ReadOptions(const backend::Configuration& configuration);

}  // namespace culprit::backends::native
