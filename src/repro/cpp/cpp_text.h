// SPDX-License-Identifier: Apache-2.0
//
// A repro as a C++ program of its own, which needs nothing but libtorch:
//
//   main.cc           the graph as one line per node, the inputs, the settings of the run
//   CMakeLists.txt    for the libtorch of a Python environment, or one that is unpacked somewhere
//   store/            the contents of large tensors, if there are any
//
// Data goes where it goes in a repro for Python (write_repro.h); where only shapes are kept, numbers come
// from a seed. The program prints one line per output: its dtype, its sizes, the 64-bit FNV-1a hash of its
// bytes in row-major order, and its first 8 values.
//
//   output 0: Float [2, 3] 8e0b5f2a70f4f8d1: 1.5 2 3 4 5 6
//
// A sparse output is two lines (.indices and .values), a quantised one two (its integers and .dequantized), a
// list one per element (.0, .1 ...); what is no tensor is "int 3", "float 0.5", "bool 1" or "None".
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "repro/repro.h"
#include "repro/write_repro.h"

namespace culprit::repro {

struct CppProject {
  std::string main;
  std::string cmake_lists;
  /// Inputs and constants that hold other numbers than they did.
  std::vector<std::string> random;
};

/// Large tensors are in the store at `store_path` afterwards, if the options say so.
base::Result<CppProject> ConvertToCpp(const Repro& repro, const WriteOptions& options,
                                      const std::string& store_path);

/// Makes the folder, and writes the data first and main.cc last: whoever finds that finds a whole project.
base::Result<CppProject> WriteCppProject(const std::string& folder, const Repro& repro,
                                         const WriteOptions& options = {});

}  // namespace culprit::repro
