// SPDX-License-Identifier: Apache-2.0
//
// What a repro in C++ prints (repro/cpp/cpp_text.h), for outputs that Culprit computed itself.
#pragma once

#include <ATen/core/ivalue.h>

#include <string>
#include <vector>

namespace culprit::tests {

std::string OutputLines(const std::vector<c10::IValue>& outputs);

}  // namespace culprit::tests
