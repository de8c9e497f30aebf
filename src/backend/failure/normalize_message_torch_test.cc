// SPDX-License-Identifier: Apache-2.0
//
// On what libtorch really says: every message is provoked twice, with other numbers, and has to become the
// same text.
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "backend/failure/normalize_message.h"
#include "graph/run/interpreter.h"
#include "graph/tensors/torch_error.h"
#include "tests/lib/graph_builder.h"

namespace culprit::backend {
namespace {

using tests::TestGraph;

/// Tensors of the graph under test. `v` is 0 the first time and 1 the second.
class Tensors {
 public:
  Tensors(TestGraph& graph, int64_t v) : v(v), graph_(graph) {}

  graph::ValueId F(at::IntArrayRef sizes) { return Add(at::ones(sizes)); }
  graph::ValueId Of(at::IntArrayRef sizes, double value, at::ScalarType dtype) {
    return Add(at::full(sizes, value, at::TensorOptions(dtype)));
  }

  const int64_t v;

 private:
  graph::ValueId Add(at::Tensor tensor) {
    return graph_.Constant(fmt::format("c{}", graph_.graph().constants().size()), std::move(tensor));
  }

  TestGraph& graph_;
};

struct Case {
  const char* expected;
  void (*call)(TestGraph& g, Tensors& t);
};

constexpr at::ScalarType kLong = at::kLong;

const Case kCases[] = {
    {"The size of tensor a (N) must match the size of tensor b (N) at non-singleton dimension N",
     [](auto& g, auto& t) {
       g.Call("aten::add.Tensor", {t.F({2, 3}), t.F({4 + t.v, 5 + t.v})});
     }},
    {"mat1 and mat2 shapes cannot be multiplied (NxN and NxN)",
     [](auto& g, auto& t) {
       g.Call("aten::mm", {t.F({t.v, 3}), t.F({4, 5})});
     }},
    {"mat2 must be a matrix",
     [](auto& g, auto& t) {
       g.Call("aten::mm", {t.F({2, 3}), t.F({4 + t.v})});
     }},
    {"expected m1 and m2 to have the same dtype, but got: float != double",
     [](auto& g, auto& t) {
       g.Call("aten::mm", {t.F({2 + t.v, 3}), t.Of({3, 3}, 1, at::kDouble)});
     }},
    {"Expected size for first two dimensions of batch2 tensor to be: [N] but got: [N].",
     [](auto& g, auto& t) {
       g.Call("aten::bmm", {t.F({2, 3, 4 + t.v}), t.F({2, 6, 6})});
     }},
    {"shape '[N]' is invalid for input of size N",
     [](auto& g, auto& t) {
       t.v == 0 ? g.Call("aten::view", {t.F({2, 3}), {7}}) : g.Call("aten::view", {t.F({2, 4}), {3, 3}});
     }},
    {"view size is not compatible with input tensor's size and stride (at least one dimension spans across "
     "two contiguous subspaces). Use .reshape(...) instead.",
     [](auto& g, auto& t) {
       g.Call("aten::view", {g.Call("aten::t", {t.F({4, 3 + t.v})}), {12 + 4 * t.v}});
     }},
    {"Sizes of tensors must match except in dimension N. Expected size N but got size N for tensor number N "
     "in the list.",
     [](auto& g, auto& t) {
       g.Call("aten::cat", {{t.F({2, 3}), t.F({4, 5 + t.v})}, t.v - 2});
     }},
    {"stack expects each tensor to be equal size, but got [N] at entry N and [N] at entry N",
     [](auto& g, auto& t) {
       g.Call("aten::stack", {{t.F({2, 3}), t.F({4, 5 + t.v})}, 0});
     }},
    {"Given groups=N, weight of size [N], expected input[N] to have N channels, but got N channels instead",
     [](auto& g, auto& t) {
       g.Call("aten::conv2d", {t.F({1, 3, 8, 8}), t.F({4, 5 + t.v, 3, 3})});
     }},
    {"Calculated padded input size per channel: (N x N). Kernel size: (N x N). Kernel size can't be greater "
     "than actual input size",
     [](auto& g, auto& t) {
       g.Call("aten::conv2d", {t.F({1, 3, 2, 2}), t.F({4, 3, 3 + t.v, 3})});
     }},
    {"Expected ND (unbatched) or ND (batched) input to conv2d, but got input of size: [N]",
     [](auto& g, auto& t) {
       g.Call("aten::conv2d", {t.F({3, 8 + t.v}), t.F({4, 3, 3, 3})});
     }},
    {"index out of range in self",
     [](auto& g, auto& t) {
       g.Call("aten::index_select", {t.F({4}), 0, t.Of({1}, 9. + t.v, kLong)});
     }},
    {"index_select(): Expected dtype int32 or int64 for index",
     [](auto& g, auto& t) {
       g.Call("aten::index_select", {t.F({4}), 0, t.F({2 + t.v})});
     }},
    {"index N is out of bounds for dimension N with size N",
     [](auto& g, auto& t) {
       g.Call("aten::gather", {t.F({4}), 0, t.Of({1}, 9. + t.v, kLong)});
     }},
    {"select(): index N out of range for tensor of size [N] at dimension N",
     [](auto& g, auto& t) {
       t.v == 0 ? g.Call("aten::select.int", {t.F({4}), 0, 9})
                : g.Call("aten::select.int", {t.F({3, 4}), 1, -9});
     }},
    {"Dimension out of range (expected to be in range of [N], but got N)",
     [](auto& g, auto& t) {
       g.Call("aten::transpose.int", {t.F({4, 2}), 0, 5 - 10 * t.v});
     }},
    {"The expanded size of the tensor (N) must match the existing size (N) at non-singleton dimension N. "
     "Target sizes: [N]. Tensor sizes: [N]",
     [](auto& g, auto& t) {
       g.Call("aten::expand", {t.F({4, 2}), {3 + t.v, 3}});
     }},
    {"ZeroDivisionError",
     [](auto& g, auto& t) {
       g.Call("aten::floor_divide", {t.Of({1 + t.v}, 1, kLong), t.Of({1}, 0, kLong)});
     }},
    {"a Tensor with N elements cannot be converted to Scalar",
     [](auto& g, auto& t) { g.Call("aten::item", {t.F({4 + t.v})}); }},
    {"linalg.inv: The diagonal element N is zero, the inversion could not be completed because the input "
     "matrix is singular.",
     [](auto& g, auto& t) {
       g.Call("aten::linalg_inv", {t.F({2 + t.v, 2 + t.v})});
     }},
    {"linalg.cholesky: The factorization could not be completed because the input is not positive-definite "
     "(the leading minor of order N is not positive-definite).",
     [](auto& g, auto& t) {
       g.Call("aten::linalg_cholesky", {t.Of({3 + t.v, 3 + t.v}, -1, at::kFloat)});
     }},
    {"[enforce fail at alloc_cpu.cpp:N] err == N. DefaultCPUAllocator: can't allocate memory: you tried to "
     "allocate N bytes. Error code N (Cannot allocate memory)",
     [](auto& g, auto& t) { g.Call("aten::empty.memory_format", {{(t.v + 1) << 46}}); }},
    {"Storage size calculation overflowed with sizes=[N]",
     [](auto& g, auto& t) {
       t.v == 0 ? g.Call("aten::empty.memory_format", {{int64_t{1} << 62}})
                : g.Call("aten::empty.memory_format", {{int64_t{1} << 61, 4}});
     }},
    {"zeros: Dimension size must be non-negative.",
     [](auto& g, auto& t) { g.Call("aten::zeros", {{-1 - t.v}}); }},
    {"Expected p_in >= N && p_in <= N to be true, but got false. (Could this error message be improved? If "
     "so, please report an enhancement request to PyTorch.)",
     [](auto& g, auto& t) { g.Call("aten::bernoulli", {t.Of({3 + t.v}, 2, at::kFloat)}); }},
    {"normal expects std >= N, but found std N",
     [](auto& g, auto& t) {
       g.Call("aten::normal.Tensor_float", {t.F({3}), -1.5 - t.v});
     }},
    {"Given input size: (NxNxN). Calculated output size: (NxNxN). Output size is too small",
     [](auto& g, auto& t) {
       g.Call("aten::max_pool2d", {t.F({1, 1, 2, 2 + t.v}), {5, 5}});
     }},
    {"pad should be at most half of effective kernel size, but got pad=N, kernel_size=N and dilation=N",
     [](auto& g, auto& t) {
       g.Call("aten::avg_pool2d", {t.F({1, 1, 2, 2}), {2, 2}, {2, 2}, {2 + t.v, 2 + t.v}});
     }},
    {"Given normalized_shape=[N], expected input with shape [*, N], but got input of size[N]",
     [](auto& g, auto& t) {
       g.CallAll("aten::native_layer_norm", {t.F({2, 3}), {4 + t.v}, nullptr, nullptr, 1e-5});
     }},
    {"weight should contain N elements not N",
     [](auto& g, auto& t) {
       g.Call("aten::batch_norm",
              {t.F({2, 3}), t.F({4 + t.v}), nullptr, nullptr, nullptr, true, .1, 1e-5, false});
     }},
    {"Target N is out of bounds.",
     [](auto& g, auto& t) {
       g.Call("aten::nll_loss", {t.F({2, 3}), t.Of({2}, 9. + t.v, kLong)});
     }},
    {"size mismatch (got input: [N], target: [N])",
     [](auto& g, auto& t) {
       g.Call("aten::nll_loss", {t.F({2, 3}), t.Of({3 + t.v}, 0, kLong)});
     }},
    {R"("bitwise_and_cpu" not implemented for 'Float')",
     [](auto& g, auto& t) {
       g.Call("aten::bitwise_and.Tensor", {t.F({2 + t.v}), t.F({1})});
     }},
    {R"("softmax_lastdim_kernel_impl" not implemented for 'Long')",
     [](auto& g, auto& t) {
       g.Call("aten::_softmax", {t.Of({1 + t.v}, 1, kLong), 0, false});
     }},
    {"result type Float can't be cast to the desired output type Long",
     [](auto& g, auto& t) {
       g.Call("aten::add_.Tensor", {t.Of({1 + t.v}, 1, kLong), t.F({1})});
     }},
    {"mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
     "Got: Long",
     [](auto& g, auto& t) { g.Call("aten::mean", {t.Of({1 + t.v}, 1, kLong)}); }},
    {"dropout probability has to be between N and N, but got N",
     [](auto& g, auto& t) {
       g.Call("aten::dropout", {t.F({3}), 2.5 + t.v, true});
     }},
    {"pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, "
     "but input.size(N)=N is not divisible by N",
     [](auto& g, auto& t) {
       g.Call("aten::pixel_shuffle", {t.F({1, 3, 2, 2}), 2 + t.v});
     }},
    {"setStorage: sizes [N], strides [N], storage offset N, and itemsize N requiring a storage size of N are "
     "out of bounds for storage of size N",
     [](auto& g, auto& t) {
       t.v == 0 ? g.Call("aten::as_strided", {t.F({3}), {5}, {1}})
                : g.Call("aten::as_strided", {t.F({3}), {5, 2}, {1, 1}});
     }},
    {"split_with_sizes expects split_sizes to sum exactly to N (input tensor's size at dimension N), but got "
     "split_sizes=[N]",
     [](auto& g, auto& t) {
       g.Call("aten::split_with_sizes", {t.F({3 + t.v}), {1, 1}});
     }},
    {"start (N) + length (N) exceeds dimension size (N).",
     [](auto& g, auto& t) {
       g.Call("aten::narrow", {t.F({3}), 0, 1, 7 + t.v});
     }},
    {"Input and output sizes should be greater than N, but got input (H: N, W: N) output (H: N, W: N)",
     [](auto& g, auto& t) {
       g.Call("aten::upsample_bilinear2d", {t.F({1, 1, 2, 2 + t.v}), {0, 0}, false, nullptr, nullptr});
     }},
    {"Boolean inputs not supported for relu",
     [](auto& g, auto& t) { g.Call("aten::relu", {t.Of({1 + t.v}, 1, at::kBool)}); }},
    {"inconsistent tensor size, expected tensor [N] and src [N] to have the same number of elements, but got "
     "N and N elements respectively",
     [](auto& g, auto& t) {
       g.Call("aten::dot", {t.F({2}), t.F({3 + t.v})});
     }},
    {"Could not run 'aten::mkldnn_linear' with arguments from the 'CPU' backend",
     [](auto& g, auto& t) {
       g.Call("aten::mkldnn_linear", {t.F({2, 3}), t.F({2 + t.v, 3})});
     }},
    {"ScalarType Float is not supported in new_qtensor.",
     [](auto& g, auto& t) {
       g.Call("aten::quantize_per_tensor", {t.F({2 + t.v, 3}), 0.1, 0, at::kFloat});
     }},
};

std::string RawMessage(const Case& one, int64_t v) {
  TestGraph graph;
  Tensors tensors(graph, v);
  one.call(graph, tensors);
  try {
    graph::Interpreter(graph.graph()).Run({});
  } catch (const std::exception& error) {
    return graph::TorchMessage(error);
  }
  return "nothing was thrown";
}

TEST(NormalizeMessageTorchTest, MessagesOfOperatorsDoNotDependOnSizes) {
  EXPECT_GE(std::size(kCases), 40u);
  for (const Case& one : kCases) {
    EXPECT_EQ(NormalizeMessage(RawMessage(one, 0)), one.expected);
    EXPECT_EQ(NormalizeMessage(RawMessage(one, 1)), one.expected);
  }
}

TEST(NormalizeMessageTorchTest, NormalMessagesStayAsTheyAre) {
  for (const Case& one : kCases) EXPECT_EQ(NormalizeMessage(one.expected), one.expected);
}

TEST(NormalizeMessageTorchTest, DifferentFailuresStayDifferent) {
  std::set<std::string> texts;
  for (const Case& one : kCases) texts.insert(NormalizeMessage(RawMessage(one, 0)));
  EXPECT_EQ(texts.size(), std::size(kCases));
}

}  // namespace
}  // namespace culprit::backend
