// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/function.h>
#include <ATen/core/ivalue.h>

#include <string>
#include <unordered_map>
#include <vector>

namespace culprit::api {

/// The arguments of a call as the function's schema wants them, `self` first for a method: types checked,
/// keywords in their places, defaults filled in. Throws what libtorch throws, and says beside it where the
/// function is defined and what it was called with.
void BindArguments(const torch::jit::Function& function, std::vector<c10::IValue>& arguments,
                   const std::unordered_map<std::string, c10::IValue>& keywords);

}  // namespace culprit::api
