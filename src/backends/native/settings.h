// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "backend/backend.h"
#include "backend/configuration.h"
#include "backend/description.h"
#include "base/result.h"
#include "compiler/pipeline/compilation.h"

namespace culprit::backends::native {

/// The options that are read below.
std::vector<backend::OptionDescription> DescribeOptions();

base::Result<compiler::pipeline::Options> ReadOptions(const backend::Configuration& configuration);
backend::Parameters ReadParameters(const backend::Configuration& configuration);

}  // namespace culprit::backends::native
