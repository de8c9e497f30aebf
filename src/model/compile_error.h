// SPDX-License-Identifier: Apache-2.0
//
// What libtorch says when it cannot make a program from source text, as a diagnostic. Its message
//
//   undefined value y:
//     File "net.py", line 2
//   def f(x: Tensor) -> Tensor:
//       return y
//              ~ <--- HERE
//
// becomes   net.py:2:12: error: cannot be compiled: undefined value y
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace culprit::model {

/// The program "cannot be <verb>". With help where an operator or a class is unknown. `path` is the file that
/// was loaded, also if the source is in it.
base::Diagnostic CompileError(const std::string& path, const std::exception& error,
                              std::string_view verb = "compiled");

}  // namespace culprit::model
