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
// What the main part does depends on the compiler that the file names:
//
//   one that Python can call    shows the failure: the same calls in eager and compiled, compared
//   another one                 runs it in eager, and says how to see the failure
//   none                        hands over to PyTorch's run_repro, which compiles
//
// Python that imports the file has a function `run`, which loads the arguments with a reader of its own, runs
// the module as it is under the settings of the header and returns what comes out.
#pragma once

#include <string>
#include <string_view>

namespace culprit::repro {

/// The functions that `body`, the rest of the file, calls.
std::string PythonDefinitions(std::string_view body);

/// `compiled` is Python code that defines a function of this name: from the arguments to what can be called
/// with them. It says as attributes how many calls it takes until the compiler has done all it does, and
/// which arguments it has made constants of.
std::string CompilingMain(std::string_view compiled);
std::string EagerMain(std::string_view failing_command);
std::string_view HandOverMain();

}  // namespace culprit::repro
