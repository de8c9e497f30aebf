// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <typeinfo>

namespace culprit::isolate {

/// A symbol as it is written in C++; unchanged if it is none.
std::string Demangle(const std::string& symbol);

/// "std::out_of_range".
std::string TypeName(const std::type_info& type);

}  // namespace culprit::isolate
