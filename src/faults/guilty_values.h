// SPDX-License-Identifier: Apache-2.0
//
// What has become of guilty nodes inside of the native compiler.
#pragma once

#include <vector>

#include "compiler/pipeline/compilation.h"
#include "faults/where.h"

namespace culprit::faults {

/// What guilty nodes give. Behind the pass lower.
std::vector<compiler::loops::ValueIndex> GuiltyValues(const compiler::pipeline::Compilation& compilation,
                                                      const Where& where);

/// By value: whether a guilty node gives it, or lowering has added it on the way to that.
std::vector<bool> ArePartsOfGuiltyValues(const compiler::pipeline::Compilation& compilation,
                                         const Where& where);

/// The kernels that compute guilty values, those included that were put into loops of others. Behind arrange.
std::vector<size_t> GuiltyKernels(const compiler::pipeline::Compilation& compilation, const Where& where);

}  // namespace culprit::faults
