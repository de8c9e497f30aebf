// SPDX-License-Identifier: Apache-2.0
//
// Tensors from nothing: filled, counted, drawn at random.
#include "tests/lib/random_graph/operators.h"

namespace culprit::tests {
namespace {

using enum Dtypes;
using graph::Operator;

bool AddSized(GraphMaker& maker, const Operator& op) {
  const Sizes sizes = maker.RandomSizes(0, 3);
  NamedArguments given = {{"size", maker.SizeList(sizes)}};
  if (op.name() == "aten::randint") given.emplace_back("high", Constant(maker.Between(2, 10)));
  return maker.Complete(op, std::move(given), maker.Pick(kReal).tensor);
}

bool AddNewSized(GraphMaker& maker, const Operator& op) {
  const Operand like = maker.Pick(kReal);
  return maker.Complete(op, {{"self", like}, {"size", maker.SizeList(maker.RandomSizes(0, 3))}}, like.tensor);
}

bool AddRange(GraphMaker& maker, const Operator& op) {
  const bool integral = maker.Chance(60);
  const auto number = [&](int64_t low, int64_t high) {
    return integral ? Constant(maker.Between(low, high))
                    : Constant(static_cast<double>(maker.Between(low, high)) + 0.25);
  };
  NamedArguments given = {{"start", number(-3, 1)}, {"end", number(2, 8)}, {"dtype", None()}};
  if (op.name() == "aten::arange") given.emplace_back("step", number(1, 2));
  if (op.name() != "aten::arange") given.emplace_back("steps", Constant(maker.Between(0, 6)));
  return maker.Complete(op, std::move(given), at::Tensor());
}

bool AddEye(GraphMaker& maker, const Operator& op) {
  return maker.Call(op, {{"n", Constant(maker.Between(1, 4))},
                         {"m", Constant(maker.Between(1, 4))},
                         {"dtype", Constant(static_cast<int64_t>(maker.Choice({at::kFloat, at::kLong})))},
                         {"device", Constant(c10::Device(c10::kCPU))}});
}

bool AddScalarTensor(GraphMaker& maker, const Operator& op) {
  const Operand about = maker.Pick(kReal);
  return maker.Complete(op, {}, about.tensor);
}

bool AddRandperm(GraphMaker& maker, const Operator& op) {
  return maker.Call(op, {{"n", maker.SizeList({maker.Between(0, 5)}).list()[0]},
                         {"device", Constant(c10::Device(c10::kCPU))}});
}

bool AddTriangle(GraphMaker& maker, const Operator& op) {
  return maker.Call(op, {{"row", Constant(maker.Between(1, 4))},
                         {"col", Constant(maker.Between(1, 4))},
                         {"offset", Constant(maker.Between(-1, 1))}});
}

bool AddDropout(GraphMaker& maker, const Operator& op) {
  const Operand input = maker.Pick(kFloating);
  const char* name = op.name() == "aten::feature_dropout" || op.name() == "aten::dropout" ||
                             op.name() == "aten::native_dropout"
                         ? "input"
                         : "self";
  return maker.Complete(op, {{name, input}}, input.tensor);
}

bool AddRandintLike(GraphMaker& maker, const Operator& op) {
  const Operand like = maker.Pick(kReal);
  return maker.Complete(op, {{"self", like}, {"high", Constant(maker.Between(1, 9))}, {"dtype", None()}},
                        like.tensor);
}

bool AddWindow(GraphMaker& maker, const Operator& op) {
  return maker.Complete(op, {{"window_length", Constant(maker.Between(1, 6))}, {"dtype", None()}},
                        at::Tensor());
}

constexpr OperatorRow kRows[] = {
    {"aten::arange.start_step", AddRange},
    {"aten::bernoulli.p", AddDropout},
    {"aten::dropout", AddDropout},
    {"aten::eye.m", AddEye},
    {"aten::full",
     [](GraphMaker& maker, const Operator& op) {
       const Operand about = maker.Pick(kReal);
       return maker.Complete(op, {{"size", maker.SizeList(maker.RandomSizes(0, 3))}}, about.tensor);
     }},
    {"aten::full_like", One<kReal>},
    {"aten::hann_window", AddWindow},
    {"aten::linspace", AddRange},
    {"aten::logspace", AddRange},
    {"aten::native_dropout", AddDropout},
    {"aten::new_full", AddNewSized},
    {"aten::new_ones", AddNewSized},
    {"aten::new_zeros", AddNewSized},
    {"aten::ones", AddSized},
    {"aten::ones_like", One<kAny>},
    {"aten::rand", AddSized},
    {"aten::rand_like", One<kFloating>},
    {"aten::randint", AddSized},
    {"aten::randint_like", AddRandintLike},
    {"aten::randn", AddSized},
    {"aten::randn_like", One<kFloating>},
    {"aten::randperm", AddRandperm},
    {"aten::scalar_tensor", AddScalarTensor},
    {"aten::tril_indices", AddTriangle},
    {"aten::triu_indices", AddTriangle},
    {"aten::zeros", AddSized},
    {"aten::zeros_like", One<kAny>},
};

}  // namespace

std::span<const OperatorRow> FactoryOperators() {
  return kRows;
}

}  // namespace culprit::tests
