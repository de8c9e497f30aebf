// SPDX-License-Identifier: Apache-2.0
//
// An error message as it is compared: without what changes when a graph shrinks or runs again elsewhere.
// Words, operators and dtypes stay.
//
//   mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)    (NxN and NxN)
//   shape '[7, 2]' is invalid for input of size 6              '[N]' ... size N: lists of any length are
//   alike Expected 3D (unbatched) or 4D (batched) input to conv2d    ND, ND; conv2d is a word index 9 is out
//   of bounds, the 2nd of 1e-05                 N, Nth
//   ... FAILED at "./aten/src/ATen/native/Foo.cpp":45          Foo.cpp:N, since it may be all that is said
//   cannot open /tmp/tmpx3k2/a.so, /data/a.pt               PATH
//   at 0x7ffd1234, see https://pytorch.org/docs                ADDRESS, URL
//   found values tensor([1., 2.])                              tensor(...)
//
// Only the line that says what happened is kept (backend/failure/essential_line.h), and of that what a person
// reads. Applied twice it changes nothing more.
#pragma once

#include <string>
#include <string_view>

namespace culprit::backend {

/// One line of printable UTF-8 of at most kLongestMessage bytes.
std::string NormalizeMessage(std::string_view message);

constexpr size_t kLongestMessage = 400;

}  // namespace culprit::backend
