// SPDX-License-Identifier: Apache-2.0
//
// One TorchScript expression, run on real tensors and on their fakes, and all that is known of tensors
// afterwards, as text:
//
//   RunReal({{"f32[2,3]", "f32[3]"}, "a.add_(b)"})   =>   a: Float[2, 3] strides [3, 1] +0 of 24 bytes on cpu
//                                                        b: Float[3] strides [1] +0 of 12 bytes on cpu
//                                                        result: Float[2, 3] ... is a
//
// Inputs are called a, b, c ... A shape may be followed by how the tensor lies and what it is: cl and cl3
// (channels last, of images and volumes), t (first two dimensions swapped), step (every second of the last
// dimension), g (wants a gradient). Text with a `return` is the body of the function instead.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "graph/fake/mode.h"

namespace culprit::tests {

struct Row {
  std::vector<std::string> inputs;
  std::string expression;
};

std::ostream& operator<<(std::ostream& stream, const Row& row);

/// What a run gives that throws anything.
constexpr const char* kThrows = "throws";

/// All ones, which every operator can take: as number, divisor and index.
at::Tensor MakeInput(const std::string& text);

/// Describes tensors; remembers them by what they are called, to say which ones later ones share memory with.
class TensorLog {
 public:
  void Add(const std::string& name, const c10::IValue& value);
  std::string text() const { return text_.str(); }

 private:
  std::string Describe(const at::Tensor& tensor) const;

  std::ostringstream text_;
  std::vector<std::pair<std::string, at::Tensor>> known_;
};

std::string RunReal(const Row& row);
std::string RunFake(const Row& row, graph::fake::World& world);

/// Every expression on every input.
std::vector<Row> EachWith(const std::vector<std::string>& inputs,
                          const std::vector<std::string>& expressions);

/// Rows that throw on real tensors are a failure too, except in the last.
void ExpectSame(const std::vector<Row>& rows);
void ExpectSameWithoutFallback(const std::vector<Row>& rows);
void ExpectBothThrow(const std::vector<Row>& rows);

}  // namespace culprit::tests
