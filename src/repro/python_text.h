// SPDX-License-Identifier: Apache-2.0
//
// What makes a repro run under plain Python: the functions that its load_args and constants call, and a main
// part.
//
//   fill(storage, values)     copies numbers into a storage
//   stored(hash, bytes, crc)  bytes of the store beside the file, checked
//   seeded(seed)              a generator
//   piece, sparse, quantized, put     inputs that PyTorch's own reader of arguments has no words for
//
// The main part hands over to PyTorch's run_repro, which compiles. Python that imports the file has a
// function `run` beside it, which loads the arguments with a reader of its own, runs the module as it is
// under the settings of the header and returns what comes out.
#pragma once

#include <string>
#include <string_view>

namespace culprit::repro {

/// The functions that `body`, the rest of the file, calls.
std::string PythonDefinitions(std::string_view body);

std::string_view PythonMain();

}  // namespace culprit::repro
