// SPDX-License-Identifier: Apache-2.0
//
// The names of TorchScript's instructions.
#pragma once

#include <ATen/core/function.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace culprit::tests {

/// By number.
const std::vector<std::string>& AllOpcodes();

/// Those that a program can have before an optimiser has seen it.
std::set<std::string> PlainOpcodes();

/// Adds how often each occurs in the code of the function, if it is one that was written in TorchScript.
void CountOpcodes(torch::jit::Function& function, std::map<std::string, size_t>& counts);

}  // namespace culprit::tests
