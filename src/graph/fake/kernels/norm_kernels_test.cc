// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/lib/real_and_fake.h"

namespace culprit::graph::fake {
namespace {

using tests::ExpectBothThrow;
using tests::ExpectSameWithoutFallback;
using tests::Row;

TEST(NormKernels, BatchNorm) {
  const std::string eval = "torch.batch_norm(a, b, c, d, e, False, 0.1, 1e-5, True)";
  const std::string train = "torch.batch_norm(a, b, c, d, e, True, 0.1, 1e-5, True)";
  const std::string native = "torch.native_batch_norm(a, b, c, d, e, ";
  std::vector<Row> rows;
  for (const std::string& image :
       {"f32[2,4,5,5]", "f32[2,4,5,5]:cl", "f32[2,4,5,5]:g", "f32[2,4]", "f32[2,4,5]", "f32[2,4,5]:t",
        "f32[2,4,5,5]:t", "f32[2,4,2,3,3]", "f32[2,4,5,6]:step"}) {
    for (const std::string& call : {eval, train, native + "True, 0.1, 1e-5)", native + "False, 0.1, 1e-5)"}) {
      rows.push_back({{image, "f32[4]:g", "f32[4]", "f32[4]", "f32[4]"}, call});
    }
  }
  rows.push_back({{"bf16[2,4,5,5]:cl", "f32[4]", "f32[4]", "f32[4]", "f32[4]"}, native + "True, 0.1, 1e-5)"});
  rows.push_back(
      {{"bf16[2,4,5,5]", "bf16[4]", "bf16[4]", "bf16[4]", "bf16[4]"}, native + "True, 0.1, 1e-5)"});
  rows.push_back({{"f64[2,4,5,5]", "f64[4]", "f64[4]", "f64[4]", "f64[4]"}, train});
  rows.push_back({{"f32[2,4,5,5]"}, "torch.native_batch_norm(a, None, None, None, None, True, 0.1, 1e-5)"});
  rows.push_back(
      {{"bf16[2,4,5,5]:cl"}, "torch.native_batch_norm(a, None, None, None, None, True, 0.1, 1e-5)"});
  for (const std::string& image : {"f32[2,4,5,5]", "f64[2,4]", "bf16[2,4,5]:t"})
    rows.push_back({{image}, "torch.batch_norm_update_stats(a, None, None, 0.1)"});
  ExpectSameWithoutFallback(rows);
}

TEST(NormKernels, BatchNormBackward) {
  const std::string call = "torch.native_batch_norm_backward(a, b, c, c, c, c, c, ";
  std::vector<Row> rows;
  for (const std::string& grad : {"f32[2,4,5,5]", "f32[2,4,5,5]:cl", "f32[2,4,5,5]:t"}) {
    for (const std::string& image : {"f32[2,4,5,5]", "f32[2,4,5,5]:cl", "f32[2,4,5,5]:t"}) {
      rows.push_back({{grad, image, "f32[4]"}, call + "True, 1e-5, [True, True, True])"});
      rows.push_back({{grad, image, "f32[4]"}, call + "False, 1e-5, [True, False, True])"});
    }
  }
  rows.push_back(
      {{"f32[2,4,5,5]", "f32[2,4,5,5]", "f32[4]"},
       "torch.native_batch_norm_backward(a, b, None, c, c, c, c, True, 1e-5, [True, True, True])"});
  ExpectSameWithoutFallback(rows);
}

TEST(NormKernels, BatchNormsThatSayWhatTheyWrite) {
  std::vector<Row> rows;
  for (const std::string& image : {"f32[2,4,5,5]", "f32[2,4,5,5]:cl:g", "bf16[2,4,5,5]", "f32[2,4]"}) {
    const std::vector<std::string> inputs = {image, "f32[4]:g", "f32[4]", "f32[4]", "f32[4]"};
    for (const std::string& call : {
             "torch._native_batch_norm_legit(a, b, c, d, e, True, 0.1, 1e-5)",
             "torch._native_batch_norm_legit(a, b, c, d, e, False, 0.1, 1e-5)",
             "torch._native_batch_norm_legit(a, b, c, True, 0.1, 1e-5)",
             "torch._native_batch_norm_legit_functional(a, b, c, d, e, True, 0.1, 1e-5)",
             "torch._native_batch_norm_legit_no_training(a, b, c, d, e, 0.1, 1e-5)",
             "torch._batch_norm_with_update(a, b, c, d, e, 0.1, 1e-5)",
             "torch._batch_norm_with_update_functional(a, b, c, d, e, 0.1, 1e-5)",
             "torch._batch_norm_no_update(a, b, c, d, e, 0.1, 1e-5)",
         }) {
      rows.push_back({inputs, call});
    }
    rows.push_back({{image, "f32[4]", "u8[0]"},
                    "torch.batch_norm_backward(a, a, b, b, b, b, b, True, 1e-5, [True, False, True], c)"});
  }
  ExpectSameWithoutFallback(rows);
}

TEST(NormKernels, RmsNorm) {
  std::vector<Row> rows;
  for (const std::string& input :
       {"f32[2,5,4]", "f32[2,5,4]:t", "f32[2,5,4]:g", "bf16[2,5,4]", "f64[2,5,4]"}) {
    const std::string weight = input.substr(0, input.find('[')) + "[4]";
    for (const std::string& call :
         {"torch.rms_norm(a, [4], b)", "torch.rms_norm(a, [5, 4])", "torch._fused_rms_norm(a, [4], b, 1e-5)",
          "torch._fused_rms_norm(a, [4], None, None)"}) {
      rows.push_back({{input, weight}, call});
    }
  }
  ExpectSameWithoutFallback(rows);
}

TEST(NormKernels, LayerNorm) {
  ExpectSameWithoutFallback({
      {{"f32[2,5,4]", "f32[4]:g", "f32[4]"}, "torch.native_layer_norm(a, [4], b, c, 1e-5)"},
      {{"f32[2,5,4]:t", "f32[4]", "f32[4]"}, "torch.native_layer_norm(a, [4], b, c, 1e-5)"},
      {{"f32[2,5,4]"}, "torch.native_layer_norm(a, [5, 4], None, None, 1e-5)"},
      {{"f32[2,4,5,5]:cl", "f32[5,5]", "f32[5,5]"}, "torch.layer_norm(a, [5, 5], b, c, 1e-5)"},
      {{"bf16[2,5,4]", "bf16[4]", "bf16[4]"}, "torch.native_layer_norm(a, [4], b, c, 1e-5)"},
      {{"f32[0,4]", "f32[4]", "f32[4]"}, "torch.native_layer_norm(a, [4], b, c, 1e-5)"},
      {{"f32[2,5,4]", "f32[2,5,1]", "f32[4]"},
       "torch.native_layer_norm_backward(a, a, [4], b, b, c, c, [True, True, True])"},
      {{"f32[2,5,4]:t", "f32[2,5,1]", "f32[4]"},
       "torch.native_layer_norm_backward(a, a, [4], b, b, c, c, [True, False, True])"},
  });
}

TEST(NormKernels, LayerNormOfMixedDtypes) {
  const std::string call = "torch.native_layer_norm(a, [4], b, c, 1e-5)";
  ExpectSameWithoutFallback({{{"bf16[2,5,4]", "f32[4]", "f32[4]"}, call},
                             {{"f16[2,5,4]:t", "f32[4]", "f32[4]"}, call},
                             {{"bf16[2,5,4]", "f32[4]"}, "torch.native_layer_norm(a, [4], b, None, 1e-5)"},
                             {{"bf16[2,5,4]", "f32[4]"}, "torch.native_layer_norm(a, [4], None, b, 1e-5)"}});
  ExpectBothThrow({{{"f32[2,5,4]", "bf16[4]", "bf16[4]"}, call},
                   {{"bf16[2,5,4]", "f64[4]", "f64[4]"}, call},
                   {{"bf16[2,5,4]", "f32[4]", "bf16[4]"}, call}});
}

TEST(NormKernels, GroupNorm) {
  std::vector<Row> rows;
  for (const std::string& image :
       {"f32[2,4,5,5]", "f32[2,4,5,5]:cl", "f32[2,4,5,5]:g", "f32[2,4]", "f32[2,4,5]"}) {
    rows.push_back({{image, "f32[4]:g", "f32[4]"}, "torch.group_norm(a, 2, b, c)"});
    rows.push_back({{image}, "torch.group_norm(a, 2)"});
  }
  for (const std::string& image : {"f32[2,4,5,5]", "f32[2,4,5,5]:cl"}) {
    rows.push_back({{image, "f32[4]"}, "torch.native_group_norm(a, b, b, 2, 4, 25, 2, 1e-5)"});
    rows.push_back({{image, "f32[2,2]", "f32[4]"},
                    "torch.native_group_norm_backward(a, a, b, b, c, 2, 4, 25, 2, [True, True, True])"});
  }
  ExpectSameWithoutFallback(rows);
}

}  // namespace
}  // namespace culprit::graph::fake
