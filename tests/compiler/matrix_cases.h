// SPDX-License-Identifier: Apache-2.0
//
// How the operators that have a rule are called in the matrix. Most calls follow from the schema: tensors
// are operands, dimensions are the last one, numbers are what their names suggest. The others stand in a
// table, with letters for tensors and words for sizes:
//
//   x y z    operands: [rows, width], or [2, 4, 3, width] if the call is about images
//   d        of the operands' sizes: divisors of integers, neither 0 nor -1
//   m i      Bools and indices below width of the operands' sizes
//   o        a number, as a tensor without dimensions
//   c p      one per channel, of any sign and positive ones
//   w        one per column: [width]
//   s q      one per row, of any sign and positive: [rows, 1]
//   g h      one per image and group of two channels: [2, 2]
//   e b      of an image: with one row instead of three, and with twice as many rows and columns
//   n        of an image: the number of the place in its channel
//   v        [width] indices below rows
//   {W} {W2} {R} {RW} {HW} {dtype}
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/ir/graph.h"
#include "tests/compiler/matrix_tensors.h"

namespace culprit::tests {

struct MatrixCase {
  std::string op;
  /// "x, y, -1".
  std::string arguments;
  bool is_image = false;
};

/// One or more per rule; those whose call nobody knows have no arguments.
std::vector<MatrixCase> MatrixCases();

/// The graph of the call, and which tensors it takes.
struct MatrixGraph {
  graph::Graph graph;
  std::string letters;
};
MatrixGraph MakeGraph(const MatrixCase& each, at::ScalarType dtype, const Layout& layout);

std::vector<c10::IValue> MakeInputs(const MatrixCase& each, const std::string& letters, at::ScalarType dtype,
                                    const Layout& layout, Numbers numbers);

}  // namespace culprit::tests
