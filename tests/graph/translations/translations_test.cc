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

#include "graph/interpreter.h"
#include "graph/text/script.h"
#include "graph/verify.h"
#include "tests/graph/translations/cases_aten.h"
#include "tests/graph/translations/cases_attention.h"
#include "tests/graph/translations/cases_normalization.h"
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
  EXPECT_EQ(
      ErrorOf(R"(
              y = torch.ops.aten.squeeze.dims(x, [1, -2])
              return (y,))")
          .Render(),
      R"(case.py:3:13: error: the order of dimensions [1, -2] depends on the rank of the tensor, which is not known here
    y = torch.ops.aten.squeeze.dims(x, [1, -2])
        ^
  note: this is about how aten::squeeze.dims is expressed with operators of libtorch 1.13)");
}

TEST(TranslationErrors, NameAMissingArgument) {
  EXPECT_EQ(ErrorOf(R"(
              y = torch.ops.prims.convert_element_type.default(x)
              return (y,))")
                .message,
            "argument 'dtype' of prims::convert_element_type is missing");
}

TEST(TranslationErrors, NoRowForTheseArguments) {
  EXPECT_EQ(
      ErrorOf(R"(
              y = torch.ops.prims.inductor_random.default([3], x, 'gamma')
              return (y,))")
          .message,
      "torch.ops.prims.inductor_random.default with these arguments has no translation to libtorch 1.13");
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

std::string NameOf(const testing::TestParamInfo<TranslationCase>& info) {
  return std::string(info.param.name);
}

INSTANTIATE_TEST_SUITE_P(Prims, TranslatedOperator, testing::ValuesIn(kPrimsCases), NameOf);
INSTANTIATE_TEST_SUITE_P(Normalization, TranslatedOperator, testing::ValuesIn(kNormalizationCases), NameOf);
INSTANTIATE_TEST_SUITE_P(Aten, TranslatedOperator, testing::ValuesIn(kAtenCases), NameOf);
INSTANTIATE_TEST_SUITE_P(Attention, TranslatedOperator, testing::ValuesIn(kAttentionCases), NameOf);

}  // namespace
}  // namespace culprit::graph::text
