// SPDX-License-Identifier: Apache-2.0
//
// The frames of a crash by which it is recognised: the innermost ones that belong to the compiler.
//
//   raise                                                libc's
//   abort
//   _ZN4mine4EmitIfEEvRKNS_4NodeEi+0x1f                  => mine::Emit
//   mine::Lower(mine::Graph const&) [clone .cold]        => mine::Lower
//   culprit::check::...                                  Culprit's
//
// Symbols are named without what differs between builds and graphs: offsets, parameters, template arguments,
// return types, copies that the C++ compiler made.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::backend {

struct NativeFrame {
  /// Mangled or not; empty if it is unknown.
  std::string symbol;
  /// The file that the code is in, if it is known.
  std::string library = {};
};

std::string NormalizeSymbol(std::string_view symbol);

constexpr size_t kMostFrames = 3;

/// At most kMostFrames of the frames of a stack, innermost first; normalised.
std::vector<std::string> TopFrames(std::span<const NativeFrame> stack);

}  // namespace culprit::backend
