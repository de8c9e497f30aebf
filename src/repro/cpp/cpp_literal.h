// SPDX-License-Identifier: Apache-2.0
//
// How constants are written in C++ without losing a bit.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <string>
#include <string_view>
#include <vector>

#include "graph/operators/slot.h"

namespace culprit::repro {

/// "at::kFloat".
std::string CppDtype(at::ScalarType dtype);

/// The shortest that gives the same number back: "0.1", "1e-05", "-INFINITY"; float ones end with F.
std::string CppFloat(double value);
std::string CppFloat(float value);

std::string CppInt(int64_t value);
/// "{2, 3}".
std::string CppInts(const std::vector<int64_t>& values);

/// With double quotes; every byte comes back as it was.
std::string CppString(std::string_view text);

/// A constant argument in a slot of this kind, as something that makes a c10::IValue.
std::string CppConstant(const c10::IValue& constant, graph::SlotKind kind);

/// A vector of real numbers: "Numbers<float>(at::kHalf, {1.0F, 0.5F})". NaNs whose bits are not the usual
/// ones are written as integers with the same bits.
std::string CppNumbers(const at::Tensor& flat);

}  // namespace culprit::repro
