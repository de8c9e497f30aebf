// SPDX-License-Identifier: Apache-2.0
//
// The tensors and floating-point numbers of a run, under the names that a verdict gives them.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <map>
#include <string>

namespace culprit::compare {

using NumbersByPath = std::map<std::string, at::Tensor>;

NumbersByPath CollectNumbers(const c10::IValue& value);

}  // namespace culprit::compare
