// SPDX-License-Identifier: Apache-2.0
//
// Runs the cases of tests/graph/translations/cases*.h: both texts are read, run, and their outputs compared.
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "graph/ir/verify.h"
#include "graph/run/interpreter.h"
#include "graph/text/script/script.h"
#include "tests/graph/translations/cases_attention.h"
#include "tests/graph/translations/cases_collectives.h"
#include "tests/graph/translations/cases_cuda_only.h"
#include "tests/graph/translations/cases_prims.h"

namespace culprit::graph::text {
namespace {

struct Input {
  std::string name;
  at::Tensor tensor;
};

at::Tensor MakeTensor(const std::string& type, const std::vector<int64_t>& sizes, bool positive) {
  if (type == "b8") return at::rand(sizes).lt(0.5);
  if (type.starts_with("i64<")) return at::randint(std::stoll(type.substr(4)), sizes, at::kLong);
  const at::Tensor numbers = at::randn(sizes);
  return positive ? numbers.abs().add(0.5) : numbers;
}

// "x f32 2 3; v f32 3 positive"
std::vector<Input> MakeInputs(std::string_view text) {
  std::vector<Input> inputs;
  std::istringstream specs{std::string(text)};
  for (std::string spec; std::getline(specs, spec, ';');) {
    std::istringstream words(spec);
    Input input;
    std::string type;
    words >> input.name >> type;
    std::vector<int64_t> sizes;
    bool positive = false;
    for (std::string word; words >> word;) {
      if (word == "positive") {
        positive = true;
      } else {
        sizes.push_back(std::stoll(word));
      }
    }
    input.tensor = MakeTensor(type, sizes, positive);
    inputs.push_back(std::move(input));
  }
  return inputs;
}

std::string ScriptOf(std::string_view statements, const std::vector<Input>& inputs) {
  std::string script = "class Repro(torch.nn.Module):\n    def forward(self";
  for (const Input& input : inputs) script += ", " + input.name;
  script += "):\n";
  std::istringstream lines{std::string(statements)};
  for (std::string line; std::getline(lines, line);) {
    const size_t begin = line.find_first_not_of(' ');
    if (begin != std::string::npos) script += "        " + line.substr(begin) + "\n";
  }
  return script;
}

base::Result<std::vector<c10::IValue>> RunText(std::string_view statements, const std::vector<Input>& inputs,
                                               bool for_cpu) {
  const Script script =
      CULPRIT_TRY(ReadScript("case.py", ScriptOf(statements, inputs), {.for_cpu = for_cpu}));
  CULPRIT_TRY(Verify(script.graph));
  std::vector<c10::IValue> values;
  for (const Input& input : inputs) values.emplace_back(input.tensor.clone());
  const c10::NoGradGuard no_grad;
  return Interpreter(script.graph).Run(std::move(values));
}

void ExpectEqual(const c10::IValue& actual, const c10::IValue& expected, double tolerance) {
  ASSERT_EQ(actual.isNone(), expected.isNone());
  if (actual.isNone()) return;
  const at::Tensor a = actual.toTensor();
  const at::Tensor b = expected.toTensor();
  ASSERT_EQ(a.sizes(), b.sizes());
  ASSERT_EQ(a.scalar_type(), b.scalar_type());
  if (a.numel() == 0) return;
  EXPECT_LE(a.to(at::kDouble).sub(b.to(at::kDouble)).abs().max().item<double>(), tolerance);
}

class TranslatedOperator : public testing::TestWithParam<TranslationCase> {};

TEST_P(TranslatedOperator, ComputesWhatTheReferenceDoes) {
  const TranslationCase& one = GetParam();
  const std::vector<Input> inputs = MakeInputs(one.inputs);
  const auto expected = RunText(one.reference, inputs, false);
  ASSERT_TRUE(expected.ok()) << expected.error().Render();
  const auto actual = RunText(one.translated, inputs, one.for_cpu);
  ASSERT_TRUE(actual.ok()) << actual.error().Render();
  ASSERT_EQ(actual->size(), expected->size());
  for (size_t i = 0; i < actual->size(); ++i) {
    SCOPED_TRACE(fmt::format("output {}", i));
    ExpectEqual((*actual)[i], (*expected)[i], one.tolerance);
  }
}

base::Diagnostic ErrorOf(std::string_view statements) {
  const auto result = ReadScript("case.py", ScriptOf(statements, MakeInputs("x f32 1 3 1")));
  return result.ok() ? base::Diagnostic{{}, "no error"} : result.error();
}

TEST(TranslationErrors, PointAtTheCallAndNameTheOperator) {
  EXPECT_EQ(ErrorOf(R"(
              y = torch.ops.prims.broadcast_in_dim.default(x, 3, [0])
              return (y,))")
                .Render(),
            R"(case.py:3:13: error: argument 'shape' must be a list
    y = torch.ops.prims.broadcast_in_dim.default(x, 3, [0])
        ^
  note: this is about how prims::broadcast_in_dim is expressed with operators of libtorch)");
}

TEST(TranslationErrors, NameAMissingArgument) {
  EXPECT_EQ(ErrorOf(R"(
              y = torch.ops.prims.convert_element_type.default(x)
              return (y,))")
                .message,
            "argument 'dtype' of prims::convert_element_type is missing");
}

TEST(TranslationErrors, NoRowForTheseArguments) {
  EXPECT_EQ(ErrorOf(R"(
              y = torch.ops.prims.inductor_random.default([3], x, 'gamma')
              return (y,))")
                .message,
            "torch.ops.prims.inductor_random.default with these arguments has no translation to operators of "
            "libtorch");
}

TEST(TranslationErrors, ACallThatStaysWrongEndsWithLibtorchsComplaint) {
  EXPECT_EQ(ErrorOf(R"(
              y = torch.ops.aten.var.correction(x, 'all', correction = 1.0)
              return (y,))")
                .message,
            "argument 'dim' of aten::var.correction must be int[1]?, not a string");
}

TEST(TranslationErrors, NearNamesAreOffered) {
  EXPECT_EQ(ErrorOf(R"(
              y = torch.ops.aten._scaled_dot_product_flash_atention.default(x, x, x)
              return (y,))")
                .message,
            "unknown operator 'aten::_scaled_dot_product_flash_atention', did you mean "
            "'aten::_scaled_dot_product_flash_attention'?");
}

struct NewerCall {
  std::string_view inputs;
  /// Written as PyTorch writes it, without torch.ops.aten.
  std::string_view call;
};

// Operators that came with PyTorch 2.x, with what libtorch has to accept of their arguments.
constexpr NewerCall kNewerCalls[] = {
    {"x f32 4 5; i i64<4 3", "_unsafe_index.Tensor(x, [i])"},
    {"x f32 4 5; i i64<5 3", "_unsafe_index.Tensor(x, [None, i])"},
    {"x f32 4 5; i i64<4 3; v f32 3 5", "_unsafe_index_put.default(x, [i], v, True)"},
    {"x f32 4 5; i i64<5 6; m b8 6", "_unsafe_masked_index.default(x, m, [None, i], 7.0)"},
    {"x f32 5; i i64<5 6; m b8 6; v f32 6", "_unsafe_masked_index_put_accumulate.default(x, m, [i], v)"},
    {"x f32 1 3 1", "squeeze.dims(x, [0, -1])"},
    {"x f32 3 4", "any.dims(x, [0, 1], True)"},
    {"x f32 3 4", "all.dims(x)"},
    {"x b8 3", "_is_all_true.default(x)"},
    {"",
     "empty_permuted.default([2, 3], [1, 0], dtype = torch.float32, layout = torch.strided, device = "
     "device(type='cpu'), pin_memory = False)"},
    {"m b8 2 2", "nonzero_static.default(m, size = 6, fill_value = -1)"},
    {"x f32 3 4", "_safe_softmax.default(x, -1)"},
    {"x f32 3 4", "_reshape_copy.default(x, [12])"},
    {"x f32 3 4", "_lazy_clone.default(x)"},
    {"x f32 3 4", "var.correction(x, [1], correction = 1.0, keepdim = True)"},
    {"x f32 3 4", "std_mean.correction(x, [0, 1], correction = 0)"},
    {"x f32 2 3 4; w f32 1 3 1", "_prelu_kernel.default(x, w)"},
    {"x f32 3 4; n f32 3 4", "rrelu_with_noise_functional.default(x, n, 0.125, 0.25, True)"},
    {"x f32 2 3; w f32 3; b f32 3; m f32 3; v f32 3 positive",
     "_native_batch_norm_legit_functional.default(x, w, b, m, v, True, 0.1, 1e-05)"},
    {"x f32 2 3; w f32 3; b f32 3; m f32 3; v f32 3 positive",
     "_batch_norm_with_update.default(x, w, b, m, v, 0.1, 1e-05)"},
    {"x f32 2 3", "_native_batch_norm_legit.no_stats(x, None, None, True, 0.1, 1e-05)"},
    {"x f32 2 3 4; w f32 4", "_fused_rms_norm.default(x, [4], w, 1e-05)"},
    {"x f32 2 3 4", "rms_norm.default(x, [3, 4])"},
    {"q f32 2 6 4 8; k f32 2 3 5 8", "scaled_dot_product_attention.default(q, k, k, enable_gqa = True)"},
    {"q f32 2 3 4 8; b f32 2 1 4 4",
     "_scaled_dot_product_flash_attention_for_cpu.default(q, q, q, attn_mask = b, scale = 0.25)"},
    {"x f32 3", "_assert_scalar.default(True, 'text')"},
    {"x f32 1 positive", "_assert_async.msg(x, 'text')"},
    {"x f32 3",
     "_assert_tensor_metadata.default(x, None, None, torch.float32, device = device(type='cpu'), "
     "layout = torch.strided)"},
    {"", "sym_constrain_range_for_size.default(3, min = 0, max = 10)"},
    {"x f32 1 positive; t f32 1", "_functional_assert_async.msg(x, 'text', t)"},
    {"t f32 1", "_functional_sym_constrain_range.default(3, 0, 5, t)"},
    {"", "_make_dep_token.default()"},
};

TEST(NewerOperators, AreReadAsTheyAre) {
  for (const NewerCall& row : kNewerCalls) {
    SCOPED_TRACE(row.call);
    const std::vector<Input> inputs = MakeInputs(row.inputs);
    const std::string statements = fmt::format("y = torch.ops.aten.{}\nreturn (3,)", row.call);
    const auto script = ReadScript("case.py", ScriptOf(statements, inputs), {.for_cpu = true});
    ASSERT_TRUE(script.ok()) << script.error().Render();
    ASSERT_EQ(script->graph.nodes().size(), 1);
    std::string name(row.call.substr(0, row.call.find('(')));
    if (name.ends_with(".default")) name.resize(name.rfind('.'));
    EXPECT_EQ(script->graph.nodes().front().op->qualified_name(), "aten::" + name);
    const auto outputs = RunText(statements, inputs, /*for_cpu=*/true);
    EXPECT_TRUE(outputs.ok()) << outputs.error().Render();
  }
}

// A comparison of sizes is what PyTorch asserts.
TEST(NewerOperators, AssertionsOnSizesHold) {
  const std::vector<Input> inputs = MakeInputs("x f32 3");
  const auto run = [&](std::string_view condition) {
    return RunText(
        fmt::format("n = torch.ops.aten.sym_size.int(x, 0)\nc = n {}\n"
                    "_assert_scalar = torch.ops.aten._assert_scalar.default(c, 'sizes')\nreturn (x,)",
                    condition),
        inputs, /*for_cpu=*/false);
  };
  EXPECT_TRUE(run(">= 3").ok());
  EXPECT_THROW((void)run(">= 4"), c10::Error);
}

std::string NameOf(const testing::TestParamInfo<TranslationCase>& info) {
  return std::string(info.param.name);
}

INSTANTIATE_TEST_SUITE_P(Prims, TranslatedOperator, testing::ValuesIn(kPrimsCases), NameOf);
INSTANTIATE_TEST_SUITE_P(CudaOnly, TranslatedOperator, testing::ValuesIn(kCudaOnlyCases), NameOf);
INSTANTIATE_TEST_SUITE_P(Collectives, TranslatedOperator, testing::ValuesIn(kCollectiveCases), NameOf);
INSTANTIATE_TEST_SUITE_P(Attention, TranslatedOperator, testing::ValuesIn(kAttentionCases), NameOf);

}  // namespace
}  // namespace culprit::graph::text
