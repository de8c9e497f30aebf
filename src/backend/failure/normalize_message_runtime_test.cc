// SPDX-License-Identifier: Apache-2.0
//
// On what libtorch says beyond its operators: autograd, TorchScript with its tracebacks, internal assertions,
// the C++ library.
#include <ATen/ops/ones.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <torch/jit.h>

#include <functional>
#include <stdexcept>

#include "backend/failure/normalize_message.h"
#include "graph/tensors/torch_error.h"

namespace culprit::backend {
namespace {

std::string Normalized(const std::function<void()>& function) {
  try {
    function();
  } catch (const std::exception& error) {
    return NormalizeMessage(graph::TorchMessage(error));
  }
  return "nothing was thrown";
}

at::Tensor Leaf(int64_t size) {
  return at::ones({size}).requires_grad_(true);
}

TEST(NormalizeMessageRuntimeTest, MessagesOfAutograd) {
  for (const int64_t size : {2, 3}) {
    EXPECT_EQ(Normalized([&] { Leaf(size).add_(1); }),
              "a leaf Variable that requires grad is being used in an in-place operation.");
    EXPECT_EQ(Normalized([&] { Leaf(size).exp().backward(); }),
              "grad can be implicitly created only for scalar outputs");
    EXPECT_EQ(Normalized([&] { at::ones({size}).sum().backward(); }),
              "element N of tensors does not require grad and does not have a grad_fn");
    EXPECT_EQ(Normalized([&] { Leaf(size).exp().backward(at::ones({size + 7})); }),
              "invalid gradient at index N - got [N] but expected shape compatible with [N]");
    EXPECT_EQ(
        Normalized([&] {
          const at::Tensor exp = Leaf(size).exp();
          exp.add_(1);
          exp.sum().backward();
        }),
        "one of the variables needed for gradient computation has been modified by an inplace "
        "operation: [CPUFloatType [N]], which is output N of Exp, is at version N; expected "
        "version N instead. Hint: enable anomaly detection to find the operation that failed to compute "
        "its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).");
    EXPECT_EQ(Normalized([&] {
                const at::Tensor sum = Leaf(size).exp().sum();
                sum.backward();
                sum.backward();
              }).substr(0, 55),
              "Trying to backward through the graph a second time (or ");
    EXPECT_EQ(
        Normalized([&] {
          at::Tensor made_in_inference_mode;
          {
            const c10::InferenceMode guard;
            made_in_inference_mode = at::ones({size});
          }
          Leaf(size).mul(made_in_inference_mode);
        }),
        "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference "
        "mode in computation tracked by autograd. To work around this, you can make a clone to get a "
        "normal tensor and use it in autograd, or use `torch.no_grad()` instead of "
        "`torch.inference_mode()`.");
  }
}

std::string OfScript(const std::string& body, std::vector<c10::IValue> arguments) {
  return Normalized([&] {
    const auto unit = torch::jit::compile(body);
    unit->get_function("f")(std::move(arguments));
  });
}

TEST(NormalizeMessageRuntimeTest, TracebacksOfTorchScriptAreLeftOut) {
  const std::string direct = Normalized([] { at::ones({2, 3}).mm(at::ones({4, 5})); });
  const std::string inner = "def g(x, y):\n  z = x + 1\n  return torch.mm(z, y)\n";
  EXPECT_EQ(OfScript("def f(x, y):\n  return torch.mm(x, y)\n", {at::ones({2, 3}), at::ones({4, 5})}),
            direct);
  EXPECT_EQ(OfScript(inner + "def f(x, y):\n  return g(x, y)\n", {at::ones({7, 8}), at::ones({4, 5})}),
            direct);
}

TEST(NormalizeMessageRuntimeTest, MessagesOfTorchScript) {
  EXPECT_EQ(OfScript("def f(i: int):\n  return 5 // i\n", {0}), "division by N");
  EXPECT_EQ(OfScript("def f(i: int):\n  return [1, 2][i]\n", {9}), "list index out of range");
  EXPECT_EQ(OfScript("def f(i: int):\n  return {1: 2}[i]\n", {9}), "KeyError: N");
  EXPECT_EQ(OfScript("def f(i: int):\n  assert i == 0, 'i is {}'.format(i)\n", {9}),
            "AssertionError: i is N");
  EXPECT_EQ(OfScript("def f(s: str):\n  return float(s)\n", {std::string("abc")}), "stod");
  EXPECT_EQ(OfScript("def f(i: int):\n  x: List[int] = []\n  return x.pop(i)\n", {3}), "pop from empty list");
  EXPECT_EQ(OfScript("def f(x):\n  return int(x)\n", {at::ones({3})}),
            "a Tensor with N elements cannot be converted to Scalar");
  EXPECT_EQ(OfScript("def f(x):\n  return torch.nope(x)\n", {at::ones({3})}),
            "Unknown builtin op: aten::nope.");
  EXPECT_EQ(OfScript("def f(x):\n  return x +\n", {at::ones({3})}),
            "expected ident but found 'newline' here:");
  EXPECT_EQ(
      OfScript("def f(x):\n  return x\n", {1}),
      "f() Expected a value of type 'Tensor (inferred)' for argument 'x' but instead found type 'int'.");
}

TEST(NormalizeMessageRuntimeTest, InternalAssertionsKeepTheNameOfTheirFile) {
  EXPECT_EQ(
      Normalized([] { (void)c10::IValue(1).toTuple(); }),
      "isTuple() INTERNAL ASSERT FAILED at \"ivalue_inl.h\":N, please report a bug to PyTorch. Expected "
      "Tuple but got Int");
  EXPECT_EQ(Normalized([] { (void)c10::IValue(1).toDevice(); }),
            "isDevice() INTERNAL ASSERT FAILED at \"ivalue.h\":N, please report a bug to PyTorch.");
  EXPECT_EQ(Normalized([] { TORCH_CHECK_INDEX(false, "index ", 5, " of ", at::ones({2})); }), "index N of N");
}

TEST(NormalizeMessageRuntimeTest, MessagesOfTheCppLibrary) {
  EXPECT_EQ(Normalized([] { throw std::bad_alloc(); }), "std::bad_alloc");
  EXPECT_EQ(Normalized([] { (void)std::vector<int>(3).at(7); }),
            "vector::_M_range_check: __n (which is N) >= this->size() (which is N)");
  EXPECT_EQ(Normalized([] { (void)std::string("abc").substr(7); }),
            "basic_string::substr: __pos (which is N) > this->size() (which is N)");
  EXPECT_EQ(Normalized([] { (void)std::stoi("abc"); }), "stoi");
  EXPECT_EQ(Normalized([] { (void)c10::IValue(1).toTensor(); }), "Expected Tensor but got Int");
}

}  // namespace
}  // namespace culprit::backend
