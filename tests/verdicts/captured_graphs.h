// SPDX-License-Identifier: Apache-2.0
//
// The graphs of a program as `culprit hunt` gets them: those of a script, or those that capture makes of a
// TorchScript program (tests/capture/hazard.h), with what the program sees of shared memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "repro/repro.h"

namespace culprit::tests {

/// Every file that says how it is called is a TorchScript program, and is called once; in training mode it
/// has forward and backward graphs beside the captured ones. The seed is that of numbers that the file does
/// not give.
base::Result<std::vector<repro::Repro>> GraphsOf(const std::string& path, uint64_t seed);

/// The graph for a backend, under the rules of `culprit run`; what the backend freezes is chosen as there.
base::Result<repro::Repro> ForBackend(repro::Repro repro, const std::string& backend);

}  // namespace culprit::tests
