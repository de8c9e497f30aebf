// SPDX-License-Identifier: Apache-2.0
//
// The line of an error message that says what happened, without the text around it:
//
//   The following operation failed in the TorchScript interpreter.
//   Traceback of TorchScript (most recent call last):
//     File "<string>", line 4, in f
//       return torch.mm(z, y)
//              ~~~~~~~~ <--- HERE
//   RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)
//
//   =>  mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)
//
// A line that ends in a colon is not the whole story, and takes the next one with it. `RuntimeError: ` is
// what Python calls every error of libtorch, so it says nothing; other types in front of a message stay.
#pragma once

#include <string>
#include <string_view>

namespace culprit::backend {

/// One line without line breaks; empty if the message is. Backtraces and the source that tracebacks show are
/// left out.
std::string EssentialLine(std::string_view message);

}  // namespace culprit::backend
