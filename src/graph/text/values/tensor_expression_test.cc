// SPDX-License-Identifier: Apache-2.0
#include "graph/text/values/tensor_expression.h"

#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <sstream>

#include "graph/ir/graph.h"
#include "tests/lib/expression_text.h"

namespace culprit::graph::text {
namespace {

constexpr size_t kMaxBytes = 1 << 20;

base::Result<TensorLiteral> Evaluate(const std::string& text) {
  const tests::ParsedExpression parsed(text);
  return EvaluateTensor(parsed.source(), parsed.arena(), parsed.id(), {.max_bytes = kMaxBytes});
}

at::Tensor TensorOf(const std::string& text) {
  return Evaluate(text)->tensor;
}

/// "Float[2, 3]"
std::string TypeOf(const std::string& text) {
  const at::Tensor tensor = TensorOf(text);
  std::ostringstream type;
  type << tensor.scalar_type() << tensor.sizes();
  return type.str();
}

std::string ErrorOf(const std::string& text) {
  const base::Result<TensorLiteral> tensor = Evaluate(text);
  return tensor.ok() ? "no error"
                     : std::to_string(tensor.error().place.column) + ": " + tensor.error().message;
}

TEST(EvaluateTensor, DataHasTheSizesOfItsNesting) {
  EXPECT_EQ(TypeOf("torch.tensor(2.5)"), "Float[]");
  EXPECT_EQ(TypeOf("torch.tensor([])"), "Float[0]");
  EXPECT_EQ(TypeOf("torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])"), "Float[2, 3]");
  EXPECT_EQ(TypeOf("tensor([[], []])"), "Float[2, 0]");
  EXPECT_TRUE(SameTensor(TensorOf("torch.tensor([1, -2, 3])"), at::tensor({1, -2, 3}, at::kLong)));
}

TEST(EvaluateTensor, TheDtypeIsWhatTorchWouldChoose) {
  EXPECT_EQ(TypeOf("torch.tensor([True, False])"), "Bool[2]");
  EXPECT_EQ(TypeOf("torch.tensor([True, 2])"), "Long[2]");
  EXPECT_EQ(TypeOf("torch.tensor([True, 2, 3.0])"), "Float[3]");
  EXPECT_EQ(TypeOf("torch.tensor([1.0, 2j])"), "ComplexFloat[2]");
  EXPECT_EQ(TypeOf("torch.tensor([1, 2], dtype=torch.float64)"), "Double[2]");
}

TEST(EvaluateTensor, LargeIntegersKeepTheirBits) {
  EXPECT_EQ(TensorOf("torch.tensor(9223372036854775807)").item<int64_t>(), INT64_MAX);
  EXPECT_EQ(TensorOf("torch.tensor([-9223372036854775808])").item<int64_t>(), INT64_MIN);
}

TEST(EvaluateTensor, ViewsOfTheDataAreMade) {
  EXPECT_EQ(TypeOf("torch.tensor([1.0, 2.0, 3.0, 4.0]).reshape((2, 2))"), "Float[2, 2]");
  const at::Tensor strided = TensorOf("torch.tensor([1.0, 2.0, 3.0, 4.0]).as_strided((2, 2), (1, 2), 0)");
  EXPECT_TRUE(SameTensor(strided, at::tensor({1.0F, 2.0F, 3.0F, 4.0F}).reshape({2, 2}).t()));
  const at::Tensor bits = TensorOf("torch.tensor([1065353216], dtype=torch.int32).view(torch.float32)");
  EXPECT_TRUE(SameTensor(bits, at::tensor({1.0F})));
}

TEST(EvaluateTensor, TheDeviceIsNotedAndTheDataStaysOnTheCpu) {
  for (const char* text :
       {"torch.tensor(1.0, device='cuda:0')", "torch.tensor(1.0).cuda()", "torch.tensor(1.0).to('cuda:0')",
        "torch.tensor(1.0, device=device(type='cuda', index=0))"}) {
    const base::Result<TensorLiteral> literal = Evaluate(text);
    EXPECT_EQ(literal->device, at::Device(at::kCUDA, 0)) << text;
    EXPECT_TRUE(literal->tensor.is_cpu()) << text;
  }
  EXPECT_EQ(Evaluate("torch.tensor(1.0)")->device, at::Device(at::kCPU));
}

TEST(EvaluateTensor, ZerosAndOnesAreKnownData) {
  EXPECT_TRUE(SameTensor(TensorOf("torch.ones([2], dtype=torch.int64)"), at::tensor({1, 1}, at::kLong)));
  EXPECT_TRUE(SameTensor(TensorOf("torch.zeros(2)"), at::tensor({0.0F, 0.0F})));
  EXPECT_FALSE(Evaluate("torch.zeros([2])")->is_random);
}

TEST(EvaluateTensor, DataThatIsNotThereIsMadeUpTheSameWayEveryTime) {
  EXPECT_TRUE(Evaluate("torch.randn([50])")->is_random);
  EXPECT_TRUE(SameTensor(TensorOf("torch.randn([50])"), TensorOf("torch.randn([50])")));
  EXPECT_GT(TensorOf("torch.randn([50], dtype=torch.float64).cuda()").std().item<double>(), 0.5);
  EXPECT_LT(TensorOf("torch.rand([50])").max().item<double>(), 1);
  EXPECT_EQ(TypeOf("torch.randint(0, 5, size=[3])"), "Long[3]");
  EXPECT_TRUE(Evaluate("torch.empty([3])")->is_random);
}

TEST(EvaluateTensor, RaggedListsAreRefused) {
  EXPECT_EQ(ErrorOf("torch.tensor([[1, 2], [3]])"), "23: expected equally long lists of numbers");
  EXPECT_EQ(ErrorOf("torch.tensor([1, [2]])"), "18: expected equally long lists of numbers");
  EXPECT_EQ(ErrorOf("torch.tensor([[1], 2])"), "20: expected equally long lists of numbers");
  EXPECT_EQ(ErrorOf("torch.tensor(['a'])"), "15: expected equally long lists of numbers");
}

TEST(EvaluateTensor, NumbersMustFitTheDtype) {
  EXPECT_EQ(ErrorOf("torch.tensor([1.5], dtype=torch.int64)"), "1: a number does not fit dtype torch.int64");
  EXPECT_EQ(ErrorOf("torch.tensor([2j], dtype=torch.float32)"),
            "1: a number does not fit dtype torch.float32");
  EXPECT_EQ(ErrorOf("torch.tensor([1], dtype=torch.float99)"),
            "25: unknown dtype 'torch.float99', did you mean 'torch.float16'?");
  EXPECT_EQ(ErrorOf("torch.tensor([1], dtype=torch.qint8)"),
            "1: a tensor of torch.qint8 cannot be made from numbers");
  EXPECT_EQ(ErrorOf("torch.tensor([1], dtype=torch.uint4)"),
            "1: a tensor of torch.uint4 cannot be made from numbers");
  EXPECT_EQ(ErrorOf("torch.ones(3, dtype=torch.float4_e2m1fn_x2)"),
            "1: a tensor of torch.float4_e2m1fn_x2 cannot be made from numbers");
  EXPECT_EQ(ErrorOf("torch.randn(3, dtype=torch.float8_e5m2)"),
            "1: a tensor of torch.float8_e5m2 cannot be made from numbers");
}

TEST(EvaluateTensor, SizesMustMakeSense) {
  EXPECT_EQ(ErrorOf("torch.zeros([-1])"), "13: size -1 is negative");
  EXPECT_EQ(ErrorOf("torch.zeros('a')"), "13: expected a list of sizes");
  EXPECT_EQ(ErrorOf("torch.zeros([1024, 1024])"), "1: a constant of more than 1.0 MiB");
  EXPECT_EQ(ErrorOf("torch.zeros([4294967296, 4294967296])"), "1: a constant of more than 1.0 MiB");
}

TEST(EvaluateTensor, ViewsStayInsideTheData) {
  EXPECT_EQ(ErrorOf("torch.tensor([1.0, 2.0]).as_strided((3,), (1,), 0)"),
            "26: as_strided reaches beyond the data");
  EXPECT_EQ(ErrorOf("torch.tensor([1.0, 2.0]).as_strided((2,), (1,), 1)"),
            "26: as_strided reaches beyond the data");
  EXPECT_EQ(ErrorOf("torch.tensor([1.0, 2.0]).as_strided((2,), (1, 1), 0)"),
            "26: as_strided reaches beyond the data");
  EXPECT_EQ(ErrorOf("torch.tensor([1.0]).as_strided((1048577,), (0,), 0)"),
            "21: a constant of more than 1.0 MiB");
  EXPECT_EQ(ErrorOf("torch.tensor([1.0]).reshape((2, 2))"),
            "21: reshape fails: shape '[2, 2]' is invalid for input of size 1");
}

TEST(EvaluateTensor, NothingElseIsEvaluated) {
  for (const char* text : {"torch.load('x.pt')", "x", "torch.tensor()", "torch.full([2], 1)"})
    EXPECT_EQ(ErrorOf(text), "1: this does not make a tensor constant that is known") << text;
  EXPECT_EQ(ErrorOf("torch.tensor(1.0).numpy()"), "19: this does not make a tensor constant that is known");
}

}  // namespace
}  // namespace culprit::graph::text
