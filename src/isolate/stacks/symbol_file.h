// SPDX-License-Identifier: Apache-2.0
//
// Names of functions from an ELF file, as debuggers find them: the full table of symbols if the file has it,
// so that the static functions of a user's compiler have names too, and the exported ones otherwise.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace culprit::isolate {

/// For each address in the file the mangled name of the function around it; empty if there is none, or the
/// file cannot be read.
std::vector<std::string> FunctionsAt(const std::string& path, std::span<const uint64_t> addresses);

}  // namespace culprit::isolate
